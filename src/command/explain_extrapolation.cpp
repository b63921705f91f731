#include "command/explain_extrapolation.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "input/bad_input.hpp"
#include "input/number.hpp"
#include "report/extrapolation.hpp"

namespace ropewalk::command {
namespace {

/// The scaling rule's original length if it is a valid sequence length; else 0.
std::int64_t original_length(const rope_scaling& scaling) {
  const double original = original_length_of(scaling);
  const bool is_length = original >= 1 && original <= static_cast<double>(largest_seq_len);
  return is_length ? static_cast<std::int64_t>(original) : 0;
}

report::asked_lengths lengths_of(const model::model& of, const std::string& trained,
                                 const std::string& target) {
  report::asked_lengths f;
  constexpr std::int64_t longest = largest_seq_len;
  const std::int64_t original = original_length(of.encoding.scaling);
  const std::int64_t positions = of.max_position_embeddings;
  if (!trained.empty()) {
    f.lengths.trained = input::whole_number("trained", trained, 1, longest);
    f.trained_from = "--trained";
  } else if (of.encoding.scaling.is<linear>() && original == 0) {
    throw bad_input(
        "trained", "missing",
        "the length before rule linear was applied, because the configuration does not record it");
  } else if (original > 0 || positions > 0) {
    f.lengths.trained = original > 0 ? original : positions;
    f.trained_from = original > 0 ? "original_max_position_embeddings" : "max_position_embeddings";
  } else {
    throw bad_input("trained", "missing", "a whole number from 1 to 2147483648");
  }
  if (!target.empty()) {
    f.lengths.target = input::whole_number("target", target, 1, longest);
    f.target_from = "--target";
  } else if (positions > f.lengths.trained) {
    f.lengths.target = positions;
    f.target_from = "max_position_embeddings";
  }
  if (f.lengths.target < f.lengths.trained)
    throw bad_input(
        "target", target.empty() ? "missing" : target,
        fmt::format("a whole number from the trained length {} to 2147483648", f.lengths.trained));
  return f;
}

}  // namespace

exit_code explain_extrapolation(const which_options& which, const std::string& trained,
                                const std::string& target, bool as_json) {
  if (!which.seq_len.empty()) throw bad_input("seq-len", which.seq_len, "none: --target is the length");
  const model::model read = chosen_model_of_sequences(which);
  const report::asked_lengths asked = lengths_of(read, trained, target);
  print_extrapolation(at_seq_len(read, {}, {asked.lengths.target, "the target length"}), asked, as_json);
  return exit_code::holds;
}

}  // namespace ropewalk::command
