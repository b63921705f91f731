// Claims about learned positions, and about absolute encodings beyond a trained length.

#include "ropewalk/encoding/learned.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/nearest.hpp"
#include "claim/real.hpp"
#include "ropewalk/law/table/sinusoidal_laws.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk::claim {
namespace {

constexpr learned gpt_2_rows{.max_position_embeddings = 1024, .d_model = 768};

/// The error of a table of GPT-2's shape for a position; empty if the table serves it.
std::string refusal_at(std::int64_t position) {
  const std::vector<std::uint32_t> weights(std::size_t{1024} * 768);
  try {
    (void)learned_table<float>(gpt_2_rows, weights).row(position);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

evidence no_row_beyond_the_table() {
  const std::string last = refusal_at(1023), next = refusal_at(1024);
  return {last.empty() && !next.empty(), "position 1023 is served; " + next};
}

/// Number of pairs whose wavelength exceeds the trained length: beyond it, they have phases not seen below.
int pairs_with_unseen_phases(std::int64_t length, const sinusoidal& config) {
  int count = 0;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const real turns_in_length = sinusoidal_turns<limb_count>(pair, config) * real::of(length);
    count += is_below(turns_in_length, real::of(1));
  }
  return count;
}

evidence defined_and_unseen() {
  const sinusoidal config{.d_model = gpt_2_rows.d_model};
  const std::int64_t trained = gpt_2_rows.max_position_embeddings, count = 65536;
  const std::int64_t distinct = sinusoidal_distinct_length<float>(config, count);
  const int unseen = pairs_with_unseen_phases(trained, config);
  return {!refusal_at(trained).empty() && distinct == count && unseen > 0 && unseen < pair_count(config),
          fmt::format("trained on 1024 positions of 768 channels: learned rows end there; sinusoidal rows "
                      "exist and differ up to {} positions at least, but {} of 384 pairs finish no turn in "
                      "1024 and show phases beyond that no training saw",
                      distinct, unseen)};
}

}  // namespace

std::vector<claim> learned_claims() {
  return {
      {.number = 22,
       .documents = {document::attn_tensors},
       .statement = "learned embeddings are a lookup table that cannot serve a position beyond its length",
       .decided = verdict::holds,
       .correction = "",
       .witness = "test Learned.APositionWithoutARowIsAnErrorAndNeverAWrap",
       .run = no_row_beyond_the_table},
      {.number = 39,
       .documents = {document::study_notes},
       .statement = "absolute encodings give no generalization to longer sequences, and sinusoids generalize "
                    "to arbitrary lengths",
       .decided = verdict::corrected,
       .correction =
           "not both: sinusoids are absolute, and defined, distinct and bounded at every length, which "
           "learned rows are not; but pairs that finish no turn in training are new to the model beyond",
       .witness = "defined_and_unseen",
       .run = defined_and_unseen}};
}

}  // namespace ropewalk::claim
