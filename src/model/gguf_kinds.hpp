#pragma once
// The kinds of the layers of a GGUF file's model.

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
  std::string origin;     // the key that says them; empty: the architecture
  bool do_slide = false;  // some
};

/// The kinds of so many layers, as the file's keys or the architecture's code have them.
///
/// throws  bad_input naming the key; of a model none of whose layers rotates, by its depth or a flag
gguf_kinds kinds_of_gguf(const gguf_keys& keys, std::int64_t layers);

}  // namespace ropewalk::model
