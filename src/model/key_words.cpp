#include "model/key_words.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace ropewalk::model {
namespace {

constexpr std::string_view words[] = {"rope",
                                      "rotary",
                                      "position_emb",
                                      "position_encoding",
                                      "alibi",
                                      "ntk",
                                      "temperature_tuning",
                                      "dual_chunk",
                                      "llama_4_scaling",
                                      "xpos",
                                      "mrope",
                                      "nope",
                                      "yarn",
                                      "pos_emb",
                                      "relative_attention"};

constexpr std::string_view scales[] = {"attn_scale", "floor_scale"};

constexpr std::string_view widths[] = {"head_dim",        "qk_rope_head_dim",   "qk_nope_head_dim",
                                       "global_head_dim", "attention_head_dim", "kv_channels"};

constexpr std::string_view everywhere[] = {"head_dim",
                                           "max_position_embeddings",
                                           "rope_scaling",
                                           "rope_parameters",
                                           "alibi",
                                           "original_max_position_embeddings",
                                           "position_embedding_type",
                                           "position_encoding_2d",
                                           "indexer_rope_interleave"};  // for the indexer's own heads

template <std::size_t count>
bool is_among(std::string_view key, const std::string_view (&keys)[count]) {
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

}  // namespace

bool is_about_positions(std::string_view key) {
  return is_among(key, widths) || is_among(key, scales) ||
         std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return key.find(word) != key.npos; });
}

bool is_read_of_every_type(std::string_view key) { return is_among(key, everywhere); }

bool says_nothing(const input::json& value) {
  return value.is_null() || value == false || (value.is_structured() && value.empty());
}

}  // namespace ropewalk::model
