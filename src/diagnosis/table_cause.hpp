#pragma once
// Why an array differs from the table of its model: the mistakes that give this array, or what its wrong
// entries have in common.
//
// A mistake explains an array if no entry that was looked at is proved to lie beyond the promise's bound of
// the mistake's exact table, while some entry lies beyond the bound of the right one.

#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/cause.hpp"
#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

enum class table_verdict {
  holds,  // every entry that was looked at keeps the promise
  explained,
  not_explained
};

struct table_cause {
  table_verdict verdict = table_verdict::holds;
  std::vector<named_fault> faults{};  // all give this array
  std::string sentence{};             // of all of them
  std::string common{};               // what the wrong entries have in common, if nothing explains them
  std::int64_t looked_at = 0;         // places: positions, or pairs of kinds without positions
};

/// Compares an array with the right table and, if it breaks the promise, with each hypothesis.
///
/// domain  promised: a promise of parts
/// throws  std::invalid_argument naming attention_factor, for which the promise has no bound
table_cause explain_table(const given_array& array, const table_suspects& suspects, const promise& promised);

/// Explains arrays of one model, as the layers of a file are. Its hypotheses are made when the first array
/// breaks a promise. For use by one thread.
class rotary_diagnosis {
 public:
  /// `on_axes`: the arrays' positions where these are on the model's axes; they outlive this object.
  explicit rotary_diagnosis(model::model model, const tables::row_positions* on_axes = nullptr);
  rotary_diagnosis(const rotary_diagnosis&) = delete;
  rotary_diagnosis& operator=(const rotary_diagnosis&) = delete;

  table_cause explain(const given_array& array, const promise& promised = promise::hf);

 private:
  model::model model_;
  std::vector<table_hypothesis> hypotheses_;
  table_suspects suspects_;
};

/// The cause in words: "the base is 10000, whatever the model's is".
std::string text_of(const table_cause& cause);

}  // namespace ropewalk::diagnosis
