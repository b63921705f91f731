#include "array/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <type_traits>

#include "array/recipe_search.hpp"
#include "array/table_promises.hpp"
#include "export/rows_in_order.hpp"
#include "input/bad_input.hpp"
#include "output/decimal.hpp"
#include "ropewalk/law/judge/same_value.hpp"
#include "ropewalk/numeric/ulp.hpp"

namespace ropewalk::array {
namespace {

/// Distance of an entry from the table's entry.
struct entry_error {
  bool is_none = true;
  bool is_not_a_number = false;
  std::uint64_t ulp = 0;
  double absolute = 0;
};

/// With `by_value`, +0 equals -0.
template <floating_format Float, bool by_value>
struct float_entries {
  static constexpr std::size_t bytes = sizeof(bits_of<Float>);

  static entry_error error(const std::byte* theirs, const std::byte* ours) {
    bits_of<Float> a{}, b{};
    std::memcpy(&a, theirs, sizeof a);
    std::memcpy(&b, ours, sizeof b);
    if (by_value ? same_value<Float>(a, b) : same_bits<Float>(a, b)) return {};
    const std::uint64_t ulp = ulp_distance<Float>(a, b);
    if (is_nan<Float>(a)) return {false, true, ulp, 0};
    return {false, false, ulp, std::abs(output::to_double<Float>(a) - output::to_double<Float>(b))};
  }
};

/// Fractions of a turn. An ulp is 2^-128 turns; the distance is the shorter one around the circle. All words
/// of a fraction count as one entry.
struct turn_entries {
  __extension__ using wide = unsigned __int128;
  static constexpr std::size_t bytes = sizeof(wide);

  static entry_error error(const std::byte* theirs, const std::byte* ours) {
    wide a = 0, b = 0;
    std::memcpy(&a, theirs, sizeof a);
    std::memcpy(&b, ours, sizeof b);
    if (a == b) return {};
    const wide distance = std::min<wide>(a - b, b - a);
    const bool fits = distance >> 64 == 0;
    constexpr int fraction_bits = 128;
    const double turns =
        std::ldexp(static_cast<double>(distance >> 64), fraction_bits / 2 - fraction_bits) +
        std::ldexp(static_cast<double>(static_cast<std::uint64_t>(distance)), -fraction_bits);
    return {false, false, fits ? static_cast<std::uint64_t>(distance) : ~std::uint64_t{0}, turns};
  }
};

/// Integers; their difference counts as ulps.
struct whole_entries {
  static constexpr std::size_t bytes = sizeof(std::int32_t);

