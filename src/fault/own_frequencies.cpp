#include "fault/own_frequencies.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/model.hpp"
#include "ropewalk/table/inv_freq_table.hpp"

namespace ropewalk::fault {
namespace {

/// Whether an encoding has the frequencies of a configuration.
bool is_that_of(const ropewalk_rotation& encoding, const rope& config) {
  if (config.rotary_dim != encoding.rotary_dim) return false;
  const std::vector<std::uint64_t> own = inv_freqs<double>(config);
  return std::equal(own.begin(), own.end(), encoding.inv_freq,
                    [](std::uint64_t bits, double value) { return bits == to_bits(value); });
}

}  // namespace

std::optional<own_configuration> own_configuration_of(const ropewalk_rotation& encoding) {
  if (encoding.config_json == nullptr) return std::nullopt;
  try {
    // The pairing is not used here; it is set because an unlisted model type requires one.
    const model::reading how{.layout = pairing::half_split, .layer = {}, .ignored = {}};
    const model::model model = model::parse_model(encoding.config_json, "config_json", how);
    own_configuration configuration{model.encoding, model.layout.head_dim, model.max_position_embeddings,
                                    model.axes};
    configuration.encoding.seq_len = encoding.seq_len;
    if (!is_that_of(encoding, configuration.encoding)) return std::nullopt;
    return configuration;
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // no engine would read this configuration
  }
}

rope_rows rows_with_factor(const rotation_plan& plan, const own_number& attention_factor) {
  std::vector<own_number> turns;
  for (int pair = 0; pair < plan.layout.pairs(); ++pair) turns.push_back(plan.rows.turns(pair));
  return rope_rows(rope_rows::resolved{.turns = std::move(turns), .attention_factor = attention_factor});
}

}  // namespace ropewalk::fault
