#pragma once
// Explains the tables of engines with a known fault, and counts how many are named rightly.

#include <string>
#include <vector>

#include "diagnosis/table_cause.hpp"
#include "diagnosis/tracker_faults.hpp"

namespace ropewalk::table_faults {

inline constexpr tables::array_layout inv_freq_layout{tables::table_kind::inv_freq};
inline constexpr tables::array_layout vllm_layout{tables::table_kind::cos_sin, tables::cos_sin_layout::vllm};
inline constexpr tables::array_layout hf_layout{tables::table_kind::cos_sin, tables::cos_sin_layout::hf};

/// A way to make a table.
struct manufacture {
  tables::array_layout layout{};
  tables::table_dtype dtype = tables::table_dtype::f32;
  working in = working::binary64;
};

/// Numbers of explanations by result.
struct table_counts {
  std::int64_t rightly = 0;
  std::int64_t together = 0;  // of these, with other hypotheses that give the array, too
  std::int64_t unexplained = 0;
  std::int64_t wrongly = 0;
  std::int64_t holding = 0;  // the fault is within the promise's bound
  std::vector<std::string> not_right{};

  std::string text() const {
    std::string text = "rightly " + std::to_string(rightly) + " (with others " + std::to_string(together) +
                       "), unexplained " + std::to_string(unexplained) + ", wrongly " +
                       std::to_string(wrongly) + ", within the bound " + std::to_string(holding) + "\n";
    for (const std::string& name : not_right) text += name + "\n";
    return text;
  }
};

/// The names of the hypotheses that explain a table; "holds" or "not explained" where there is none.
inline std::string names_of(const diagnosis::table_cause& cause) {
  if (cause.verdict == diagnosis::table_verdict::holds) return "holds";
  if (cause.verdict == diagnosis::table_verdict::not_explained) return "not explained";
  std::string names;
  for (const diagnosis::named_fault& fault : cause.faults) names += (names.empty() ? "" : ", ") + fault.name;
  return names;
}

/// Whether a table made in this way shows a fault at all.
inline bool shows(const tracker_fault& fault, const manufacture& made) {
  if (has_positions(made.layout) || fault.where == shows_in::frequencies) return true;
  return fault.where == shows_in::wide_frequencies && made.dtype != tables::table_dtype::bf16;
}

/// Explains one fault's table of one model, if the model has it.
inline void count(table_counts& so_far, const tracker_fault& fault, const model::model& model,
                  diagnosis::rotary_diagnosis& diagnosis, const manufacture& made,
                  const input::position_list& positions) {
  const std::optional<engine_table> engine = fault.on(model);
  if (!engine || !shows(fault, made)) return;
  const auto array = laid_out(*engine, made.layout, made.dtype, positions, made.in);
  const diagnosis::table_cause cause = diagnosis.explain(array);
  const bool is_named = std::any_of(cause.faults.begin(), cause.faults.end(),
                                    [&](const auto& item) { return item.name == fault.hypothesis; });
  if (cause.verdict == diagnosis::table_verdict::holds) ++so_far.holding;
  if (is_named) ++so_far.rightly;
  if (is_named && cause.faults.size() > 1) ++so_far.together;
  if (cause.verdict == diagnosis::table_verdict::not_explained) ++so_far.unexplained;
  if (cause.verdict == diagnosis::table_verdict::explained && !is_named) ++so_far.wrongly;
  if (!is_named)
    so_far.not_right.push_back(fault.fault + " on " + model.name + " " + model.layer_type + ", " +
                               (has_positions(made.layout) ? "cos-sin" : "inv-freq") + " " +
                               std::string(tables::text_of(made.dtype).name) + ": " +
                               diagnosis::text_of(cause));
}

}  // namespace ropewalk::table_faults
