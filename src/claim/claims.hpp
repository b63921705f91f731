#pragma once
// The claims of each topic; the source file of the same name decides them.

#include <vector>

#include "claim/claim.hpp"

namespace ropewalk::claim {

std::vector<claim> rope_claims();
std::vector<claim> rotation_steps_claims();
std::vector<claim> long_term_decay_claims();
std::vector<claim> sinusoidal_claims();
std::vector<claim> sinusoidal_pairs_claims();
std::vector<claim> added_positions_claims();
std::vector<claim> index_code_claims();
std::vector<claim> learned_claims();
std::vector<claim> t5_bias_claims();
std::vector<claim> alibi_claims();
std::vector<claim> query_scale_claims();
std::vector<claim> skewed_map_claims();
std::vector<claim> pooled_axes_claims();
std::vector<claim> attention_claims();
std::vector<claim> linear_attention_claims();
std::vector<claim> transformer_xl_claims();
std::vector<claim> comparison_claims();
std::vector<claim> extrapolation_claims();
std::vector<claim> trained_models_claims();

inline constexpr std::vector<claim> (*claims_by_topic[])() = {
    rope_claims,           rotation_steps_claims,   long_term_decay_claims,
    sinusoidal_claims,     sinusoidal_pairs_claims, added_positions_claims,
    index_code_claims,     learned_claims,          t5_bias_claims,
    alibi_claims,          query_scale_claims,      skewed_map_claims,
    pooled_axes_claims,    attention_claims,        linear_attention_claims,
    transformer_xl_claims, comparison_claims,       extrapolation_claims,
    trained_models_claims,
};

}  // namespace ropewalk::claim
