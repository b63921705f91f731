#pragma once
// Explains why an array differs from the table of its model: by mistakes that give this array, or by what its
// wrong entries share.
//
// A mistake explains an array if no inspected entry provably exceeds the promise's bound around the mistake's
// exact table, while some entry exceeds the bound around the right table.

#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/cause.hpp"
#include "diagnosis/table_hypothesis.hpp"

namespace ropewalk::diagnosis {

enum class table_verdict {
  holds,  // every inspected entry keeps the promise
  explained,
  not_explained
};

struct table_cause {
  table_verdict verdict = table_verdict::holds;
  std::vector<named_fault> faults{};  // all give this array
  std::string sentence{};             // describes all faults
  std::string common{};               // what the wrong entries share, if nothing explains them
  std::int64_t looked_at = 0;         // number of places: positions; pairs, for kinds without positions
};

/// Compares an array with the right table and, if it breaks the promise, with each hypothesis.
///
/// domain  promised: a promise of parts
/// throws  std::invalid_argument naming attention_factor, if the promise has no bound for it
table_cause explain_table(const given_array& array, const table_suspects& suspects, const promise& promised);

/// Explains arrays of one model, such as the layers of a file. Hypotheses are made when the first array
/// breaks a promise. Not thread-safe.
class rotary_diagnosis {
 public:
  /// `on_axes`: the arrays' positions if they are on the model's axes; they must outlive this object.
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
