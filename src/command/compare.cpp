#include "command/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

#include "command/chunks.hpp"
#include "command/record.hpp"
#include "export/decimal.hpp"
#include "input/bad_input.hpp"
#include "ropewalk/numeric/ulp.hpp"

namespace ropewalk::command {
namespace {

constexpr std::array<std::uint64_t, 3> ulp_marks = {1, 2, 1000};

/// An entry by its row and column.
struct entry_place {
  std::int64_t row = -1;
  std::int64_t column = 0;
  std::int64_t order = 0;  // of its row: where the first of several is looked for
};

constexpr entry_place nowhere{};

bool is_somewhere(const entry_place& place) { return place.row >= 0; }

/// What is known of the rows compared so far. Errors are taken from the correctly rounded entry.
struct findings {
  std::int64_t entries = 0;
  std::int64_t different = 0;
  std::int64_t not_numbers = 0;
  std::uint64_t largest_ulp = 0;
  double largest_absolute = 0;
  entry_place worst_ulp = nowhere;
  entry_place worst_absolute = nowhere;
  std::array<entry_place, ulp_marks.size()> first_past = {nowhere, nowhere, nowhere};
  std::vector<std::string> recipes;  // that give these very bits

  bool is_canonical() const { return different == 0; }
};

void count_ulp(findings& found, std::uint64_t ulp, double absolute, const entry_place& where) {
  if (ulp > found.largest_ulp) found.largest_ulp = ulp, found.worst_ulp = where;
  if (absolute > found.largest_absolute) found.largest_absolute = absolute, found.worst_absolute = where;
  for (std::size_t i = 0; i < ulp_marks.size(); ++i)
    if (ulp > ulp_marks[i] && (!is_somewhere(found.first_past[i]) || where.order < found.first_past[i].order))
      found.first_past[i] = where;
}

template <floating_format Float>
void compare_floats(findings& found, const std::byte* theirs, const std::byte* ours,
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

/// Fractions of a turn: an ulp is 2^-128 turns, and the distance goes the short way round.
void compare_turns(findings& found, const std::byte* theirs, const std::byte* ours,
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

/// Whole numbers: their distance stands for ulps.
void compare_whole(findings& found, const std::byte* theirs, const std::byte* ours,
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

using compare_entry = void (*)(findings&, const std::byte*, const std::byte*, const entry_place&);

compare_entry comparer_of(table_dtype dtype) {
  switch (dtype) {
    case table_dtype::f64: return compare_floats<double>;
    case table_dtype::f32: return compare_floats<float>;
    case table_dtype::f16: return compare_floats<binary16>;
    case table_dtype::bf16: return compare_floats<bfloat16>;
    case table_dtype::i32: return compare_whole;
    case table_dtype::u32: break;
  }
  return compare_turns;
}

findings compare_rows(const comparison& wanted, const table_content& content, const table_rows& rows,
                      input::npy_file& file) {
  // An entry of the turns is all four words of its row.
  const std::int64_t entries_a_row = content.about().elements == table_elements::turns ? 1 : rows.columns();
  const std::size_t entry_bytes = rows.row_bytes() / static_cast<std::size_t>(entries_a_row);
  const compare_entry compare_one = comparer_of(wanted.dtype);
  const auto recipes = content.watch_recipes(wanted.dtype);
  std::vector<std::vector<std::byte>> ours(static_cast<std::size_t>(wanted.threads));
  std::vector<std::byte> theirs;
  findings found;
  output::progress_bar progress("table", static_cast<std::uint64_t>(rows.rows()), wanted.quiet);
  in_order(
      rows.rows(), content.about().rows_a_piece, wanted.threads, progress,
      [&](row_run run, int slot) {
        auto& made = ours[static_cast<std::size_t>(slot)];
        made.resize(static_cast<std::size_t>(run.count) * rows.row_bytes());
        rows.fill(run.first, run.count, made.data());
      },
      [&](row_run run, int slot) {
        const auto& made = ours[static_cast<std::size_t>(slot)];
        theirs.resize(made.size());
        file.read(theirs);
        std::size_t at = 0;
        for (std::int64_t row = run.first; row < run.first + run.count; ++row) {
          if (recipes) recipes->look(row, theirs.data() + at);
          const std::int64_t order = content.order_of(row);
          for (std::int64_t column = 0; column < entries_a_row; ++column, at += entry_bytes)
            compare_one(found, theirs.data() + at, made.data() + at, {row, column, order});
        }
      });
  file.require_end();
  if (recipes) found.recipes = recipes->names();
  return found;
}

/// Names of places, in words: "position 7, pair 1, sin"; and as a record.
class place_names {
 public:
  explicit place_names(const table_content& content) : content_(content) {}

  std::string text(const entry_place& place) const {
    std::string text;
    for (const coordinate& one : content_.entry_at(place.row, place.column))
      text += (text.empty() ? "" : ", ") + (one.is_word ? "" : one.name + " ") + one.value;
    return text;
  }

  input::json record(const entry_place& place) const {
    if (!is_somewhere(place)) return nullptr;
    input::json record;
    for (const coordinate& one : content_.entry_at(place.row, place.column))
      record[one.name] = one.is_word ? input::json(one.value) : input::json::parse(one.value);
    return record;
  }

 private:
  const table_content& content_;
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
  input::json record = {{"entries", found.entries},
                        {"correctly_rounded", found.entries - found.different},
                        {"not_a_number", found.not_numbers},
                        {"largest_error",
                         {{"ulp", is_counted(found) ? input::json(found.largest_ulp) : input::json()},
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

std::string descrs_of(table_elements elements) {
  switch (elements) {
    case table_elements::turns: return "descr <u4";
    case table_elements::whole: return "descr <i4";
    case table_elements::complex: return "descr <c8 or <c16";
    case table_elements::real: break;
  }
  return "descr <f8, <f4, <f2, or <u2 for bfloat16 bits";
}

}  // namespace

table_dtype dtype_of_file(const input::npy_file& file, table_elements elements,
                          const std::string& dtype_name) {
  for (const table_dtype_text& text : table_dtypes) {
    if (!has_dtype(elements, text.dtype) || array_dtype(elements, text.dtype) != file.header().dtype)
      continue;
    if (!dtype_name.empty() && dtype_name != text.name)
      throw bad_input("dtype", dtype_name,
                      std::string(text.name) + ", as " + printable(file.file().path()) + " holds");
    return text.dtype;
  }
  file.file().refuse("descr " + std::string(descr_of(file.header().dtype)), descrs_of(elements));
}

exit_code compare(const comparison& wanted, const table_content& content, input::npy_file& file) {
  const std::vector<std::int64_t>& shape = content.about().shape;
  if (file.header().shape != shape)
    file.file().refuse("shape " + shape_text(file.header().shape),
                       "shape " + shape_text(shape) + ", the table's");
  const findings found = compare_rows(wanted, content, *content.make_rows(wanted.dtype), file);
  const place_names names(content);
  wanted.as_json ? print_json(found, names) : print_text(found, names);
  return found.is_canonical() ? exit_code::holds : exit_code::fails;
}

}  // namespace ropewalk::command
