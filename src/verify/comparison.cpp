#include "verify/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>

#include "export/decimal.hpp"
#include "export/rows_in_order.hpp"
#include "input/bad_input.hpp"
#include "ropewalk/numeric/ulp.hpp"

namespace ropewalk::verify {
namespace {

/// Whether a place comes first in its array's order; rows are visited in the order of the file.
bool is_before(const entry_place& where, const entry_place& first) {
  return is_somewhere(where) && (!is_somewhere(first) || where.order < first.order);
}

void count_ulp(comparison& found, std::uint64_t ulp, double absolute, const entry_place& where) {
  if (is_before(where, found.first_different)) found.first_different = where;
  if (ulp > found.largest_ulp) found.largest_ulp = ulp, found.worst_ulp = where;
  if (absolute > found.largest_absolute) found.largest_absolute = absolute, found.worst_absolute = where;
  for (std::size_t i = 0; i < ulp_marks.size(); ++i)
    if (ulp > ulp_marks[i] && is_before(where, found.first_past[i])) found.first_past[i] = where;
}

template <floating_format Float>
void compare_floats(comparison& found, const std::byte* theirs, const std::byte* ours,
                    const entry_place& where) {
  bits_of<Float> a{}, b{};
  std::memcpy(&a, theirs, sizeof a);
  std::memcpy(&b, ours, sizeof b);
  ++found.entries;
  if (same_bits<Float>(a, b)) return;
  ++found.different;
  if (is_nan<Float>(a)) {
    ++found.not_numbers;
    return count_ulp(found, ulp_distance<Float>(a, b), 0, where);
  }
  count_ulp(found, ulp_distance<Float>(a, b),
            std::abs(output::to_double<Float>(a) - output::to_double<Float>(b)), where);
}

/// Fractions of a turn: an ulp is 2^-128 turns, and the distance is the shorter one around the circle.
void compare_turns(comparison& found, const std::byte* theirs, const std::byte* ours,
                   const entry_place& where) {
  __extension__ using wide = unsigned __int128;
  wide a = 0, b = 0;
  std::memcpy(&a, theirs, sizeof a);
  std::memcpy(&b, ours, sizeof b);
  ++found.entries;
  if (a == b) return;
  ++found.different;
  const wide distance = std::min<wide>(a - b, b - a);
  const bool fits = distance >> 64 == 0;
  constexpr int fraction_bits = 128;
  const double turns = std::ldexp(static_cast<double>(distance >> 64), fraction_bits / 2 - fraction_bits) +
                       std::ldexp(static_cast<double>(static_cast<std::uint64_t>(distance)), -fraction_bits);
  count_ulp(found, fits ? static_cast<std::uint64_t>(distance) : ~std::uint64_t{0}, turns, where);
}

/// Integers: their difference counts as ulps.
void compare_whole(comparison& found, const std::byte* theirs, const std::byte* ours,
                   const entry_place& where) {
  std::int32_t a = 0, b = 0;
  std::memcpy(&a, theirs, sizeof a);
  std::memcpy(&b, ours, sizeof b);
  ++found.entries;
  if (a == b) return;
  ++found.different;
  const std::int64_t distance = std::abs(std::int64_t{a} - b);
  count_ulp(found, static_cast<std::uint64_t>(distance), static_cast<double>(distance), where);
}

using compare_entry = void (*)(comparison&, const std::byte*, const std::byte*, const entry_place&);

/// The words of a fraction of a turn are compared as one entry.
template <class Element>
constexpr compare_entry comparer = compare_turns;
template <floating_format Float>
constexpr compare_entry comparer<Float> = compare_floats<Float>;
template <>
constexpr compare_entry comparer<std::int32_t> = compare_whole;

/// Adds what was found in later rows.
void merge(comparison& found, const comparison& later) {
  found.entries += later.entries;
  found.different += later.different;
  found.not_numbers += later.not_numbers;
  if (later.largest_ulp > found.largest_ulp)
    found.largest_ulp = later.largest_ulp, found.worst_ulp = later.worst_ulp;
  if (later.largest_absolute > found.largest_absolute)
    found.largest_absolute = later.largest_absolute, found.worst_absolute = later.worst_absolute;
  if (is_before(later.first_different, found.first_different)) found.first_different = later.first_different;
  for (std::size_t i = 0; i < ulp_marks.size(); ++i)
    if (is_before(later.first_past[i], found.first_past[i])) found.first_past[i] = later.first_past[i];
}

/// A run of rows, given and correctly rounded, and how they differ.
struct compared_run {
  std::vector<std::byte> theirs;
  std::vector<std::byte> ours;
  std::vector<std::int64_t> differing;  // rows
  comparison found;
};

/// Compares the rows of one table with those of an array.
class row_comparison {
 public:
  row_comparison(const comparison_job& wanted, const output::table& content, const output::table_rows& rows)
      : content_(content),
        rows_(rows),
        // An entry of the turns is all four words of its row.
        entries_a_row_(content.about().elements == output::table_elements::turns ? 1 : rows.columns()),
        compare_one_(output::visit_element(wanted.dtype, []<class Element>() { return comparer<Element>; })),
        recipes_(content.watch_recipes(wanted.dtype)),
        promises_(content.watch_promises(wanted.dtype, wanted.asked)),
        nearest_(promises_ ? content.make_rows(output::table_dtype::f64) : nullptr),
        nearest_row_(nearest_ ? nearest_->row_bytes() : 0) {}

