#pragma once
// What a table is, whatever it is of: shape, names, numbers in any format or in digits. Files, labels, records
// and comparisons know a table by this alone; each encoding has its own in ENCODING_table.cpp.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "export/table_kind.hpp"
#include "export/table_rows.hpp"
#include "input/json_text.hpp"

namespace ropewalk::output {

/// What one element is: a number, two of them, a fraction of a turn in four words, or an integer.
enum class table_elements { real, complex, turns, whole };

struct table_description {
  std::string name;   // of the kind, on the command line
  std::string array;  // in outputs
  std::string axes;   // the shape in words
  std::string units;
  std::string convention;
  std::string rounding = "to nearest, ties to even, once from the exact value";
  table_elements elements = table_elements::real;
  std::vector<std::int64_t> shape{};  // of the array in a file
  std::int64_t rows = 0;
  std::int64_t columns = 0;       // numbers a row: a complex one is two, a fraction of a turn four
  std::int64_t rows_a_piece = 1;  // a piece of work worth a thread
};

/// One of the numbers that say where a row or an entry stands, or a word that does.
struct coordinate {
  std::string name;
  std::string value;
  bool is_word = false;
};

using coordinates = std::vector<coordinate>;

/// Looks at the rows of somebody's array one after the other, and knows which recipes give these very bits.
class recipe_watch {
 public:
  recipe_watch() = default;
  virtual ~recipe_watch() = default;
  recipe_watch(const recipe_watch&) = delete;
  recipe_watch& operator=(const recipe_watch&) = delete;

  virtual void look(std::int64_t row, const std::byte* entries) = 0;
  virtual std::vector<std::string> names() const = 0;
};

/// Digits of what is beyond every number.
inline constexpr std::string_view infinite_digits = "inf";

class table {
 public:
  explicit table(table_description about) : about_(std::move(about)) {}
  virtual ~table() = default;
  table(const table&) = delete;
  table& operator=(const table&) = delete;

  const table_description& about() const { return about_; }

  /// Where a row stands in the table, in text formats, the same names for every row.
  virtual coordinates row_at(std::int64_t row) const = 0;

  /// What a column is called in text formats, where a row has more than one number.
  virtual std::string column_name(std::int64_t column) const = 0;

  /// Where an entry stands, in comparisons.
  virtual coordinates entry_at(std::int64_t row, std::int64_t column) const = 0;

  /// Rows of smaller numbers come first where the first entry past a bound is looked for.
  virtual std::int64_t order_of(std::int64_t row) const { return row; }

  /// Adds what decides the numbers: the encoding, the positions.
  virtual void put(input::json& record) const = 0;

  /// The rows in a format that the table has.
  ///
  /// throws  std::invalid_argument naming the field and its value; undecided at the cap of precision
  virtual std::unique_ptr<table_rows> make_rows(table_dtype dtype) const = 0;

  /// Correctly rounded significant digits of every entry of a row, from the high-precision reference.
  ///
  /// throws  std::invalid_argument naming digits; std::runtime_error when the digits are undecided
  virtual std::vector<std::string> row_of_digits(std::int64_t row, int digits) const = 0;

  /// Null where no recipe is known.
  virtual std::unique_ptr<recipe_watch> watch_recipes(table_dtype) const { return nullptr; }

 private:
  table_description about_;
};

/// Whether a table of such elements is made in that format.
bool has_dtype(table_elements elements, table_dtype dtype);

/// How an array file spells them.
npy_dtype array_dtype(table_elements elements, table_dtype dtype);

/// The shape in single numbers, for formats without complex ones: a last axis of 2.
std::vector<std::int64_t> shape_of_numbers(const table_description& about);

/// The text of a row's coordinates, and their names.
std::vector<std::string> names_of(const coordinates& of);
std::vector<std::string> values_of(const coordinates& of);

/// The dtypes of such elements, as a refusal lists them.
std::string dtype_names(table_elements elements);

}  // namespace ropewalk::output
