#include "sweep/work_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "input/number.hpp"
#include "input/positions.hpp"
#include "model/layers.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "sweep/digest.hpp"
#include "sweep/whole_number.hpp"

namespace ropewalk::sweep {
namespace {

constexpr std::int64_t fewest_units = 64;
constexpr std::int64_t fewest_positions = 4096;               // per unit, unless the range of work has fewer
constexpr std::int64_t most_at_once = std::int64_t{1} << 40;  // pairs x positions
constexpr std::size_t most_tables = 4096;                     // all models together have about 80

/// Formats grouped by pass: binary64 alone, all others together.
std::vector<std::vector<ropewalk_dtype>> passes(const std::vector<ropewalk_dtype>& dtypes) {
  std::vector<std::vector<ropewalk_dtype>> passes;
  std::vector<ropewalk_dtype> narrow;
  for (const ropewalk_dtype dtype : dtypes)
    if (dtype == ROPEWALK_F64)
      passes.push_back({dtype});
    else
      narrow.push_back(dtype);
  if (!narrow.empty()) passes.push_back(narrow);
  return passes;
}

/// The largest power of two not above `limit`, which is positive.
std::int64_t power_of_two_below(std::int64_t limit) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(limit)));
}

std::int64_t rounded_down(std::int64_t position, std::int64_t multiple) {  // multiple: a power of two
  return position & -multiple;
}

std::string joined(const std::vector<ropewalk_dtype>& dtypes) {
  std::string text;
  for (const ropewalk_dtype dtype : dtypes)
    text += (text.empty() ? "" : ",") + std::string(ropewalk::name_of(dtype));
  return text;
}

void append_bytes(std::string& to, const void* from, std::size_t size) {
  to.append(static_cast<const char*>(from), size);
}

}  // namespace

std::string table_identity(const placed_rope& config) {
  const resolved_encoding resolved(config, {.head_dim = config.encoding.rotary_dim});
  const ropewalk_rotation& numbers = resolved.view();
  std::string bytes;
  // Words are in little-endian order, the only one supported.
  append_bytes(bytes, numbers.turns_256,
               sizeof(std::uint32_t) * 8 * static_cast<std::size_t>(pair_count(config.encoding)));
  append_bytes(bytes, numbers.attention_real.significand, sizeof(numbers.attention_real.significand));
  append_bytes(bytes, &numbers.attention_real.exponent, sizeof(numbers.attention_real.exponent));
  return digest_of(bytes);
}

std::string given_identity(const model::model& read_model) {
  const head_layout& layout = read_model.layout;
  return digest_of(fmt::format("{} {} {} {} {} {}", table_identity(model::placed(read_model)),
                               read_model.encoding.rotary_dim, layout.head_dim, name_of(layout.pairing_in),
                               name_of(layout.pairing_out), read_model.config) +
                   (layout.rotary_begin == 0 ? "" : fmt::format(" {}", layout.rotary_begin)));
}

std::vector<model::model> catalogue_models() {
  std::vector<model::model> all;
  for (const std::string& name : model::catalogue_names()) {
    for (model::model& table : model::plan_of(model::catalogue_model(name)).tables)
      all.push_back(std::move(table));
  }
  return all;
}

model::model at_own_context(model::model model, const std::string& seq_len) {
  const std::int64_t context =
      model.max_position_embeddings > 0 ? model.max_position_embeddings : input::default_positions;
  return at_seq_len(std::move(model), seq_len, {context, "the model's context"});
}

std::vector<swept_table> tables_of(const std::vector<model::model>& models,
                                   const std::function<position_range(const model::model&)>& positions,
                                   const std::function<std::string(const model::model&)>& identity_of) {
  std::vector<swept_table> tables;
  for (const model::model& read_model : models) {
    const std::string identity = identity_of(read_model);
    const position_range where = positions(read_model);
    auto same = std::find_if(tables.begin(), tables.end(), [&](const swept_table& table) {
      return table.identity == identity && table.positions == where;
    });
    if (same == tables.end())
      same = tables.insert(tables.end(), {identity, {}, read_model, pair_count(read_model.encoding), where});
    const bool is_sliding = read_model.layer_type == "sliding_attention";
    const std::string name = model::recorded_name(read_model) + (is_sliding ? " (sliding)" : "");
    const auto place = std::lower_bound(same->models.begin(), same->models.end(), name);
    if (place == same->models.end() || *place != name) same->models.insert(place, name);
  }
  return tables;
}

