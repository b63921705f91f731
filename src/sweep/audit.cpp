#include "sweep/audit.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <vector>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/reference/decimal_distance.hpp"
#include "ropewalk/reference/rope_axes_digits.hpp"
#include "ropewalk/reference/rope_digits.hpp"
#include "sweep/digest.hpp"
#include "sweep/exact_entry.hpp"
#include "sweep/unit_check.hpp"

namespace ropewalk::sweep {
namespace {

constexpr int digits = 60;             // the largest number that distance_in reads
constexpr int entries_of_a_unit = 64;  // sampled entries per unit

/// Relative tolerance between MPFR's distance of an entry from the tie and the given one: both are rounded to
/// binary64.
constexpr double distance_error = 0x1p-50;

std::string text_of(const entry_place& at) {
  return "position " + std::to_string(at.position) + ", pair " + std::to_string(at.pair) + ", " +
         (at.is_sin ? "sin" : "cos");
}

std::string exact_digits(const placed_rope& config, const entry_place& at) {
  if (is_text(config.axes))
    return at.is_sin ? reference::rope_sin_digits(at.position, at.pair, config.encoding, digits)
                     : reference::rope_cos_digits(at.position, at.pair, config.encoding, digits);
  const std::vector<double> on_axes(static_cast<std::size_t>(config.axes.count),
                                    static_cast<double>(at.position));
  return at.is_sin ? reference::rope_axes_sin_digits(on_axes, at.pair, config.axes, config.encoding, digits)
                   : reference::rope_axes_cos_digits(on_axes, at.pair, config.axes, config.encoding, digits);
}

/// A rounded entry, compared with the exact value.
struct rounded_entry {
  bool is_nearest;
  double distance;  // from the exact value to the nearest tie, in ulps
};

template <floating_format Float>
rounded_entry compared(const placed_rope& config, const entry_place& at, bits_of<Float> bits) {
  const std::string exact = exact_digits(config, at);
  const double value = to_double<Float>(bits);
  if (!std::isfinite(value)) return {false, 0};
  if (exact == "0") return {bits == 0, 0.5};
  if (is_negative<Float>(bits) != exact.starts_with('-')) return {false, 0};
  const double off = reference::distance_in(1, value, exact);
  // Below a power of two, an ulp is half as large.
  int exponent = 0;
  const bool is_below_power = std::abs(std::frexp(value, &exponent)) == 0.5 && (off > 0) == (value > 0);
  exponent = std::max(exponent - (is_below_power ? 2 : 1), format<Float>::smallest_exponent);
  const double ulp = std::ldexp(1.0, exponent - (format<Float>::precision - 1));
  const double half = off > 0 ? -ulp / 2 : ulp / 2;                       // towards the exact value
  const double beyond = reference::distance_in(ulp, value, exact, half);  // from the exact value to the tie
  return {(beyond > 0) == (half > 0), std::abs(beyond)};
}

/// Indexes of the units of a range of work, by name.
std::map<std::string, std::int64_t> units_by_name(const units_of_range& units, const work_range& range) {
  std::map<std::string, std::int64_t> by_name;
  for (std::int64_t i = 0; i < units.count(); ++i) by_name[name_of(units.at(i), range)] = i;
  return by_name;
}

/// Pseudorandom whole numbers determined by a text.
class chosen_numbers {
 public:
  explicit chosen_numbers(std::string seed) : seed_(std::move(seed)) {}
  /// domain  0 < limit
  std::int64_t below(std::int64_t limit) {
    const std::string text = digest_of(seed_ + std::to_string(count_++)).substr(0, 15);
    return std::stoll(text, nullptr, 16) % limit;
  }

