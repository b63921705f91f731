// A model's config.json.

#include <stdexcept>
#include <string>
#include <string_view>

#include "fuzz/target.hpp"
#include "model/model.hpp"
#include "ropewalk/config/head_layout.hpp"

namespace ropewalk::fuzz {
namespace {

/// What every command does with a model.
void use_model(const model::model& read) {
  validate(read.layout, read.encoding);
  need(!model::summary(read).empty() && !model::recorded_name(read).empty(), "a model has no summary");
  need(read.max_position_embeddings >= 0 && read.query_heads >= 0 && read.key_heads >= 0,
       "a model has fewer than no heads or positions");
  try {
    const model::model longer = model::at_seq_len(read, "4096", {2048, "a test"});
    validate(longer.layout, longer.encoding);
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace

void config(input_bytes input) {
  for (const char* const layers : {"", "full_attention", "sliding_attention"})
    for (const bool is_interleaved : {false, true}) try {
        model::reading how{.layer = layers};
        if (is_interleaved) how.layout = pairing::interleaved;
        const model::model read = model::parse_model(text_in(input), "config.json", how);
        use_model(read);
        const model::model again = model::parse_model(read.config, "config.json", how);
        need(model::summary(again) == model::summary(read), "a configuration that is kept reads differently");
      } catch (const std::invalid_argument&) {
      }
}

}  // namespace ropewalk::fuzz

ROPEWALK_FUZZ_TARGET(config);
