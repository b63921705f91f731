#pragma once
// Rotary tables with mistakes that no hypothesis gives, which must stay unexplained.

#include <functional>
#include <string>
#include <vector>

#include "diagnosis/table_faults.hpp"

namespace ropewalk::table_faults {

/// Mistakes that no hypothesis gives.
struct unknown_mistake {
  std::string name;
  std::function<engine_table(const model::model&)> on;
};
inline std::vector<unknown_mistake> unknown_mistakes() {
  const auto with_pairs = [](const model::model& model, std::size_t from, std::size_t step, double times) {
    engine_table engine = right_engine(model);
    for (std::size_t pair = from; pair < engine.inv_freqs.size(); pair += step)
      engine.inv_freqs[pair] *= times;
    return engine;
  };
  return {{"one frequency 1.25 times the right one",
           [=](const model::model& model) {
             const std::size_t pairs = right_engine(model).inv_freqs.size();
             return with_pairs(model, pairs / 8, pairs, 1.25);
           }},
          {"every second frequency 0.9 times the right one",
           [=](const model::model& model) { return with_pairs(model, 1, 2, 0.9); }},
          {"positions ahead by a third", [](const model::model& model) {
             engine_table engine = right_engine(model);
             engine.position = [](double p) { return p + 1 / 3.0; };
             return engine;
           }}};
}

}  // namespace ropewalk::table_faults