nlohmann::json to_json(const work_range& range) {
  nlohmann::json tables = nlohmann::json::array();
  for (const swept_table& table : range.tables)
    tables.push_back({{"table", table.identity},
                      {"pairs", table.pairs},
                      {"models", table.models},
                      {"positions", {table.positions.begin, table.positions.end}}});
  std::vector<std::string> dtypes;
  for (const ropewalk_dtype dtype : range.dtypes) dtypes.emplace_back(ropewalk::name_of(dtype));
  return {{"subject", range.subject},
          {"content", range.content},
          {"tables", tables},
          {"dtypes", dtypes},
          {"entries_at_once", range.entries_at_once}};
}

position_range positions_in(const nlohmann::json& json) {
  constexpr std::int64_t end = std::int64_t{largest_position} + 1;
  const position_range positions{whole_number(json.at(0), smallest_position, largest_position),
                                 whole_number(json.at(1), smallest_position, end)};
  validate(positions);
  return positions;
}

work_range work_range_from_json(const nlohmann::json& json) {
  work_range range;
  json.at("subject").get_to(range.subject);
  json.at("content").get_to(range.content);
  range.entries_at_once = whole_number(json.at("entries_at_once"), 1, most_at_once);
  if (json.at("dtypes").size() > all_dtypes.size()) throw std::invalid_argument("too many formats");
  for (const nlohmann::json& name : json.at("dtypes")) {
    const auto dtype = dtype_named(name.get<std::string>());
    if (!dtype) throw std::invalid_argument("unknown dtype");
    range.dtypes.push_back(*dtype);
  }
  if (json.at("tables").size() > most_tables) throw std::invalid_argument("too many tables");
  for (const nlohmann::json& table : json.at("tables")) {
    range.tables.push_back({table.at("table").get<std::string>(),
                            table.at("models").get<std::vector<std::string>>(),
                            {},
                            static_cast<int>(whole_number(table.at("pairs"), 1, largest_head_dim / 2)),
                            positions_in(table.at("positions"))});
    if (range.tables.back().models.empty()) throw std::invalid_argument("a table of no model");
  }
  if (range.tables.empty() || range.dtypes.empty()) throw std::invalid_argument("an empty range of work");
  return range;
}

std::string name_of(const unit& unit, const work_range& range) {
  const swept_table& table = range.tables[unit.table];
  return table.identity + "/" + joined(unit.dtypes) + "/0:" + std::to_string(table.pairs) + "/" +
         std::to_string(unit.positions.begin) + ":" + std::to_string(unit.positions.end);
}

units_of_range::units_of_range(const work_range& range) : range_(&range) {
  for (std::size_t table = 0; table < range.tables.size(); ++table) {
    const swept_table& swept = range.tables[table];
    const std::int64_t shared =
        power_of_two_below(std::max(size(swept.positions) / fewest_units, fewest_positions));
    for (std::vector<ropewalk_dtype>& dtypes : passes(range.dtypes)) {
      const std::int64_t most = std::max<std::int64_t>(1, range.entries_at_once / swept.pairs);
      const std::int64_t at_once = std::min(shared, power_of_two_below(most));
      const std::int64_t begin = rounded_down(swept.positions.begin, at_once);
      const std::int64_t units = (swept.positions.end - begin + at_once - 1) / at_once;
      runs_.push_back({table, std::move(dtypes), at_once, count_, units});
      count_ += units;
    }
  }
}

const units_of_range::run& units_of_range::run_of(std::int64_t index) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), index,
                                      [](std::int64_t at, const run& stretch) { return at < stretch.first; });
  return *std::prev(after);
}

unit units_of_range::at(std::int64_t index) const {
  const run& stretch = run_of(index);
  const position_range all = range_->tables[stretch.table].positions;
  const std::int64_t begin =
      rounded_down(all.begin, stretch.positions) + (index - stretch.first) * stretch.positions;
  return {stretch.table,
          stretch.dtypes,
          {std::max(begin, all.begin), std::min(begin + stretch.positions, all.end)}};
}

std::vector<std::int64_t> units_of_range::indexes_of(std::string_view name) const {
  std::vector<std::int64_t> indexes;
  const std::size_t last = name.rfind('/'), colon = name.rfind(':');
  if (last == std::string_view::npos || colon == std::string_view::npos || colon < last) return indexes;
  const auto begin = input::number_from<std::int64_t>(name.substr(last + 1, colon - last - 1));
  if (!begin) return indexes;
  for (const run& stretch : runs_) {
    const position_range positions = range_->tables[stretch.table].positions;
    if (!name.starts_with(range_->tables[stretch.table].identity) || *begin < positions.begin ||
        *begin >= positions.end)
      continue;
    const std::int64_t first = rounded_down(positions.begin, stretch.positions);
    const std::int64_t index =
        stretch.first + (rounded_down(*begin, stretch.positions) - first) / stretch.positions;
    if (index >= stretch.first && index < stretch.first + stretch.count &&
        name_of(at(index), *range_) == name)
      indexes.push_back(index);
  }
  return indexes;
}

}  // namespace ropewalk::sweep