  static entry_error error(const std::byte* theirs, const std::byte* ours) {
    std::int32_t a = 0, b = 0;
    std::memcpy(&a, theirs, sizeof a);
    std::memcpy(&b, ours, sizeof b);
    const std::int64_t distance = std::abs(std::int64_t{a} - b);
    return {distance == 0, false, static_cast<std::uint64_t>(distance), static_cast<double>(distance)};
  }
};

/// Whether a place comes first in its array's order; rows are visited in the order of the file.
bool is_earlier(const entry_place& place, const entry_place& than) {
  return is_somewhere(place) && (!is_somewhere(than) || place.order < than.order);
}

/// Compares the entries of one row, from its first place on.
template <class Entries>
void compare_row(comparison& comparison, const std::byte* theirs, const std::byte* ours, std::int64_t entries,
                 entry_place where) {
  const bool may_be_first = std::any_of(comparison.first_past.begin(), comparison.first_past.end(),
                                        [&](const entry_place& place) { return is_earlier(where, place); });
  comparison.entries += entries;
  for (; where.column < entries; ++where.column, theirs += Entries::bytes, ours += Entries::bytes) {
    const entry_error error = Entries::error(theirs, ours);
    if (error.is_none) continue;
    ++comparison.different;
    comparison.not_numbers += error.is_not_a_number;
    if (error.ulp > comparison.largest_ulp) comparison.largest_ulp = error.ulp, comparison.worst_ulp = where;
    if (error.absolute > comparison.largest_absolute)
      comparison.largest_absolute = error.absolute, comparison.worst_absolute = where;
    if (may_be_first && is_earlier(where, comparison.first_different)) comparison.first_different = where;
    for (std::size_t i = 0; may_be_first && i < ulp_marks.size(); ++i)
      if (error.ulp > ulp_marks[i] && is_earlier(where, comparison.first_past[i]))
        comparison.first_past[i] = where;
  }
}

using row_comparer = void (*)(comparison&, const std::byte*, const std::byte*, std::int64_t, entry_place);

template <class Element>
row_comparer comparer_of(bool by_value) {
  if constexpr (floating_format<Element>)
    return by_value ? compare_row<float_entries<Element, true>> : compare_row<float_entries<Element, false>>;
  else if constexpr (std::is_same_v<Element, std::int32_t>)
    return compare_row<whole_entries>;
  else
    return compare_row<turn_entries>;
}

/// Merges the comparison of later rows.
void merge(comparison& compared, const comparison& later) {
  compared.entries += later.entries;
  compared.different += later.different;
  compared.not_numbers += later.not_numbers;
  if (later.largest_ulp > compared.largest_ulp)
    compared.largest_ulp = later.largest_ulp, compared.worst_ulp = later.worst_ulp;
  if (later.largest_absolute > compared.largest_absolute)
    compared.largest_absolute = later.largest_absolute, compared.worst_absolute = later.worst_absolute;
  if (is_earlier(later.first_different, compared.first_different))
    compared.first_different = later.first_different;
  for (std::size_t i = 0; i < ulp_marks.size(); ++i)
    if (is_earlier(later.first_past[i], compared.first_past[i])) compared.first_past[i] = later.first_past[i];
}

/// Rows of the array, the same rows correctly rounded, and their comparison.
struct compared_run {
  std::vector<std::byte> theirs;
  std::vector<std::byte> ours;
  std::vector<std::int64_t> differing;  // rows
  comparison compared;
  bool is_left_out = false;
};

/// Compares the rows of one table with those of an array.
class row_comparison {
 public:
  row_comparison(const comparison_job& job, const tables::table& content, const tables::table_rows& rows)
      : content_(content),
        rows_(rows),
        // For turns, all four words of a row are one entry.
        entries_per_row_(content.about().elements == tables::table_elements::turns ? 1 : rows.columns()),
        compare_row_(tables::visit_element(
            job.dtype, [&]<class Element>() { return comparer_of<Element>(job.by_value); })),
        recipes_(recipes_of(content, job.dtype)),
        promises_(promises_on(content, job.dtype, job.promised)),
        nearest_(promises_ ? content.make_rows(tables::table_dtype::f64) : nullptr),
        nearest_row_(nearest_ ? nearest_->row_bytes() : 0),
        is_out_of_time_(job.is_out_of_time) {}

  /// Any thread may call it.
  void compare(tables::row_run run, compared_run& made) const {
    made.is_left_out = is_out_of_time_ && is_out_of_time_();
    if (made.is_left_out) return;
    made.ours.resize(made.theirs.size());
    rows_.fill(run.first, run.count, made.ours.data());
    made.compared = {};
    made.differing.clear();
    if (recipes_) recipes_->look(run.first, run.count, made.theirs.data());
    for (std::int64_t row = run.first; row < run.first + run.count; ++row) {
      const std::size_t at = static_cast<std::size_t>(row - run.first) * rows_.row_bytes();
      compare_one(row, made.theirs.data() + at, made.ours.data() + at, made);
    }
  }

  /// Adds a run; runs must come in order of rows.
  void add(tables::row_run run, const compared_run& made) {
    if (made.is_left_out) {
      comparison_.rows_left_out += run.count;
      return;
    }
    merge(comparison_, made.compared);
    if (!promises_) return;
    for (const std::int64_t row : made.differing) {  // a correctly rounded row keeps every promise
      const std::size_t at = static_cast<std::size_t>(row - run.first) * rows_.row_bytes();
      promises_->look(row, made.theirs.data() + at, made.ours.data() + at, [&] {
        nearest_->fill(row, 1, nearest_row_.data());
        return nearest_row_.data();
      });
    }
  }

  comparison found() const {
    comparison result = comparison_;
    if (recipes_) result.recipes = recipes_->names();
    if (promises_) result.promises = promises_->found(), result.vacuous = promises_->vacuous();
    return result;
  }

