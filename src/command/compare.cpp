#include "command/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iostream>

#include "command/chunks.hpp"
#include "command/compare_recipes.hpp"
#include "command/record.hpp"
#include "model/bad_input.hpp"
#include "ropewalk/numeric/ulp.hpp"
#include "writer/decimal.hpp"

namespace ropewalk::command {
namespace {

constexpr std::array<std::uint64_t, 3> ulp_marks = {1, 2, 1000};

constexpr table_place nowhere{.position_row = -1};

bool is_somewhere(const table_place& place) { return place.position_row >= 0; }

/// What is known of the rows compared so far. Errors are taken from the correctly rounded entry.
struct findings {
  std::int64_t entries = 0;
  std::int64_t different = 0;
  std::int64_t not_numbers = 0;
  std::uint64_t largest_ulp = 0;
  double largest_absolute = 0;
  table_place worst_ulp = nowhere;
  table_place worst_absolute = nowhere;
  std::array<table_place, ulp_marks.size()> first_past = {nowhere, nowhere, nowhere};
  std::vector<std::string> recipes;  // that give these very bits

  bool is_canonical() const { return different == 0; }
};

void count_ulp(findings& found, std::uint64_t ulp, double absolute, const table_place& where) {
  if (ulp > found.largest_ulp) found.largest_ulp = ulp, found.worst_ulp = where;
  if (absolute > found.largest_absolute) found.largest_absolute = absolute, found.worst_absolute = where;
  for (std::size_t i = 0; i < ulp_marks.size(); ++i)
    // A second plane begins with the first position again.
    if (ulp > ulp_marks[i] &&
        (!is_somewhere(found.first_past[i]) || where.position_row < found.first_past[i].position_row))
      found.first_past[i] = where;
}

template <floating_format Float>
void compare_floats(findings& found, const std::byte* theirs, const std::byte* ours,
                    const table_place& where) {
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
            std::abs(writer::to_double<Float>(a) - writer::to_double<Float>(b)), where);
}

/// Fractions of a turn: an ulp is 2^-128 turns, and the distance goes the short way round.
void compare_turns(findings& found, const std::byte* theirs, const std::byte* ours,
                   const table_place& where) {
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

using compare_entry = void (*)(findings&, const std::byte*, const std::byte*, const table_place&);

compare_entry comparer_of(table_dtype dtype) {
  switch (dtype) {
    case table_dtype::f64: return compare_floats<double>;
    case table_dtype::f32: return compare_floats<float>;
    case table_dtype::f16: return compare_floats<binary16>;
    case table_dtype::bf16: return compare_floats<bfloat16>;
    case table_dtype::u32: break;
  }
  return compare_turns;
}

findings compare_rows(const comparison& wanted, const table_grid& grid, const position_list& positions,
                      const table_rows& rows, recipe_search& recipes, reader::npy_file& file) {
  // An entry of the turns is all four words of its row.
  const std::int64_t entries_a_row = wanted.form.kind == table_kind::turns ? 1 : rows.columns();
  const std::size_t entry_bytes = rows.row_bytes() / static_cast<std::size_t>(entries_a_row);
  const compare_entry compare_one = comparer_of(wanted.dtype);
  std::vector<std::vector<std::byte>> ours(static_cast<std::size_t>(wanted.threads));
  std::vector<std::byte> theirs;
  findings found;
  writer::progress_bar progress("table", static_cast<std::uint64_t>(rows.rows()), wanted.quiet);
  in_order(
      rows.rows(), rows_a_piece(grid, positions), wanted.threads, progress,
      [&](row_run run, int slot) {
        auto& made = ours[static_cast<std::size_t>(slot)];
        made.resize(static_cast<std::size_t>(run.count) * rows.row_bytes());
        rows.fill(run.first, run.count, made.data());
      },
      [&](row_run run, int slot) {
        const auto& made = ours[static_cast<std::size_t>(slot)];
        theirs.resize(made.size());
        file.read(theirs);
        for (std::int64_t i = 0; i < run.count * entries_a_row; ++i) {
          const auto at = static_cast<std::size_t>(i) * entry_bytes;
          compare_one(found, theirs.data() + at, made.data() + at,
                      grid.at(run.first + i / entries_a_row, i % entries_a_row));
        }
        for (std::int64_t i = 0; i < run.count; ++i)
          recipes.look(run.first + i, theirs.data() + static_cast<std::size_t>(i) * rows.row_bytes());
      });
  file.require_end();
  found.recipes = recipes.names();
  return found;
}

/// Names of places: position and pair, or the pair alone; and which of the two where an array has both.
class place_names {
 public:
  place_names(table_kind kind, const position_list& positions) : kind_(kind), positions_(positions) {}

  std::string text(const table_place& place) const {
    if (!has_positions(kind_)) return fmt::format("pair {}", place.pair);
    const std::string which = kind_ != table_kind::cos_sin ? "" : place.is_sin ? ", sin" : ", cos";
    return fmt::format("position {}, pair {}{}", positions_.text_at(place.position_row), place.pair, which);
  }

  model::json record(const table_place& place) const {
    if (!is_somewhere(place)) return nullptr;
    model::json record = {{"pair", place.pair}};
    if (!has_positions(kind_)) return record;
    if (positions_.is_real())
      record["position"] = positions_.real_at(place.position_row);
    else
      record["position"] = positions_.at(place.position_row);
    if (kind_ == table_kind::cos_sin) record["of"] = place.is_sin ? "sin" : "cos";
    return record;
  }

 private:
  table_kind kind_;
  const position_list& positions_;
};

/// Whether the largest error is a number of ulps: that of a NaN is none, and one of 2^64 or more is not held.
bool is_counted(const findings& found) { return found.largest_ulp != ~std::uint64_t{0}; }

std::string ulp_text(const findings& found) {
  if (is_counted(found)) return fmt::format("{} ulp", found.largest_ulp);
  return found.not_numbers > 0 ? "not a number" : "2^64 ulp or more";
}

/// What gives these very bits.
std::string recipe_text(const findings& found) {
  std::vector<std::string> names = found.recipes;
  if (found.is_canonical()) names.insert(names.begin(), "correct rounding of the exact values");
  return names.empty() ? "none known" : fmt::format("{}", fmt::join(names, "; "));
}

void print_text(const findings& found, const place_names& names) {
  const std::int64_t equal = found.entries - found.different;
  std::cout << fmt::format("entries            {}\n", found.entries)
            << fmt::format("correctly rounded  {} ({:.4f} %)\n", equal,
                           100 * static_cast<double>(equal) / static_cast<double>(found.entries));
  if (found.not_numbers > 0) std::cout << fmt::format("not a number       {}\n", found.not_numbers);
  if (is_somewhere(found.worst_ulp))
    std::cout << fmt::format("largest error      {} at {}\n", ulp_text(found), names.text(found.worst_ulp));
  if (is_somewhere(found.worst_absolute))
    std::cout << fmt::format("                   {:.6g} absolute at {}\n", found.largest_absolute,
                             names.text(found.worst_absolute));
  for (std::size_t i = 0; i < ulp_marks.size(); ++i)
    std::cout << fmt::format("first past {:<4} ulp {}\n", ulp_marks[i],
                             is_somewhere(found.first_past[i]) ? names.text(found.first_past[i]) : "none");
  std::cout << fmt::format("recipe             {}\n", recipe_text(found));
}

void print_json(const findings& found, const place_names& names) {
  model::json record = {{"entries", found.entries},
                        {"correctly_rounded", found.entries - found.different},
                        {"not_a_number", found.not_numbers},
                        {"largest_error",
                         {{"ulp", is_counted(found) ? model::json(found.largest_ulp) : model::json()},
                          {"at", names.record(found.worst_ulp)},
                          {"absolute", found.largest_absolute},
                          {"absolute_at", names.record(found.worst_absolute)}}}};
  for (std::size_t i = 0; i < ulp_marks.size(); ++i)
    record["first_past_ulp"][std::to_string(ulp_marks[i])] = names.record(found.first_past[i]);
  record["recipes"] = found.recipes;
  std::cout << pretty(record);
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

}  // namespace

table_dtype dtype_of_file(const reader::npy_file& file, const table_form& form,
                          const std::string& dtype_name) {
  const bool is_complex = array_dtype(form, table_dtype::f32) == npy_dtype::c64;
  for (const table_dtype_text& text : table_dtypes) {
    if (!has_dtype(form, text.dtype) || array_dtype(form, text.dtype) != file.header().dtype) continue;
    if (!dtype_name.empty() && dtype_name != text.name)
      throw bad_input("dtype", dtype_name,
                      std::string(text.name) + ", as " + printable(file.file().path()) + " holds");
    return text.dtype;
  }
  file.file().refuse("descr " + std::string(descr_of(file.header().dtype)),
                     form.kind == table_kind::turns ? "descr <u4"
                     : is_complex                   ? "descr <c8 or <c16"
                                                    : "descr <f8, <f4, <f2, or <u2 for bfloat16 bits");
}

exit_code compare(const comparison& wanted, reader::npy_file& file, const table_rows& rows,
                  const rope& config, const position_list& positions) {
  const table_grid grid(wanted.form, config, positions);
  if (file.header().shape != grid.shape())
    file.file().refuse("shape " + shape_text(file.header().shape),
                       "shape " + shape_text(grid.shape()) + ", the table's");
  recipe_search recipes(grid, wanted.dtype, config, positions);
  const findings found = compare_rows(wanted, grid, positions, rows, recipes, file);
  const place_names names(wanted.form.kind, positions);
  wanted.as_json ? print_json(found, names) : print_text(found, names);
  return found.is_canonical() ? exit_code::holds : exit_code::fails;
}

}  // namespace ropewalk::command
