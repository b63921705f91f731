#pragma once
// The work of a sweep: tables, formats and positions, split into units.

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

/// One table: the numbers that determine all its entries, in any model.
struct swept_table {
  std::string identity;             // hash of the turns of all pairs and the attention factor
  std::vector<std::string> models;  // models with this table, in alphabetical order
  ropewalk::model::model model{};   // the first of these models
  int pairs = 0;
  position_range positions{};  // positions to check
};

/// The identity of a table: 32 hexadecimal digits of a hash of the 256-bit turns of its pairs and the
/// attention factor.
std::string table_identity(const placed_rope& config);

/// Every model of the catalogue; a model with two tables appears twice, the second time for sliding layers.
std::vector<model::model> catalogue_models();

/// The model at the typed sequence length or, if that is empty, at the length of its context.
///
/// throws  bad_input naming seq-len
model::model at_own_context(model::model model, const std::string& seq_len = "");

/// The identity of a kernel's or recipe's inputs: the table's identity, the layout and the configuration.
std::string given_identity(const model::model& model);

/// The tables of some models at positions(model). Tables with equal identity appear once, in the order of
/// their first model.
std::vector<swept_table> tables_of(
    const std::vector<model::model>& models,
    const std::function<position_range(const model::model&)>& positions,
    const std::function<std::string(const model::model&)>& identity = [](const model::model& read_model) {
      return table_identity(model::placed(read_model));
    });

/// A set of entries to check.
struct work_range {
  std::string subject;  // "table", or the value of the option that names the subject
  std::string content;  // digest of the checked file; empty if the program computes the entries
  std::vector<swept_table> tables;
  std::vector<ropewalk_dtype> dtypes;  // ascending
  std::int64_t entries_at_once = 0;    // largest pairs x positions of a unit
};

/// One unit of work: some positions of a table, in formats that share a pass.
struct unit {
  std::size_t table = 0;  // index in the range of work
  std::vector<ropewalk_dtype> dtypes;
  position_range positions{};
};

/// A range of work as JSON, for sweep.json. Equal ranges of work give equal text.
nlohmann::json to_json(const work_range& range);
/// The range of work in such JSON; its tables have no model.
///
/// throws  std::exception if the JSON is not from to_json
work_range work_range_from_json(const nlohmann::json& json);

/// Positions as [BEGIN, END].
///
/// throws  std::exception if the JSON is no such list
position_range positions_in(const nlohmann::json& json);

/// "TABLE/f32,f16/0:64/0:33554432": the table's identity, formats, pairs and positions.
std::string name_of(const unit& unit, const work_range& range);

/// All units of a range of work, in order: by table, by formats, by positions. A unit begins at a multiple of
/// its size, so that overlapping ranges of work share units. A small range of work has at least 64 units if
/// each then has 4096 positions.
class units_of_range {
 public:
  explicit units_of_range(const work_range& range);

  std::int64_t count() const { return count_; }
  /// domain  0 <= index < count()
  unit at(std::int64_t index) const;
  /// The indexes of the units with a name, ascending. There are several if the range of work has a table at
  /// several ranges of positions, none if it has no such unit.
  std::vector<std::int64_t> indexes_of(std::string_view name) const;
  /// Whether this is the first unit with its name. Only such units are done.
  bool is_first(std::int64_t index) const { return indexes_of(name_of(at(index), *range_)).front() == index; }

 private:
  struct run {
    std::size_t table;
    std::vector<ropewalk_dtype> dtypes;
    std::int64_t positions;  // positions of a whole unit
    std::int64_t first;      // index of its first unit
    std::int64_t count;
  };
  const run& run_of(std::int64_t index) const;

  const work_range* range_;
  std::vector<run> runs_;
  std::int64_t count_ = 0;
};

}  // namespace ropewalk::sweep
