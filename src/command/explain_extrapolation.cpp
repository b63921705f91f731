#include "command/explain_extrapolation.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "input/bad_input.hpp"
#include "report/extrapolation.hpp"

namespace ropewalk::command {
namespace {

/// The scaling rule's original length if it is a valid sequence length; else 0.
std::int64_t original_length(const rope_scaling& scaling) {
  const double original = original_length_of(scaling);
  const bool is_length = original >= 1 && original <= static_cast<double>(largest_seq_len);
  return is_length ? static_cast<std::int64_t>(original) : 0;
}

report::asked_lengths lengths_of(const model::model& model, const std::string& trained,
                                 const std::string& target) {
  report::asked_lengths chosen;
  const std::int64_t original = original_length(model.encoding.scaling);
  const std::int64_t positions = model.max_position_embeddings;
  if (!trained.empty()) {
    chosen.lengths.trained = whole_number_of("--trained", trained);
    chosen.trained_from = "--trained";
  } else if (model.encoding.scaling.is<linear>() && original == 0) {
    throw bad_input(
        "trained", "missing",
        "the length before rule linear was applied, because the configuration does not record it");
  } else if (original > 0 || positions > 0) {
    chosen.lengths.trained = original > 0 ? original : positions;
    chosen.trained_from = original > 0 ? "original_max_position_embeddings" : "max_position_embeddings";
  } else {
    throw refusal("--trained", "missing");
  }
  if (!target.empty()) {
    chosen.lengths.target = whole_number_of("--target", target);
    chosen.target_from = "--target";
  } else if (positions > chosen.lengths.trained) {
    chosen.lengths.target = positions;
    chosen.target_from = "max_position_embeddings";
  }
  if (chosen.lengths.target < chosen.lengths.trained)
    throw bad_input("target", target.empty() ? "missing" : target,
                    fmt::format("a whole number from the trained length {} to {}", chosen.lengths.trained,
                                std::int64_t{largest_seq_len}));
  return chosen;
}

}  // namespace

exit_code explain_extrapolation(const which_options& which, const std::string& trained,
                                const std::string& target, bool as_json) {
  if (!which.seq_len.empty()) throw bad_input("seq-len", which.seq_len, "none: --target is the length");
  const model::model model = chosen_model_of_sequences(which);
  const report::asked_lengths lengths = lengths_of(model, trained, target);
  print_extrapolation(at_seq_len(model, {}, {lengths.lengths.target, "the target length"}), lengths, as_json);
  return exit_code::holds;
}

}  // namespace ropewalk::command
