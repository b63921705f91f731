#include "sweep/box.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "sweep/digest.hpp"

namespace ropewalk::sweep {
namespace {

constexpr std::int64_t fewest_units = 64;
constexpr std::int64_t fewest_positions = 4096;  // of a unit, unless the box has fewer

/// Formats by the pass that serves them: binary64 alone, all others together.
std::vector<std::vector<ropewalk_dtype>> passes(const std::vector<ropewalk_dtype>& dtypes) {
  std::vector<std::vector<ropewalk_dtype>> r;
  std::vector<ropewalk_dtype> narrow;
  for (const ropewalk_dtype dtype : dtypes)
    if (dtype == ROPEWALK_F64)
      r.push_back({dtype});
    else
      narrow.push_back(dtype);
  if (!narrow.empty()) r.push_back(narrow);
  return r;
}

/// The largest power of two that is at most `limit`, which is positive.
std::int64_t power_of_two_below(std::int64_t limit) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(limit)));
}

std::int64_t rounded_down(std::int64_t position, std::int64_t multiple) {  // a power of two
  return position & -multiple;
}

std::string joined(const std::vector<ropewalk_dtype>& dtypes) {
  std::string text;
  for (const ropewalk_dtype dtype : dtypes) text += (text.empty() ? "" : ",") + std::string(ropewalk::name_of(dtype));
  return text;
}

void append_bytes(std::string& to, const void* from, std::size_t size) {
  to.append(static_cast<const char*>(from), size);
}

}  // namespace

std::string table_identity(const rope& config) {
  const resolved_encoding resolved(config, {.head_dim = config.rotary_dim});
  const ropewalk_rotation& numbers = resolved.view();
  std::string bytes;
  // Words are read in the order of a little-endian machine, which is the only one that is supported.
  append_bytes(bytes, numbers.turns_256, sizeof(std::uint32_t) * 8 * static_cast<std::size_t>(pair_count(config)));
  append_bytes(bytes, numbers.attention_real.significand, sizeof(numbers.attention_real.significand));
  append_bytes(bytes, &numbers.attention_real.exponent, sizeof(numbers.attention_real.exponent));
  return digest_of(bytes);
}

std::vector<swept_table> tables_of(const std::vector<model::model>& models) {
  std::vector<swept_table> tables;
  std::map<std::string, std::size_t> known;
  for (const model::model& one : models) {
    const std::string identity = table_identity(one.encoding);
    const auto [at, is_new] = known.try_emplace(identity, tables.size());
    if (is_new) tables.push_back({identity, {}, one, pair_count(one.encoding)});
    std::vector<std::string>& names = tables[at->second].models;
    const std::string name = model::recorded_name(one);
    const auto place = std::lower_bound(names.begin(), names.end(), name);
    if (place == names.end() || *place != name) names.insert(place, name);
  }
  return tables;
}

nlohmann::json to_json(const box& of) {
  nlohmann::json tables = nlohmann::json::array();
  for (const swept_table& table : of.tables)
    tables.push_back({{"table", table.identity}, {"pairs", table.pairs}, {"models", table.models}});
  std::vector<std::string> dtypes;
  for (const ropewalk_dtype dtype : of.dtypes) dtypes.emplace_back(ropewalk::name_of(dtype));
  return {{"subject", of.subject},
          {"content", of.content},
          {"tables", tables},
          {"dtypes", dtypes},
          {"positions", {of.positions.begin, of.positions.end}},
          {"entries_at_once", of.entries_at_once}};
}

std::string name_of(const unit& one, const box& of) {
  const swept_table& table = of.tables[one.table];
  return table.identity + "/" + joined(one.dtypes) + "/0:" + std::to_string(table.pairs) + "/" +
         std::to_string(one.positions.begin) + ":" + std::to_string(one.positions.end);
}

units_of_box::units_of_box(const box& of) : box_(&of) {
  const std::int64_t positions = size(of.positions);
  const std::int64_t shared = power_of_two_below(std::max(positions / fewest_units, fewest_positions));
  for (std::size_t table = 0; table < of.tables.size(); ++table)
    for (std::vector<ropewalk_dtype>& dtypes : passes(of.dtypes)) {
      const std::int64_t most = std::max<std::int64_t>(1, of.entries_at_once / of.tables[table].pairs);
      const std::int64_t at_once = std::min(shared, power_of_two_below(most));
      const std::int64_t begin = rounded_down(of.positions.begin, at_once);
      const std::int64_t units = (of.positions.end - begin + at_once - 1) / at_once;
      runs_.push_back({table, std::move(dtypes), at_once, count_, units});
      count_ += units;
    }
}

const units_of_box::run& units_of_box::run_of(std::int64_t index) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), index,
                                      [](std::int64_t at, const run& one) { return at < one.first; });
  return *std::prev(after);
}

unit units_of_box::at(std::int64_t index) const {
  const run& of = run_of(index);
  const std::int64_t begin = rounded_down(box_->positions.begin, of.positions) + (index - of.first) * of.positions;
  return {of.table,
          of.dtypes,
          {std::max(begin, box_->positions.begin), std::min(begin + of.positions, box_->positions.end)}};
}

std::int64_t units_of_box::entries(std::int64_t index) const {
  const unit one = at(index);
  return size(one.positions) * box_->tables[one.table].pairs;
}

}  // namespace ropewalk::sweep
