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

/// Inputs beside the block that decide the axes.
struct axes_keys {
  int pairs = 0;                          // pairs of the encoding; 0: unknown, and the sum is not checked
  given<axis_order> by_type{};            // order in the type's own code; else the block's keys decide
  std::array<int, 3> missing_sections{};  // sections in that code; zeros: a type with axes needs the key
};

/// Reads which axis turns each pair: `mrope_section` in chunks, or in strides with `mrope_interleaved`; one
/// axis if there are no sections. In strides, pairs that neither height nor width takes belong to time,
/// whatever its section is.
///
/// throws  bad_input naming the field, its value and what is allowed
/// source  `mrope_section` of Qwen2-VL, `mrope_interleaved` of Qwen3-VL in Hugging Face transformers
rope_axes read_axes(const input::json& block, const std::string& prefix, const axes_keys& keys);

/// Adds the sections to the provenance if there are several axes.
void report_axes(const rope_axes& axes, const std::string& origin, provenance& sources);

}  // namespace ropewalk::model