 private:
  std::string seed_;
  int count_ = 0;
};

/// Whether hard cases of a range of work are those of a table. A canonical kernel's 16-bit outputs are
/// rounded twice, and so have none.
bool checks_table(const work_range& range) { return range.subject == "table"; }

/// The counts of a tally that do not depend on the given entries: a file may have cosines only, or each entry
/// twice.
std::string found_in(const format_tally& tally) {
  format_tally without = tally;
  without.entries = 0;
  without.wrong = 0;
  without.by_steps = {};
  without.largest_in_steps = {};
  without.largest_error = {};
  return to_json(without).dump();
}

void compare_units(const work_range& range, const unit_result& recorded, const tally& again,
                   audit_result& result) {
  for (std::size_t i = 0; i < again.size(); ++i) {
    if (again[i].wrong != 0)
      result.differences.push_back(recorded.unit + ": the program's own table has wrong entries");
    const bool is_comparable =
        checks_table(range) || again[i].dtype == ROPEWALK_F32 || again[i].dtype == ROPEWALK_F64;
    if (is_comparable && (i >= recorded.counts.size() || found_in(recorded.counts[i]) != found_in(again[i])))
      result.differences.push_back(recorded.unit + ": checked again, " + ropewalk::name_of(again[i].dtype) +
                                   " has other counts or hard cases");
  }
}

/// Entries of the program's own table, computed in a walk over many rows.
class own_entries {
 public:
  explicit own_entries(const swept_table& table)
      : table_(own_tables()->subject_of(table)), pairs_(static_cast<std::size_t>(table.pairs)) {}

  template <floating_format Float>
  bits_of<Float> at(const entry_place& place) {
    constexpr std::size_t multiple = 8;  // `fill` may overwrite entries up to such a multiple
    const position_range run{std::max(place.position - (rows - 1), smallest_position), place.position + 1};
    const auto count = static_cast<std::size_t>(size(run));
    std::vector<bits_of<Float>> cos(count * pairs_ + multiple), sin(cos);
    table_->fill(run, dtype_of<Float>, cos.data(), sin.data());
    return (place.is_sin ? sin : cos)[(count - 1) * pairs_ + static_cast<std::size_t>(place.pair)];
  }

 private:
  static constexpr std::int64_t rows = 32;  // the last of these rows comes from a sum of angles

