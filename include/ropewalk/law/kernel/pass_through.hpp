#pragma once
// Pass-through: channels that do not rotate come out bit for bit, signalling NaNs included.

#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk::rotation_laws {

measurement judge_pass_through(const checked_rotation& kernel, const law_case& test_case);

inline constexpr law<checked_rotation> pass_through{
    .name = "pass-through",
    .statement = "channels that do not rotate come out bit for bit",
    .equality = "equal bits",
    .catches = "fault-pass-through-zeroed",
    .needs = {.every_bit_pattern = true, .pass_through_channels = true},
    .beyond_limits = [](const checked_rotation& kernel) -> std::string_view {
      const bool has_own = kernel.layout().head_dim > kernel.encoding().rotary_dim;
      if (has_own) return "";
      if (kernel.served().lacks(ROPEWALK_NO_PARTIAL)) return "channels that pass through are not served";
      return kernel.wider_head_dims().empty() ? "no wider head_dim is served" : "";
    },
    .measure = judge_pass_through};

}  // namespace ropewalk::rotation_laws
