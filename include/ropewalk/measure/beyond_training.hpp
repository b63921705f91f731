#pragma once
// Measures every encoding beyond its trained length: whether it serves the last position, found by calling
// it, and the share of its outputs that did not occur in training.

#include <concepts>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/config/learned.hpp"
#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/encoding/index_code.hpp"
#include "ropewalk/encoding/t5_bias.hpp"
#include "ropewalk/encoding/xpos.hpp"
#include "ropewalk/measure/phase_coverage.hpp"

namespace ropewalk {

struct beyond_training {
  std::string_view encoding;
  std::string_view setting;
  bool serves = true;         // whether it serves position (or distance) target - 1
  std::string refusal;        // the message, if it refuses
  std::string_view quantity;  // the outputs that `unseen` counts
  double unseen = 0;          // share below the target length that training did not have
};

namespace detail {

/// Message with which an encoding refuses the last position; empty if the encoding serves it.
template <class Ask>
std::string refusal_of(const Ask& ask) {
  try {
    ask();
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return {};
}

template <class Ask>
beyond_training asked(std::string_view encoding, std::string_view setting, std::string_view quantity,
                      double unseen, const Ask& ask) {
  std::string refusal = refusal_of(ask);
  const bool serves = refusal.empty();
  return {encoding, setting, serves, std::move(refusal), quantity, unseen};
}

/// 1 - trained / target: the unseen share if every position has its own value.
inline double unseen_positions(const length_pair& lengths) {
  if (lengths.target <= lengths.trained) return 0;
  return static_cast<double>(lengths.target - lengths.trained) / static_cast<double>(lengths.target);
}

/// p / (target - 1) equals some q / (trained - 1) at gcd(target - 1, trained - 1) + 1 of the target's
/// positions.
inline double unseen_normalised(const length_pair& lengths) {
  if (lengths.target == 1) return 0;  // the only code is 0, which every length has
  const std::int64_t shared =
      lengths.trained == 1 ? 1 : std::gcd(lengths.target - 1, lengths.trained - 1) + 1;
  return static_cast<double>(lengths.target - shared) / static_cast<double>(lengths.target);
}

/// Unseen share of buckets. Buckets never decrease with the distance, so those above the last one of training
/// are new.
inline double unseen_buckets(const t5_bias& config, const length_pair& lengths) {
  const int seen = t5_bucket(-(lengths.trained - 1), config) + 1,
            met = t5_bucket(-(lengths.target - 1), config) + 1;
  return met <= seen ? 0 : static_cast<double>(met - seen) / met;
}

/// Number of bits that represent `length` different positions.
inline int bits_for(std::int64_t length) {
  int bits = 1;
  while (std::int64_t{1} << bits < length) ++bits;
  return bits;
}

/// Mean unseen share over the channels sin(p base^(-j / width)), each of which sweeps its own arc.
template <std::same_as<index_code> Config = index_code>
double unseen_sines(const Config& config, const length_pair& lengths) {
  std::vector<pair_coverage> channels;
  for (int column = 0; column < config.width; ++column)
    channels.push_back(
        coverage_of(sine_only_inv_freq<coverage_limbs>(column, config) * inverse_two_pi<coverage_limbs>(),
                    coverage_number::of(1), lengths));
  return summarise(channels).mean_unseen;
}

template <std::same_as<length_pair> Lengths = length_pair>
void measure_absolute(std::vector<beyond_training>& result, int width, const Lengths& lengths) {
  const std::int64_t last = lengths.target - 1;
  const sinusoidal waves{.d_model = width};
  result.push_back(asked("sinusoidal", "base 10000", "phases, the mean over pairs",
                         summarise(phase_coverage(waves, lengths)).mean_unseen,
                         [&] { (void)sinusoidal_entry<2>(static_cast<double>(last), 0, waves); }));
  const learned table{.max_position_embeddings = lengths.trained, .d_model = width};
  result.push_back(asked("learned", "a table of the trained length", "rows", unseen_positions(lengths),
                         [&] { validate_position(last, table); }));
  const index_code integer{};
  result.push_back(asked("integer", "", "values", unseen_positions(lengths),
                         [&] { (void)exact_index_code(last, 0, integer); }));
  const index_code normalised{.kind = index_code_kind::normalised, .length = lengths.target};
  result.push_back(asked("normalised", "over the target length: codes of all positions change", "values",
                         unseen_normalised(lengths), [&] { (void)exact_index_code(last, 0, normalised); }));
  const index_code binary{.kind = index_code_kind::binary, .width = bits_for(lengths.trained)};
  result.push_back(asked("binary", "as many bits as the trained length needs", "codes",
                         unseen_positions(lengths), [&] { (void)exact_index_code(last, 0, binary); }));
  const index_code sines{.kind = index_code_kind::sine_only, .width = width};
  result.push_back(asked("sine-only", "base 10000", "phases, the mean over channels",
                         unseen_sines(sines, lengths),
                         [&] { (void)sine_only_entry<2>(static_cast<double>(last), 0, sines); }));
}

template <std::same_as<length_pair> Lengths = length_pair>
void measure_relative(std::vector<beyond_training>& result, int width, const Lengths& lengths) {
  const std::int64_t last = lengths.target - 1;
  const sinusoidal waves{.d_model = width, .layout = sinusoidal_layout::sin_cos};
  result.push_back(asked("transformer-xl", "base 10000", "phases of distances, the mean over pairs",
                         summarise(phase_coverage(waves, lengths)).mean_unseen,
                         [&] { (void)sinusoidal_entry<2>(static_cast<double>(last), 0, waves); }));
  const t5_bias buckets{.bidirectional = false};
  result.push_back(asked("t5", "32 buckets, max_distance 128, causal", "buckets",
                         unseen_buckets(buckets, lengths), [&] { (void)t5_bucket(-last, buckets); }));
  const alibi slopes{.heads = 8};
  result.push_back(asked("alibi", "8 heads", "biases of each head", unseen_positions(lengths),
                         [&] { (void)alibi_bias<2>(0, last, slopes); }));
}

}  // namespace detail

/// Measures the given rope, and every other encoding at the same width with its usual parameters.
///
/// throws  std::invalid_argument naming the field and its value
template <std::same_as<rope> Config = rope>
std::vector<beyond_training> measure_beyond_training(const Config& config, const length_pair& lengths) {
  validate(lengths);
  const std::int64_t last = lengths.target - 1;
  std::vector<beyond_training> result;
  result.push_back(detail::asked("rope", "as configured", "phases, the mean over pairs",
                                 summarise(phase_coverage(config, lengths)).mean_unseen, [&] {
                                   (void)rotation_matrix<2>(config, static_cast<double>(last)).block(0);
                                 }));
  const xpos scaled{.base = config.base, .rotary_dim = config.rotary_dim, .length = lengths.target};
  result.push_back(detail::asked("xpos", "the same base, scale_base 512", "phases, the mean over pairs",
                                 summarise(phase_coverage(rotary_part(scaled), lengths)).mean_unseen,
                                 [&] { (void)xpos_scale<2>(0, last, xpos_side::query, scaled); }));
  detail::measure_relative(result, config.rotary_dim, lengths);
  detail::measure_absolute(result, config.rotary_dim, lengths);
  return result;
}

/// Share of an ALiBi head's attention that goes to keys farther away than any in training, if all content
/// scores are equal: (q^trained - q^target) / (1 - q^target), q = e^-slope.
///
/// domain  0 <= head < heads, target >= trained
/// error   the binary64 nearest to a number within 2^-180 of the exact one
/// throws  std::invalid_argument naming the field and its value
template <std::same_as<alibi> Config = alibi>
double alibi_attention_beyond(int head, const Config& config, const length_pair& lengths) {
  using number = detail::coverage_number;
  validate(lengths);
  require(lengths.target >= lengths.trained, "target", static_cast<double>(lengths.target),
          "at least the trained length");
  const number slope = alibi_slope<detail::coverage_limbs>(head, config);
  const auto weight_from = [&](std::int64_t length) {
    const number exponent = slope * number::of(length);
    // e^-1000 is below 2^-1075, and so 0 in every binary64 that is shown.
    return compare(exponent, number::of(1000)) == order::greater ? number::of(0) : exp(-exponent);
  };
  const number beyond = weight_from(lengths.trained), end = weight_from(lengths.target);
  return detail::shown_number((beyond - end) / (number::of(1) - end));
}

}  // namespace ropewalk
