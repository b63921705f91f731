#pragma once
// Interface of a table of any encoding: its shape, its names, and its numbers in any format or as digits.
// Files, labels, records and comparisons use only this interface; each encoding implements it in
// ENCODING_table.cpp.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "export/array_law.hpp"
#include "export/array_layout.hpp"
#include "export/row_positions.hpp"
#include "export/table_kind.hpp"
#include "export/table_rows.hpp"
#include "input/json_text.hpp"
#include "input/positions.hpp"
#include "model/model.hpp"
#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/query_scale.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/config/t5_bias.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::output {

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
  std::int64_t columns = 0;       // numbers per row: a complex number is two, a turn is four words
  std::int64_t rows_a_piece = 1;  // rows that are enough work for one thread
};

/// One coordinate of a row or an entry: a number, or a word such as "sin".
struct coordinate {
  std::string name;
  std::string value;
  bool is_word = false;
};

using coordinates = std::vector<coordinate>;

/// Reads the rows of a given array, in any order, and tracks the recipes that reproduce its bits.
class recipe_watch {
 public:
  recipe_watch() = default;
  virtual ~recipe_watch() = default;
  recipe_watch(const recipe_watch&) = delete;
  recipe_watch& operator=(const recipe_watch&) = delete;

  /// Looks at consecutive rows; several threads may look at once.
  virtual void look(std::int64_t first, std::int64_t count, const std::byte* entries) = 0;
  virtual std::vector<std::string> names() const = 0;
};

/// An entry by its row and column.
struct entry_place {
  std::int64_t row = -1;
  std::int64_t column = 0;
  std::int64_t order = 0;  // of its row: the smallest is the first place
};

inline constexpr entry_place nowhere{};

constexpr bool is_somewhere(const entry_place& place) { return place.row >= 0; }

/// A promise, the first entry of a given array that breaks it (nowhere if it is kept), and the largest
/// observed / bound up to that entry. Correctly rounded rows are not measured.
struct tried_promise {
  promise value{};
  entry_place broken_at = nowhere;
  double worst = 0;        // an upper bound of the ratio; at most 1 while the promise is kept
  double worst_bound = 0;  // the bound there, relative to the attention factor or the frequency
};

/// The entries for which a promise decides nothing: zero in their place would keep it.
struct vacuous_entries {
  std::int64_t count = 0;
  std::optional<std::int64_t> some_from{};   // the first position at which a pair has such entries
  std::optional<std::int64_t> every_from{};  // the first at which every pair has
};

/// Reads the rows of a given array one by one and holds them to the bounds of promises.
class promise_watch {
 public:
  promise_watch() = default;
  virtual ~promise_watch() = default;
  promise_watch(const promise_watch&) = delete;
  promise_watch& operator=(const promise_watch&) = delete;

  /// `rounded` are the row's correctly rounded entries in the array's dtype; nearest() gives them in
  /// binary64.
  virtual void look(std::int64_t row, const std::byte* entries, const std::byte* rounded,
                    const std::function<const std::byte*()>& nearest) = 0;
  virtual std::vector<tried_promise> found() const = 0;
  /// Of the promise that was asked for.
  virtual vacuous_entries vacuous() const = 0;
};

/// Text of an infinity among decimal digits.
inline constexpr std::string_view infinite_digits = "inf";

/// Numbers of queries and keys. The last query has the position of the last key.
struct bias_extent {
  std::int64_t queries = 1;
  std::int64_t keys = 1;

  std::int64_t position_of(std::int64_t query) const { return keys - queries + query; }
};

/// What a table's numbers are of, for what explains wrong arrays of it.
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
using table_content = std::variant<std::monostate, rotary_content, pooled_content, sinusoidal_content,
                                   slope_content, bias_content, bucket_content, query_scale_content>;

class table {
 public:
  explicit table(table_description about) : about_(std::move(about)) {}
  virtual ~table() = default;
  table(const table&) = delete;
  table& operator=(const table&) = delete;

  const table_description& about() const { return about_; }

  /// Coordinates of a row, for text formats; every row has the same names.
  virtual coordinates row_at(std::int64_t row) const = 0;

  /// Name of a column in text formats, where a row has more than one number.
  virtual std::string column_name(std::int64_t column) const = 0;

  /// Coordinates of an entry, for comparisons.
  virtual coordinates entry_at(std::int64_t row, std::int64_t column) const = 0;

  /// Sort key of a row in the search for the first entry past a bound: lower keys come first.
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

  /// Compares an array with the known recipes of this table; null if it has none.
  virtual std::unique_ptr<recipe_watch> watch_recipes(table_dtype) const { return nullptr; }

  /// Whether promises bound the errors of this table's entries.
  virtual bool has_promises() const { return false; }

  /// A promise that was asked for as promise_watch and array_laws take it, with the format of its entries in
  /// the part `table`.
  ///
  /// throws  bad_input naming promise and `text`, as it was typed, where a part is not of this table
  virtual promise promise_of_entries(const promise& promised, const std::string& text) const;

  /// A promise of promise_of_entries as the command line takes it.
  virtual std::string name_of_promise(const promise& promised) const {
    return name_of(promised, ROPEWALK_ROTATE);
  }

  /// What the numbers are of; std::monostate for kinds of which no mistakes are known.
  virtual table_content content() const { return {}; }

  /// The laws of this kind that an array keeps or breaks, beside the errors of its entries.
  virtual std::vector<array_law> array_laws(table_dtype, const promise& /*asked*/) const { return {}; }

  /// Holds an array to the named promises and to `asked`; null unless has_promises().
  virtual std::unique_ptr<promise_watch> watch_promises(table_dtype, const promise& /*asked*/) const {
    return nullptr;
  }

 private:
  table_description about_;
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

}  // namespace ropewalk::output
