#pragma once
// The canonical rotation of a few vectors in one call, for examples and tests: the mirror itself, one pair
// after another.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk {

/// Each vector turned by its position; the canonical operation's bits.
///
/// shape   x [positions, head_dim], row after row, as is what is returned
/// domain  any signed 32-bit positions; channels from rotary_dim on are copied
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
/// source  Su et al. 2021, sec. 3.2.2; interleaved by default, as there
template <std::same_as<rope> Config = rope>
std::vector<float> apply_rope(std::span<const float> x, std::span<const std::int32_t> positions,
                              const Config& config, const head_layout& layout) {
  validate(layout, config);
  const auto width = static_cast<std::size_t>(layout.head_dim);
  require(x.size() == positions.size() * width, "the size of x", static_cast<double>(x.size()),
          "positions x head_dim numbers");
  const rope_rows rows(config);
  std::vector<std::uint32_t> cos(static_cast<std::size_t>(rows.pairs())), sin(cos);
  std::vector<float> y(x.begin(), x.end());
  for (std::size_t token = 0; token < positions.size(); ++token) {
    rows.row<float>(std::int64_t{positions[token]}, false, cos.data(), sin.data());
    const float* from = x.data() + token * width;
    float* to = y.data() + token * width;
    for (int pair = 0; pair < rows.pairs(); ++pair) {
      const channel_pair in = channels_of(pair, config.rotary_dim, layout.pairing_in);
      const channel_pair out = channels_of(pair, config.rotary_dim, layout.pairing_out);
      const auto i = static_cast<std::size_t>(pair);
      const bits_pair<float> turned =
          rotate_pair<float>({to_bits(from[in.first]), to_bits(from[in.second])}, {cos[i], sin[i]});
      to[out.first] = from_bits<float>(turned.first);
      to[out.second] = from_bits<float>(turned.second);
    }
  }
  return y;
}

/// The same for whole vectors, neighbours paired, base 10000.
std::vector<float> apply_rope(std::span<const float> x, std::span<const std::int32_t> positions,
                              std::integral auto head_dim) {
  require(std::in_range<int>(head_dim), "head_dim", static_cast<double>(head_dim), "a number of 32 bits");
  return apply_rope(x, positions, rope{.rotary_dim = static_cast<int>(head_dim)},
                    head_layout{.head_dim = static_cast<int>(head_dim),
                                .pairing_in = pairing::interleaved,
                                .pairing_out = pairing::interleaved});
}

}  // namespace ropewalk
