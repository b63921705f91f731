#include "array/table_promises.hpp"

#include <cmath>
#include <variant>

#include "input/bad_input.hpp"

namespace ropewalk::array {
namespace {

// ---- rotary numbers ----

bool are_bounded(const tables::rotary_content& content) {
  return content.layout.kind == tables::table_kind::inv_freq || has_positions(content.layout);
}

searched_grid searched(const tables::rotary_content& content) {
  const tables::array_grid grid = grid_of(content);
  const tables::row_positions& positions = content.positions;
  searched_grid searched{grid.rows(), grid.columns(), grid.pairs(), has_positions(content.layout)};
  searched.positions = positions.rows();
  searched.at = [grid](std::int64_t row, std::int64_t column) { return grid.at(row, column); };
  searched.axes = positions.axes();
  searched.axis_of = [&positions](int pair) { return positions.axis_of(pair); };
  searched.size_of = [&positions](std::int64_t row, int axis) { return std::abs(positions.at(row, axis)); };
  return searched;
}

entry_bounds bounds_of(const tables::rotary_content& content, tables::table_dtype dtype) {
  return {placed(content), dtype, has_positions(content.layout)};
}

// ---- sinusoids ----

constexpr double largest_bounded_row = 0x1p31;  // of sinusoid_bound

/// The row of a position without its sign, rounded up: the angle is the row times the frequency.
double row_size(const tables::sinusoidal_content& content, std::int64_t position_row) {
  const double position = content.positions.number_at(position_row);
  const double row = std::abs(position + static_cast<double>(row_offset(content.config)));
  return content.positions.is_real() && content.config.padding_idx ? ropewalk::detail::above(row) : row;
}

bool are_bounded(const tables::sinusoidal_content& content) {
  for (std::int64_t row = 0; row < content.positions.size(); ++row)
    if (row_size(content, row) > largest_bounded_row) return false;
  return true;
}

searched_grid searched(const tables::sinusoidal_content& content) {
  const sinusoidal& config = content.config;
  searched_grid grid{content.positions.size(), config.d_model, pair_count(config)};
  grid.has_zeros = config.d_model % 2 != 0;
  grid.positions = content.positions.size();
  grid.at = [config](std::int64_t row, std::int64_t column) {
    const sinusoidal_channel channel = content_of(static_cast<int>(column), config);
    return channel.holds == wave::zero ? tables::array_place{row, searched_grid::no_pair}
                                       : tables::array_place{row, channel.pair, channel.holds == wave::sine};
  };
  grid.size_of = [&content](std::int64_t row, int /*axis*/) { return row_size(content, row); };
  return grid;
}

entry_bounds bounds_of(const tables::sinusoidal_content& content, tables::table_dtype dtype) {
  return {content.config, dtype};
}

bool is_sinusoidal(const promise_part& part) {
  return part.member == &promise::frequency || part.member == &promise::angle ||
         part.member == &promise::entry;
}

std::string sinusoidal_parts() {
  std::string allowed;
  for (const promise_part& part : promise_parts)
    if (is_sinusoidal(part))
      allowed += (allowed.empty() ? "" : ", ") + std::string(part.name) + "=" + std::string(part.unrounded) +
                 "|" + std::string(part.allowed);
  return allowed;
}

bool has_sinusoids(const tables::table& table) {
  return std::holds_alternative<tables::sinusoidal_content>(table.content());
}

bool is_known(const promise& promised) { return !known_name_of(promised, ROPEWALK_ROTATE).empty(); }

}  // namespace

bool has_promises(const tables::table& table) {
  if (const auto* rotary = std::get_if<tables::rotary_content>(&table.content())) return are_bounded(*rotary);
  const auto* sinusoids = std::get_if<tables::sinusoidal_content>(&table.content());
  return sinusoids != nullptr && are_bounded(*sinusoids);
}

promise promise_of_entries(const tables::table& table, const promise& promised, const std::string& text) {
  if (promises_bits(promised) || is_known(promised)) return promised;
  const bool is_of_sinusoids = has_sinusoids(table);
  for (const promise_part& part : promise_parts) {
    if (promised.*part.member == ROPEWALK_UNROUNDED) continue;
    if (is_of_sinusoids && !is_sinusoidal(part))
      throw bad_input("promise", text,
                      sinusoidal_parts() + ", as sinusoidal has no " + std::string(part.name));
    if (!is_of_sinusoids && !ropewalk::detail::has_part(ROPEWALK_ROTATE, part))
      throw bad_input("promise", text,
                      "parts of a table of cosines and sines, such as frequency=f32,angle=f32,table=f32; " +
                          std::string(part.name) + " is a part of what is added");
  }
  if (!is_of_sinusoids) return promised;
  if (promised.is_fused) throw bad_input("promise", text, sinusoidal_parts() + ", as nothing is rotated");
  return {.frequency = promised.frequency, .angle = promised.angle, .table = promised.entry};
}

std::string name_of_promise(const tables::table& table, const promise& promised) {
  if (!has_sinusoids(table) || is_known(promised)) return name_of(promised, ROPEWALK_ROTATE);
  promise typed = promised;
  typed.entry = promised.table;
  std::string name;
  for (const promise_part& part : promise_parts)
    if (is_sinusoidal(part))
      name += (name.empty() ? "" : ",") + std::string(part.name) + "=" +
              std::string(ropewalk::detail::word_of(part, typed.*part.member));
  return name;
}

std::unique_ptr<promise_search> promises_on(const tables::table& table, tables::table_dtype dtype,
                                            const promise& promised) {
  const auto search = [&](const auto& content) -> std::unique_ptr<promise_search> {
    if (!are_bounded(content)) return nullptr;
    return std::make_unique<promise_search>(table, searched(content), dtype, bounds_of(content, dtype),
                                            promised);
  };
  if (const auto* rotary = std::get_if<tables::rotary_content>(&table.content())) return search(*rotary);
  if (const auto* sinusoids = std::get_if<tables::sinusoidal_content>(&table.content()))
    return search(*sinusoids);
  return nullptr;
}

}  // namespace ropewalk::array
