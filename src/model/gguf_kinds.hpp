#pragma once
// The kind of each layer of a GGUF file's model.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/gguf_keys.hpp"

namespace ropewalk::model {

inline constexpr std::string_view usual_kind = "sliding_attention", full_kind = "full_attention",
                                  still_kind = "no_rope", other_kind = "no_attention";

struct gguf_kinds {
  std::vector<std::string> of_layers;
  std::string origin;     // the key with the kinds; empty: the architecture
  bool do_slide = false;  // at least one layer slides
};

/// The kinds of `layers` layers, from the file's keys or the architecture's code.
///
/// throws  bad_input naming the key; also if, by depth or flag, no layer rotates
gguf_kinds kinds_of_gguf(const gguf_keys& keys, std::int64_t layers);

}  // namespace ropewalk::model
