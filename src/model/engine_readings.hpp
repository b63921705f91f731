#pragma once
// Known differences between inference engines and a model's training code in reading a configuration. Each
// difference changes the plan of layers as the engine's code does.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/comparison.hpp"
#include "model/layers.hpp"

namespace ropewalk::model {

/// One difference in one engine.
struct engine_reading {
  std::string_view name;    // short name of the difference
  std::string_view fault;   // fault kernel with the same effect, without "fault-"; empty: not in a table
  std::string_view engine;  // engine and version, or commit of the code that was read
  std::string_view says;    // the engine's behaviour, without a full stop
  std::string_view source;  // place in the engine's code
  // Changes the model's plan to the engine's; false if the two are equal.
  bool (*change)(layer_plan& plan);
  // Compares both at the original length instead of the longest.
  bool is_of_short_sequences = false;
};

/// All known readings.
std::span<const engine_reading> engine_readings();

/// A reading that changes a model's numbers, and the size of the change.
struct other_reading {
  const engine_reading* reading = nullptr;
  comparison compared;  // first: the model; second: the engine's reading
};

/// The readings that change a model's plan.
///
/// domain  plan: a rotary model's, not yet at a length; positions >= 1: length of its context
/// throws  as compared
std::vector<other_reading> other_readings(const layer_plan& plan, const sequence_length& positions);

}  // namespace ropewalk::model
