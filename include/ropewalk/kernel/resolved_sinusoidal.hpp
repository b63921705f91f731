#pragma once
// A sinusoidal encoding resolved for a kernel that adds its rows: numbers, each rounded once.

#include <concepts>
#include <cstdint>
#include <vector>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk {

/// Owns the arrays of a ropewalk_row_addition.
///
/// error   inv_freq, turns, turns_256 and turns_real are correctly rounded
/// throws  std::invalid_argument naming the field and its value; undecided at the cap of Ziv's loop
class resolved_sinusoidal {
 public:
  /// `often` is a hint: a range of frequent positions; empty means no hint.
  template <std::same_as<sinusoidal> Config = sinusoidal>
  explicit resolved_sinusoidal(const Config& config, position_range often = {})
      : config_(config), often_(often) {
    validate(config);
    require(row_offset(config) <= largest_position, "padding_idx",
            static_cast<double>(config.padding_idx.value),
            "a number below 2147483647: kernels count rows in 32 bits");
    if (often.begin != often.end) validate(often);
    for (int pair = 0; pair < pair_count(config); ++pair) {
      inv_freq_.push_back(from_bits<double>(round_with_enough_limbs<double>(
          "inv_freq", [&]<int N>() { return sinusoidal_inv_freq<N>(pair, config); })));
      append<4>(turns_, pair);
      append<8>(turns_256_, pair);
      turns_real_.push_back(detail::real_of("turns_real", sinusoidal_turns<5>(pair, config),
                                            [&]<int N>() { return sinusoidal_turns<N>(pair, config); }));
    }
  }

  /// The C struct, which points into this object.
  ropewalk_row_addition view() const {
    return {.head = head_of<add_row, ropewalk_row_addition>(),
            .width = config_.d_model,
            .sinusoidal_channels = 2 * pair_count(config_),
            .pairing =
                config_.layout == sinusoidal_layout::interleaved ? ROPEWALK_INTERLEAVED : ROPEWALK_HALF_SPLIT,
            .cosine_first = config_.layout == sinusoidal_layout::cos_sin ? 1 : 0,
            .row_offset = static_cast<std::int32_t>(row_offset(config_)),
            .inv_freq = inv_freq_.data(),
            .turns = turns_.data(),
            .turns_256 = turns_256_.data(),
            .table_begin = often_.begin,
            .table_end = often_.end,
            .turns_real = turns_real_.data()};
  }

 private:
  template <int Words>
  void append(std::vector<std::uint32_t>& to, int pair) const {
    const auto fraction = with_enough_limbs(
        "turns", [&]<int N>() { return round_fraction<Words>(sinusoidal_turns<N>(pair, config_)); });
    to.insert(to.end(), fraction.bits.begin(), fraction.bits.end());
  }

  sinusoidal config_;
  position_range often_;
  std::vector<double> inv_freq_;
  std::vector<std::uint32_t> turns_;
  std::vector<std::uint32_t> turns_256_;
  std::vector<ropewalk_real> turns_real_;
};

}  // namespace ropewalk
