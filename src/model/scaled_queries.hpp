#pragma once
// The scale of queries by position, in models that have one.

#include <optional>
#include <string>

#include "input/json_text.hpp"
#include "model/model_type.hpp"
#include "model/provenance.hpp"
#include "ropewalk/config/query_scale.hpp"

namespace ropewalk::model {

/// The scale, and the layers that use it.
struct scaled_queries {
  query_scale scale{};
  bool is_of_still_layers = false;  // used in layers that do not rotate; else in all
};

/// "1 + 0.1 ln(1 + floor((p + 1) / 8192)), in layers that do not rotate".
std::string text_of(const scaled_queries& queries);

/// The scale from the keys of a text model, `body`, and of its scaling block, whose keys have `prefix` in
/// messages. Nothing if the type has none, if the file disables it or leaves out its strength, or if no layer
/// uses it.
///
/// throws  bad_input naming the field, its value and what is allowed
std::optional<scaled_queries> read_scaled_queries(const input::json& body, const input::json& block,
                                                  const std::string& prefix, const model_type& type,
                                                  provenance& sources);

}  // namespace ropewalk::model
