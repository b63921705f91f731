#pragma once
// Tables of inverse frequencies, correctly rounded: a constexpr variable template, or a vector at run time.

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/numeric/compiled_once.hpp"
#include "ropewalk/numeric/format.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

namespace detail {

// Enough for all but rare entries of a table, which Ziv's loop decides.
inline constexpr int table_limbs = 3;

// One variable per pair: compilers limit the steps of constant evaluation per variable, so no flag is needed.
template <rope Config>
inline constexpr rope_shared<table_limbs> shared_of = share<table_limbs>(Config);
template <rope Config, int Pair>
inline constexpr enclosure<table_limbs> inv_freq_of = rope_inv_freq<table_limbs>(Pair, Config,
                                                                                 shared_of<Config>);

/// Correctly rounded inverse frequency: from the given enclosure if it decides, otherwise by Ziv's loop.
template <floating_format Float>
constexpr bits_of<Float> round_inv_freq(const enclosure<table_limbs>& at_hand, int pair, const rope& config) {
  if (const auto result = round<Float>(at_hand); result.decided) return result.bits;
  return round_with_enough_limbs<Float>("inv_freq", [&]<int N>() { return rope_inv_freq<N>(pair, config); });
}

template <floating_format Float, rope Config, std::size_t... Pair>
constexpr std::array<Float, sizeof...(Pair)> gather_inv_freqs(std::index_sequence<Pair...>) {
  return {from_bits<Float>(
      round_inv_freq<Float>(inv_freq_of<Config, static_cast<int>(Pair)>, static_cast<int>(Pair), Config))...};
}

template <rope Config>
constexpr std::size_t checked_pair_count() {
  validate(Config);
  return static_cast<std::size_t>(pair_count(Config));
}

}  // namespace detail

/// All inverse frequencies of an encoding, computed at compile time.
///
/// shape   [rotary_dim / 2]
/// units   radians per position
/// error   correctly rounded
/// throws  does not compile if `validate(rope)` would throw
template <floating_format Float, rope Config>
inline constexpr auto inv_freq_table =
    detail::gather_inv_freqs<Float, Config>(std::make_index_sequence<detail::checked_pair_count<Config>()>{});

/// Bits of all inverse frequencies, computed at run time.
///
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
template <floating_format Float>
std::vector<bits_of<Float>> inv_freqs(const rope& config) {
  const auto shared = share<detail::table_limbs>(config);
  std::vector<bits_of<Float>> bits;
  for (int pair = 0; pair < pair_count(config); ++pair)
    bits.push_back(detail::round_inv_freq<Float>(rope_inv_freq<detail::table_limbs>(pair, config, shared),
                                                 pair, config));
  return bits;
}
#define ROPEWALK_INV_FREQS(Float) \
  ROPEWALK_COMPILED_FUNCTION(std::vector<bits_of<Float>> inv_freqs<Float>(const rope&));
ROPEWALK_EACH_FORMAT(ROPEWALK_INV_FREQS)
#undef ROPEWALK_INV_FREQS

}  // namespace ropewalk
