#pragma once
// The scale of queries by position, correctly rounded: at compile time and at run time. All positions of a
// step have the same scale, so a table computes one logarithm per step.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "ropewalk/encoding/query_scale.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

/// Bits of the scale at one position.
///
/// error   correctly rounded; infinity if it overflows the format
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
constexpr bits_of<Float> round_query_scale(std::int64_t position, const query_scale& config) {
  validate_position(position, config);
  const std::int64_t step = scale_step(position, config);
  return round_with_enough_limbs<Float>("query scale",
                                        [&]<int N>() { return query_scale_of_step<N>(step, config); });
}

/// Bits of the scales of a range of positions.
///
/// shape   [positions]
/// error   correctly rounded
/// throws  as round_query_scale, and std::invalid_argument for a bad range
template <floating_format Float>
constexpr std::vector<bits_of<Float>> query_scales(position_range positions, const query_scale& config) {
  validate(positions);
  validate_position(positions.begin, config);
  std::vector<bits_of<Float>> bits;
  bits.reserve(static_cast<std::size_t>(size(positions)));
  for (std::int64_t begin = positions.begin; begin < positions.end;) {
    const std::int64_t next = first_of_step(scale_step(begin, config) + 1, config);
    const std::int64_t end = next < positions.end ? next : positions.end;
    bits.insert(bits.end(), static_cast<std::size_t>(end - begin), round_query_scale<Float>(begin, config));
    begin = end;
  }
  return bits;
}

namespace detail {

// One variable per step: compilers limit the steps of constant evaluation per variable, so no flag is needed.
template <floating_format Float, query_scale Config, std::int64_t Step>
inline constexpr Float scale_of_step = from_bits<Float>(round_query_scale<Float>(first_of_step(Step, Config),
                                                                                 Config));

template <floating_format Float, query_scale Config, position_range Positions, std::size_t... Step>
constexpr auto gather_query_scales(std::index_sequence<Step...>) {
  constexpr std::int64_t first = scale_step(Positions.begin, Config);
  constexpr std::array<Float, sizeof...(Step)> of_steps{
      scale_of_step<Float, Config, first + static_cast<std::int64_t>(Step)>...};
  std::array<Float, static_cast<std::size_t>(size(Positions))> result{};
  Float* to = result.data();
  for (std::size_t step = 0; step < of_steps.size(); ++step) {
    const std::int64_t next = first_of_step(first + static_cast<std::int64_t>(step) + 1, Config);
    const std::int64_t end = next < Positions.end ? next : Positions.end;
    for (Float* const last = result.data() + (end - Positions.begin); to != last; ++to) *to = of_steps[step];
  }
  return result;
}

template <query_scale Config, position_range Positions>
constexpr std::size_t checked_step_count() {
  validate(Positions);
  validate_position(Positions.begin, Config);
  return static_cast<std::size_t>(scale_step(Positions.end - 1, Config) -
                                  scale_step(Positions.begin, Config)) +
         1;
}

}  // namespace detail

/// Bits of the scales of a range of positions, computed at compile time.
///
/// shape   [positions]
/// throws  does not compile if the configuration or a position would be refused
template <floating_format Float, query_scale Config, position_range Positions>
inline constexpr auto query_scale_table = detail::gather_query_scales<Float, Config, Positions>(
    std::make_index_sequence<detail::checked_step_count<Config, Positions>()>{});

}  // namespace ropewalk
