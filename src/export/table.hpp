#pragma once
// Interface of a table of any encoding: its shape, its names, and its numbers in any format or as digits.
// Files, labels, records and comparisons use only this interface; each encoding implements it in
// ENCODING_table.cpp. Arrays that should be the table are judged by its content().

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "export/array_layout.hpp"
#include "export/row_positions.hpp"
#include "export/table_kind.hpp"
#include "export/table_rows.hpp"
#include "input/json_text.hpp"
#include "input/positions.hpp"
#include "model/model.hpp"
#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/index_code.hpp"
#include "ropewalk/config/query_scale.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/config/t5_bias.hpp"

namespace ropewalk::tables {

/// Type of one element: a number, a complex number, a fraction of a turn in four words, or an integer.
enum class table_elements { real, complex, turns, whole };

/// Elements that are copied and not computed: their dtype, and the array that holds them.
struct stored_elements {
  table_dtype dtype{};
  std::string place{};  // FILE or FILE#NAME
};

struct table_description {
  std::string name;   // name of the kind on the command line
  std::string array;  // name of the array in outputs
  std::string axes;   // the shape in words
  std::string units;
  std::string convention;
  std::string rounding = "to nearest, ties to even, once from the exact value";
  table_elements elements = table_elements::real;
  std::optional<stored_elements> stored{};  // nullopt: computed, in any dtype that has_dtype allows
  std::vector<std::int64_t> shape{};        // of the array in a file
  std::int64_t rows = 0;
  std::int64_t columns = 0;         // numbers per row: a complex number is two, a turn is four words
  std::int64_t rows_per_piece = 1;  // rows that are enough work for one thread
};

/// One coordinate of a row or an entry: a number, or a word such as "sin".
struct coordinate {
  std::string name;
  std::string value;
  bool is_word = false;
};

using coordinates = std::vector<coordinate>;

/// Text of an infinity among decimal digits.
inline constexpr std::string_view infinite_digits = "inf";

/// Numbers of queries and keys. The last query has the position of the last key.
struct bias_extent {
  std::int64_t queries = 1;
  std::int64_t keys = 1;

  std::int64_t position_of(std::int64_t query) const { return keys - queries + query; }
};

/// The encoding and the positions of a table's numbers.
struct rotary_content {
  array_layout layout{};
  model::model model{};
  row_positions positions;  // of kinds with positions
};
struct pooled_content {  // averaged over the windows of the model's tokens
  array_layout layout{};
  model::model model{};
  row_positions positions;
};
struct sinusoidal_content {
  sinusoidal config{};
  input::position_list positions{};
};
struct slope_content {
  alibi config{};
};
struct bias_content {
  alibi config{};
  bias_extent extent{};
};
struct bucket_content {
  t5_bias config{};
  std::int64_t max_relative = 0;
};
struct query_scale_content {
  query_scale config{};
  input::position_list positions{};
};
struct index_code_content {
  index_code config{};
  input::position_list positions{};
};
/// std::monostate: a kind without known laws or mistakes.
using table_content =
    std::variant<std::monostate, rotary_content, pooled_content, sinusoidal_content, slope_content,
                 bias_content, bucket_content, query_scale_content, index_code_content>;

/// Rows and columns of rotary numbers.
inline array_grid grid_of(const rotary_content& content) {
  return {content.layout, pair_count(content.model.encoding), content.positions.rows()};
}
inline array_grid grid_of(const pooled_content& content) {
  return {content.layout, pair_count(content.model.encoding), content.positions.rows()};
}

/// The embedding, on the axes that the table has positions on.
inline placed_rope placed(const rotary_content& content) {
  return content.positions.is_on_axes() ? model::placed(content.model) : placed_rope{content.model.encoding};
}

class table {
 public:
  explicit table(table_description about, table_content content = {})
      : about_(std::move(about)), content_(std::move(content)) {}
  virtual ~table() = default;
  table(const table&) = delete;
  table& operator=(const table&) = delete;

  const table_description& about() const { return about_; }
  const table_content& content() const { return content_; }

  /// Coordinates of a row, for text formats; every row has the same names.
  virtual coordinates row_at(std::int64_t row) const = 0;

  /// Name of a column in text formats, where a row has more than one number.
  virtual std::string column_name(std::int64_t column) const = 0;

  /// Coordinates of an entry.
  virtual coordinates entry_at(std::int64_t row, std::int64_t column) const = 0;

  /// Sort key of a row: the order of positions.
  virtual std::int64_t order_of(std::int64_t row) const { return row; }

  /// Adds the encoding and the positions, which determine the numbers, to the record.
  virtual void put(input::json& record) const = 0;

  /// The rows in a dtype that has_dtype allows.
  ///
  /// throws  std::invalid_argument naming the field and its value; undecided at the cap of precision
  virtual std::unique_ptr<table_rows> make_rows(table_dtype dtype) const = 0;

  /// Correctly rounded significant digits of every entry of a row, from the high-precision reference.
  ///
  /// throws  std::invalid_argument naming digits; std::runtime_error when the digits are undecided
  virtual std::vector<std::string> row_of_digits(std::int64_t row, int digits) const = 0;

 private:
  table_description about_;
  table_content content_;
};

/// Whether a table of such elements can have this dtype.
bool has_dtype(table_elements elements, table_dtype dtype);

/// NumPy's type of such elements.
npy_dtype array_dtype(table_elements elements, table_dtype dtype);

/// The shape in single numbers, for formats without complex numbers: each becomes a last axis of 2.
std::vector<std::int64_t> shape_of_numbers(const table_description& about);

/// Coordinates in words: "position 7, pair 1, sin".
std::string text_of(const coordinates& coordinates);

/// Names of coordinates, and their values as text.
std::vector<std::string> names_of(const coordinates& coordinates);
std::vector<std::string> values_of(const coordinates& coordinates);

/// Names of the dtypes of such elements, for messages.
std::string dtype_names(table_elements elements);

}  // namespace ropewalk::tables
