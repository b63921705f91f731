#include "verify/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "export/decimal.hpp"
#include "export/rows_in_order.hpp"
#include "input/bad_input.hpp"
#include "ropewalk/numeric/ulp.hpp"

namespace ropewalk::verify {
namespace {

/// Whether a place comes first in its array's order; rows are visited in the order of the file.
bool is_before(const entry_place& where, const entry_place& first) {
  return !is_somewhere(first) || where.order < first.order;
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

comparison compare_rows(const comparison_job& wanted, const output::table& content,
                        const output::table_rows& rows, input::array_file& file) {
  // An entry of the turns is all four words of its row.
  const std::int64_t entries_a_row =
      content.about().elements == output::table_elements::turns ? 1 : rows.columns();
  const std::size_t entry_bytes = rows.row_bytes() / static_cast<std::size_t>(entries_a_row);
  const compare_entry compare_one =
      output::visit_element(wanted.dtype, []<class Element>() { return comparer<Element>; });
  const auto recipes = content.watch_recipes(wanted.dtype);
  const auto promises = content.watch_promises(wanted.dtype, wanted.asked);
  const auto nearest = promises ? content.make_rows(output::table_dtype::f64) : nullptr;
  std::vector<std::byte> nearest_row(nearest ? nearest->row_bytes() : 0);
  std::vector<std::vector<std::byte>> ours(static_cast<std::size_t>(wanted.threads));
  std::vector<std::byte> theirs;
  comparison found;
  output::progress_bar progress("table", static_cast<std::uint64_t>(rows.rows()), wanted.is_quiet);
  output::in_order(
      rows.rows(), content.about().rows_a_piece, wanted.threads, progress,
      [&](output::row_run run, int slot) {
        auto& made = ours[static_cast<std::size_t>(slot)];
        made.resize(static_cast<std::size_t>(run.count) * rows.row_bytes());
        rows.fill(run.first, run.count, made.data());
      },
      [&](output::row_run run, int slot) {
        const auto& made = ours[static_cast<std::size_t>(slot)];
        theirs.resize(made.size());
        file.read(theirs);
        std::size_t at = 0;
        for (std::int64_t row = run.first; row < run.first + run.count; ++row) {
          if (recipes) recipes->look(row, theirs.data() + at);
          const std::int64_t order = content.order_of(row), differed = found.different;
          const std::size_t begin = at;
          for (std::int64_t column = 0; column < entries_a_row; ++column, at += entry_bytes)
            compare_one(found, theirs.data() + at, made.data() + at, {row, column, order});
          if (!promises || found.different == differed) continue;  // correctly rounded: every promise is kept
          promises->look(row, theirs.data() + begin, made.data() + begin, [&] {
            nearest->fill(row, 1, nearest_row.data());
            return nearest_row.data();
          });
        }
      });
  file.require_end();
  if (recipes) found.recipes = recipes->names();
  if (promises) found.promises = promises->found(), found.vacuous = promises->vacuous();
  return found;
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
