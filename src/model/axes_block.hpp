#pragma once
// The sections of M-RoPE in a rope_scaling or rope_parameters block, which may accompany any rule.

#include <array>
#include <string>
#include <string_view>

#include "input/json_text.hpp"
#include "model/provenance.hpp"
#include "ropewalk/config/given.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk::model {

/// Whether a key of a block describes axes.
bool is_axes_key(std::string_view key);

/// What decides the axes beside the block.
struct axes_keys {
  int pairs = 0;                          // of the encoding; 0: unknown, and no sum is checked
  given<axis_order> by_type{};            // of the model type's own code; else the block's keys decide
  std::array<int, 3> missing_sections{};  // of that code; zeros: a type with axes needs the key
};

/// Reads which axis turns each pair: `mrope_section` in chunks, or in strides with `mrope_interleaved`;
/// one axis without sections. Where pairs are strided, those that neither height nor width takes are
/// time's, whatever its section is.
///
/// throws  bad_input naming the field, its value and what is allowed
/// source  `mrope_section` of Qwen2-VL, `mrope_interleaved` of Qwen3-VL in Hugging Face transformers
rope_axes read_axes(const input::json& block, const std::string& prefix, const axes_keys& keys);

/// Adds the sections to the provenance, unless there is one axis.
void report_axes(const rope_axes& axes, const std::string& origin, provenance& sources);

}  // namespace ropewalk::model
