#pragma once
// Models whose shapes several claims use.

#include <cstdint>

#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"

namespace ropewalk::claim {

inline constexpr rope llama_2{.base = 10000, .rotary_dim = 128};

inline constexpr sinusoidal gpt_2{.d_model = 768};
inline constexpr std::int64_t gpt_2_length = 1024;

}  // namespace ropewalk::claim
