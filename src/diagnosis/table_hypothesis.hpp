#pragma once
// Tables that an engine with one mistake would make, each with a sentence about the mistake.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "diagnosis/given_array.hpp"
#include "model/model.hpp"
#include "ropewalk/kernel/promise.hpp"

namespace ropewalk::diagnosis {

/// A table that an array may contain.
class suspected_table {
 public:
  suspected_table() = default;
  virtual ~suspected_table() = default;
  suspected_table(const suspected_table&) = delete;
  suspected_table& operator=(const suspected_table&) = delete;

  /// Whether the array's entries at a place may be this table's: none provably exceeds the promise's bound
  /// around this table's exact values.
  virtual bool allows(array_reader& array, std::int64_t place, const promise& promised) const = 0;

  /// For a row with several pairs, the pairs that have an entry beyond the bound; empty for other tables.
  virtual std::vector<int> wrong_pairs(array_reader& /*array*/, std::int64_t /*place*/,
                                       const promise& /*promised*/) const {
    return {};
  }
};

struct table_hypothesis {
  std::string name;
  std::string sentence;  // without a full stop
  std::shared_ptr<const suspected_table> table;
};

/// The right table of an array, and the hypotheses to try if the array differs.
struct table_suspects {
  std::shared_ptr<const suspected_table> right;
  std::function<const std::vector<table_hypothesis>&()> known;  // made on first use
  // Hypotheses with numbers read from the array, and a description of the array, which may be empty; both may
  // be null. `places` are the inspected ones.
  std::function<std::vector<table_hypothesis>(array_reader&, const promise&,
                                              const std::vector<std::int64_t>& places)>
      fitted{};
  std::function<std::string(array_reader&, const promise&, const std::vector<std::int64_t>& places)> seen{};
  std::int64_t places_per_head = 1;  // for biases, entries per head
};

/// Wraps a list of hypotheses as `known`, which then owns it.
inline std::function<const std::vector<table_hypothesis>&()> as_known(
    std::vector<table_hypothesis> hypothesis) {
  return [kept = std::make_shared<const std::vector<table_hypothesis>>(
              std::move(hypothesis))]() -> const std::vector<table_hypothesis>& { return *kept; };
}

/// The rotary table of an encoding, on its axes if it has several.
std::shared_ptr<const suspected_table> right_table(const placed_rope& config);

/// Every hypothesis that changes the table of this model. Hypotheses may agree with each other.
std::vector<table_hypothesis> table_hypotheses(const model::model& model);

}  // namespace ropewalk::diagnosis