  std::unique_ptr<subject> table_;
  std::size_t pairs_;
};

/// Compares some of the table's entries with MPFR.
void audit_entries(const swept_table& table, const unit& unit, const std::string& name,
                   audit_result& result) {
  own_entries own(table);
  chosen_numbers chosen(name);
  for (const ropewalk_dtype dtype : unit.dtypes)
    with_format(dtype, [&]<class Float>() {
      if constexpr (!std::is_same_v<Float, double>) {
        for (int i = 0; i < entries_of_a_unit; ++i, ++result.entries) {
          const std::int64_t position = unit.positions.begin + chosen.below(size(unit.positions));
          const entry_place at{position, static_cast<int>(chosen.below(table.pairs)), chosen.below(2) == 1};
          if (!compared<Float>(model::placed(table.model), at, own.at<Float>(at)).is_nearest)
            result.differences.push_back(name + ": " + text_of(at) + ": MPFR rounds to other bits");
        }
      }
    });
}

}  // namespace

std::vector<std::string> audit_hard_cases(const swept_table& table, const format_tally& counts) {
  std::vector<std::string> differences;
  own_entries own(table);
  for (const hard_case& entry : counts.hardest) {
    bool is_own = true;
    const rounded_entry by_mpfr = with_format(counts.dtype, [&]<class Float>() {
      if constexpr (!std::is_same_v<Float, double>) is_own = own.at<Float>(entry.place) == entry.bits;
      return compared<Float>(model::placed(table.model), entry.place,
                             static_cast<bits_of<Float>>(entry.bits));
    });
    const std::string where = std::string(ropewalk::name_of(counts.dtype)) + ", " + text_of(entry.place);
    if (!is_own) differences.push_back(where + ": the program's own table has other bits");
    if (!by_mpfr.is_nearest) differences.push_back(where + ": MPFR rounds to other bits");
    if (!(std::abs(by_mpfr.distance - entry.distance) <= distance_error * entry.distance))
      differences.push_back(where + ": MPFR finds another distance from the tie");
  }
  return differences;
}

std::vector<std::string> audit_unit(const certificate& certificate, const certified_part& part,
                                    const swept_table& table, std::int64_t index) {
  const work_range unit_range = work_range_of(table, part);
  const unit unit = unit_at(part, index);
  const std::string name = name_of(unit, unit_range);
  if (certificate.table != table.identity)
    return {name + ": " + path_of(certificate) + " is another table's"};
  unit_check check(table, *own_tables(), right_rows::by_phases);
  const auto line = read_line(line_of(name, check.check(unit)));
  const auto first = static_cast<std::size_t>(index * checksum_digits);
  if (line && line->checksum.starts_with(part.unit_checksums.substr(first, checksum_digits))) return {};
  return {name + ": checked again, it has another checksum than in " + path_of(certificate)};
}

std::vector<std::string> audit_positions(const certified_part& part, const swept_table& table,
                                         position_range positions) {
  unit unit = unit_at(part, 0);
  unit.positions = positions;
  unit_check check(table, *own_tables(), right_rows::by_phases);
  const tally counts = check.check(unit);
  std::vector<std::string> differences;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const format_tally& certified = part.counts[i];
    const std::string dtype = ropewalk::name_of(certified.dtype);
    if (counts[i].wrong != 0 || counts[i].undecided != 0)
      differences.push_back(dtype + ": entries are wrong or undecided");
    const auto is_here = [&](const hard_case& entry) {
      return entry.place.position >= positions.begin && entry.place.position < positions.end;
    };
    for (const hard_case& entry : certified.hardest)
      if (is_here(entry) &&
          std::find(counts[i].hardest.begin(), counts[i].hardest.end(), entry) == counts[i].hardest.end())
        differences.push_back(dtype + ", " + text_of(entry.place) + ": no such hard case is found");
    for (const hard_case& entry : counts[i].hardest)
      if (!certified.hardest.empty() && entry < certified.hardest.back() &&
          !std::binary_search(certified.hardest.begin(), certified.hardest.end(), entry))
        differences.push_back(dtype + ", " + text_of(entry.place) + ": a hard case that is not certified");
  }
  return differences;
}

audit_result audit(const work_range& range, std::span<const unit_result> units, int sample_units,
                   const audit_progress& progress) {
  audit_result result;
  const units_of_range all(range);
  const auto by_name = units_by_name(all, range);
  std::string results;
  for (const unit_result& unit : units) results += unit.checksum;
  progress("hard cases by MPFR");
  for (const unit_result& unit : units) {
    const auto known = by_name.find(unit.unit);
    if (known == by_name.end()) {
      result.differences.push_back(unit.unit + ": not a unit of the range of work");
      continue;
    }
    const swept_table& table = range.tables[all.at(known->second).table];
    for (const format_tally& counts : unit.counts) {
      result.hard_cases += static_cast<std::int64_t>(counts.hardest.size());
      for (const std::string& text : audit_hard_cases(table, counts))
        result.differences.push_back(unit.unit + ": " + text);
    }
  }
  chosen_numbers chosen(digest_of(results));
  const auto count = std::min(static_cast<std::int64_t>(units.size()), std::int64_t{sample_units});
  std::vector<std::size_t> order(units.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t left = static_cast<std::int64_t>(order.size()) - i;
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(i + chosen.below(left))]);
    const unit_result& recorded = units[order[static_cast<std::size_t>(i)]];
    const auto known = by_name.find(recorded.unit);
    if (known == by_name.end()) continue;
    const unit unit = all.at(known->second);
    progress(recorded.unit);
    unit_check check(range.tables[unit.table], *own_tables(), right_rows::by_phases);
    compare_units(range, recorded, check.check(unit), result);
    audit_entries(range.tables[unit.table], unit, recorded.unit, result);
    ++result.units;
  }
  return result;
}

}  // namespace ropewalk::sweep
