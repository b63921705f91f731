#pragma once
// What a sweep checks: tables, formats and positions; and the units of work that it falls into.

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.hpp"
#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk::sweep {

/// One table: the numbers that decide every entry of it, whatever model they come from.
struct swept_table {
  std::string identity;             // of the turns of all pairs and the attention factor
  std::vector<std::string> models;  // that have this table, in alphabetical order
  ropewalk::model::model model{};   // the first of them
  int pairs = 0;
  position_range positions{};  // that are checked
};

/// A name of the numbers that decide a table's entries: 32 hexadecimal digits over the 256-bit turns of its
/// pairs and the attention factor.
std::string table_identity(const placed_rope& config);

/// Every model of the catalogue, twice where it has two tables: the second is that of sliding layers.
std::vector<model::model> catalogue_models();

/// The model at the typed sequence length or, if that is empty, at the length of its context.
///
/// throws  bad_input naming seq-len
model::model at_own_context(model::model model, const std::string& seq_len = "");

/// The same for what a kernel or a recipe is given: the table's identity, the layout and the configuration.
std::string given_identity(const model::model& model);

/// The tables of some models at positions(model), those of one identity once, in the order of their first
/// model.
std::vector<swept_table> tables_of(
    const std::vector<model::model>& models,
    const std::function<position_range(const model::model&)>& positions,
    const std::function<std::string(const model::model&)>& identity = [](const model::model& read_model) {
      return table_identity(model::placed(read_model));
    });

/// A set of entries, all of which are checked.
struct work_range {
  std::string subject;  // what is checked: "table", or the value of the option that names it
  std::string content;  // digest of the file that is checked; empty for what the program itself computes
  std::vector<swept_table> tables;
  std::vector<ropewalk_dtype> dtypes;  // ascending
  std::int64_t entries_at_once = 0;    // pairs x positions of a unit, at most
};

/// One unit of work: some positions of a table, in formats that one pass serves.
struct unit {
  std::size_t table = 0;  // index in the range of work
  std::vector<ropewalk_dtype> dtypes;
  position_range positions{};
};

/// A range of work as JSON: what a directory of results says of itself. Equal ranges of work give equal text.
nlohmann::json to_json(const work_range& range);
/// The range of work of such JSON, whose tables have no model.
///
/// throws  std::exception if it is not what to_json gives
work_range work_range_from_json(const nlohmann::json& json);

/// Positions as [BEGIN, END].
///
/// throws  std::exception if they are none
position_range positions_in(const nlohmann::json& json);

/// "TABLE/f32,f16/0:64/0:33554432": table's identity, formats, pairs and positions.
std::string name_of(const unit& unit, const work_range& range);

/// All units of a range of work, in their order: table by table, by formats, by positions. A unit begins at a
/// multiple of its size, so that ranges of work which overlap share units; a small range of work has 64 units
/// at least, if that gives each 4096 positions.
class units_of_range {
 public:
  explicit units_of_range(const work_range& range);

  std::int64_t count() const { return count_; }
  /// domain  0 <= index < count()
  unit at(std::int64_t index) const;
  /// The indexes of the units with a name, ascending: several if the range of work has a table at several
  /// ranges of positions, none if it has no such unit.
  std::vector<std::int64_t> indexes_of(std::string_view name) const;
  /// Whether no earlier unit has the name of this one: only such units are done.
  bool is_first(std::int64_t index) const { return indexes_of(name_of(at(index), *range_)).front() == index; }

 private:
  struct run {
    std::size_t table;
    std::vector<ropewalk_dtype> dtypes;
    std::int64_t positions;  // of a whole unit
    std::int64_t first;      // index of its first unit
    std::int64_t count;
  };
  const run& run_of(std::int64_t index) const;

  const work_range* range_;
  std::vector<run> runs_;
  std::int64_t count_ = 0;
};

}  // namespace ropewalk::sweep
