#pragma once
// The sections of M-RoPE in a rope_scaling or rope_parameters block, which may accompany any rule.

#include <string>
#include <string_view>

#include "input/json_text.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk::model {

/// Whether a key of a block describes axes.
bool is_axes_key(std::string_view key);

/// Reads which axis turns each pair: `mrope_section` in chunks, or in strides with `mrope_interleaved`;
/// axis_rule::text without sections.
///
/// domain  pairs: of the encoding; 0: unknown, and the sum of the sections is not checked
/// throws  bad_input naming the field, its value and what is allowed
/// source  `mrope_section` of Qwen2-VL, `mrope_interleaved` of Qwen3-VL in Hugging Face transformers
rope_axes read_axes(const input::json& block, const std::string& prefix, int pairs);

}  // namespace ropewalk::model
