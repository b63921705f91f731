#pragma once
// Where inference engines read a configuration otherwise than its model was trained, each as the plan of
// layers that the engine's code makes of it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/comparison.hpp"
#include "model/layers.hpp"

namespace ropewalk::model {

/// One difference of one engine.
struct engine_reading {
  std::string_view name;    // a word for it
  std::string_view fault;   // the known fault with the same effect, without fault-; empty: of no table
  std::string_view engine;  // and its version, or that of the code that was read
  std::string_view says;    // what the engine does, without a full stop
  std::string_view source;  // where in its code
  // Changes the plan of the model to the engine's; false where both are the same.
  bool (*change)(layer_plan& plan);
  // Whether both are compared at the original length, in place of the longest.
  bool is_of_short_sequences = false;
};

/// Every reading that is known.
std::span<const engine_reading> engine_readings();

/// A reading that changes a model's numbers, and by how much.
struct other_reading {
  const engine_reading* reading = nullptr;
  comparison compared;  // first: the model; second: the engine's reading
};

/// The readings by which a model's plan changes.
///
/// domain  plan: of a rotary model, without a length yet; positions >= 1: of its context
/// throws  as compared
std::vector<other_reading> other_readings(const layer_plan& plan, const sequence_length& positions);

}  // namespace ropewalk::model