 private:
  void compare_one(std::int64_t row, const std::byte* theirs, const std::byte* ours,
                   compared_run& made) const {
    if (std::memcmp(theirs, ours, rows_.row_bytes()) == 0) {
      made.compared.entries += entries_per_row_;
      return;
    }
    const std::int64_t before = made.compared.different;
    compare_row_(made.compared, theirs, ours, entries_per_row_, {row, 0, content_.order_of(row)});
    if (made.compared.different != before) made.differing.push_back(row);
  }

  const tables::table& content_;
  const tables::table_rows& rows_;
  std::int64_t entries_per_row_;
  row_comparer compare_row_;
  std::unique_ptr<recipe_search> recipes_;
  std::unique_ptr<promise_search> promises_;
  std::unique_ptr<tables::table_rows> nearest_;
  std::vector<std::byte> nearest_row_;
  const std::function<bool()>& is_out_of_time_;
  comparison comparison_;
};

comparison compare_rows(const comparison_job& job, const tables::table& content,
                        const tables::table_rows& rows, input::array_file& file) {
  row_comparison all(job, content, rows);
  std::vector<compared_run> runs(static_cast<std::size_t>(tables::slots(job.threads)));
  const auto at = [&](int slot) -> compared_run& { return runs[static_cast<std::size_t>(slot)]; };
  output::progress_bar progress("table", static_cast<std::uint64_t>(rows.rows()), job.is_quiet);
  tables::in_order(rows.rows(), content.about().rows_per_piece, job.threads, progress,
                   {.take =
                        [&](tables::row_run run, int slot) {
                          at(slot).theirs.resize(static_cast<std::size_t>(run.count) * rows.row_bytes());
                          file.read(at(slot).theirs);
                        },
                    .make = [&](tables::row_run run, int slot) { all.compare(run, at(slot)); },
                    .use = [&](tables::row_run run, int slot) { all.add(run, at(slot)); }});
  file.require_end();
  return all.found();
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

std::string descrs_of(tables::table_elements elements) {
  switch (elements) {
    case tables::table_elements::turns: return "descr <u4";
    case tables::table_elements::whole: return "descr <i4";
    case tables::table_elements::complex: return "descr <c8 or <c16";
    case tables::table_elements::real: break;
  }
  return "descr " + tables::npy_types_of_formats([](const tables::table_dtype_text& text) {
           return "for " + std::string(text.format_name) + " bits";
         });
}

}  // namespace

const tried_promise* comparison::tried(const promise& promised) const {
  const auto match = std::find_if(promises.begin(), promises.end(), [&](const tried_promise& candidate) {
    return detail::is_same_for(ROPEWALK_ROTATE, candidate.value, promised);
  });
  return match == promises.end() ? nullptr : &*match;
}

bool comparison::keeps(const promise& promised) const {
  const tried_promise* candidate = tried(promised);
  return is_canonical() || (candidate != nullptr && !is_somewhere(candidate->broken_at));
}

tables::table_dtype dtype_of_file(const input::array_file& file, tables::table_elements elements,
                                  const std::string& dtype_name) {
  for (const tables::table_dtype_text& text : tables::table_dtypes) {
    if (!tables::has_dtype(elements, text.dtype) ||
        tables::array_dtype(elements, text.dtype) != file.header().dtype)
      continue;
    if (!dtype_name.empty() && dtype_name != text.name)
      throw bad_input("dtype", dtype_name,
                      std::string(text.name) + ", as " + printable(file.place()) + " holds");
    return text.dtype;
  }
  file.refuse("descr " + std::string(descr_of(file.header().dtype)), descrs_of(elements));
}

comparison compare(const comparison_job& job, const tables::table& content, input::array_file& file) {
  const std::vector<std::int64_t>& shape = content.about().shape;
  if (without_ones(file.header().shape, shape.size()) != shape)
    file.refuse("shape " + shape_text(file.header().shape), "shape " + shape_text(shape) + ", the table's");
  return compare_rows(job, content, *content.make_rows(job.dtype), file);
}

}  // namespace ropewalk::array