  /// Any thread may call it.
  void compare(output::row_run run, compared_run& made) const {
    made.ours.resize(made.theirs.size());
    rows_.fill(run.first, run.count, made.ours.data());
    made.found = {};
    made.differing.clear();
    if (recipes_) recipes_->look(run.first, run.count, made.theirs.data());
    for (std::int64_t row = run.first; row < run.first + run.count; ++row) {
      const std::size_t at = static_cast<std::size_t>(row - run.first) * rows_.row_bytes();
      compare_row(row, made.theirs.data() + at, made.ours.data() + at, made);
    }
  }

  /// Adds a run, in order of rows.
  void add(output::row_run run, const compared_run& made) {
    merge(found_, made.found);
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
    comparison r = found_;
    if (recipes_) r.recipes = recipes_->names();
    if (promises_) r.promises = promises_->found(), r.vacuous = promises_->vacuous();
    return r;
  }

 private:
  void compare_row(std::int64_t row, const std::byte* theirs, const std::byte* ours,
                   compared_run& made) const {
    if (std::memcmp(theirs, ours, rows_.row_bytes()) == 0) {
      made.found.entries += entries_a_row_;
      return;
    }
    const std::int64_t order = content_.order_of(row), before = made.found.different;
    const std::size_t entry_bytes = rows_.row_bytes() / static_cast<std::size_t>(entries_a_row_);
    for (std::int64_t column = 0; column < entries_a_row_; ++column) {
      const std::size_t at = static_cast<std::size_t>(column) * entry_bytes;
      compare_one_(made.found, theirs + at, ours + at, {row, column, order});
    }
    if (made.found.different != before) made.differing.push_back(row);
  }

  const output::table& content_;
  const output::table_rows& rows_;
  std::int64_t entries_a_row_;
  compare_entry compare_one_;
  std::unique_ptr<output::recipe_watch> recipes_;
  std::unique_ptr<output::promise_watch> promises_;
  std::unique_ptr<output::table_rows> nearest_;
  std::vector<std::byte> nearest_row_;
  comparison found_;
};

comparison compare_rows(const comparison_job& wanted, const output::table& content,
                        const output::table_rows& rows, input::array_file& file) {
  row_comparison all(wanted, content, rows);
  std::vector<compared_run> runs(static_cast<std::size_t>(output::slots(wanted.threads)));
  const auto at = [&](int slot) -> compared_run& { return runs[static_cast<std::size_t>(slot)]; };
  output::progress_bar progress("table", static_cast<std::uint64_t>(rows.rows()), wanted.is_quiet);
  output::in_order(rows.rows(), content.about().rows_a_piece, wanted.threads, progress,
                   {.take =
                        [&](output::row_run run, int slot) {
                          at(slot).theirs.resize(static_cast<std::size_t>(run.count) * rows.row_bytes());
                          file.read(at(slot).theirs);
                        },
                    .make = [&](output::row_run run, int slot) { all.compare(run, at(slot)); },
                    .use = [&](output::row_run run, int slot) { all.add(run, at(slot)); }});
  file.require_end();
  return all.found();
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

std::string descrs_of(output::table_elements elements) {
  switch (elements) {
    case output::table_elements::turns: return "descr <u4";
    case output::table_elements::whole: return "descr <i4";
    case output::table_elements::complex: return "descr <c8 or <c16";
    case output::table_elements::real: break;
  }
  return "descr " + output::npy_types_of_formats([](const output::table_dtype_text& text) {
           return "for " + std::string(text.format_name) + " bits";
         });
}

}  // namespace

const output::tried_promise* comparison::tried(const promise& of) const {
  const auto found = std::find_if(promises.begin(), promises.end(), [&](const output::tried_promise& one) {
    return detail::is_same_for(ROPEWALK_ROTATE, one.value, of);
  });
  return found == promises.end() ? nullptr : &*found;
}

bool comparison::keeps(const promise& of) const {
  const output::tried_promise* one = tried(of);
  return is_canonical() || (one != nullptr && !is_somewhere(one->broken_at));
}

output::table_dtype dtype_of_file(const input::array_file& file, output::table_elements elements,
                                  const std::string& dtype_name) {
  for (const output::table_dtype_text& text : output::table_dtypes) {
    if (!output::has_dtype(elements, text.dtype) ||
        output::array_dtype(elements, text.dtype) != file.header().dtype)
      continue;
    if (!dtype_name.empty() && dtype_name != text.name)
      throw bad_input("dtype", dtype_name,
                      std::string(text.name) + ", as " + printable(file.place()) + " holds");
    return text.dtype;
  }
  file.refuse("descr " + std::string(descr_of(file.header().dtype)), descrs_of(elements));
}

comparison compare(const comparison_job& wanted, const output::table& content, input::array_file& file) {
  const std::vector<std::int64_t>& shape = content.about().shape;
  if (file.header().shape != shape)
    file.refuse("shape " + shape_text(file.header().shape), "shape " + shape_text(shape) + ", the table's");
  return compare_rows(wanted, content, *content.make_rows(wanted.dtype), file);
}

}  // namespace ropewalk::verify
