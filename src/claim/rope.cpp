// Claims about rotary embeddings.

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/models.hpp"
#include "claim/nearest.hpp"
#include "claim/real.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/reference/rope.hpp"
#include "ropewalk/table/cos_sin_table.hpp"

namespace ropewalk::claim {
namespace {

using real_head = std::vector<real>;
using reference_number = boost::multiprecision::cpp_bin_float_100;

constexpr rope eight{.rotary_dim = 8};

real_head head_of(std::initializer_list<int> channels) {
  real_head head;
  for (const int channel : channels) head.push_back(real::of(channel));
  return head;
}

bool heads_agree(const real_head& x, const real_head& y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!agree(x[i], y[i])) return false;
  return x.size() == y.size();
}

real dot(const real_head& x, const real_head& y) {
  real sum = real::of(0);
  for (std::size_t i = 0; i < x.size(); ++i) sum = sum + x[i] * y[i];
  return sum;
}

std::string text_of(const real_head& x) {
  std::string text;
  for (const real& channel : x) text += fmt::format("{}{:.4f}", text.empty() ? "[" : ", ", nearest(channel));
  return text + "]";
}

/// The head multiplied by rotation_matrix.
real_head by_matrix(const real_head& x, const rope& config, double position, pairing layout,
                    rotation_kind kind = rotation_kind::forward) {
  const rotation_matrix<limb_count> matrix(config, position, kind);
  real_head head;
  for (int row = 0; row < config.rotary_dim; ++row) {
    real sum = real::of(0);
    for (int column = 0; column < config.rotary_dim; ++column)
      sum = sum + matrix.at(row, column, layout) * x[static_cast<std::size_t>(column)];
    head.push_back(sum);
  }
  return head;
}

/// (x0 + i x1) e^(i position inv_freq) for every pair.
real_head by_complex_numbers(const real_head& x, const rope& config, double position, pairing layout) {
  real_head head = x;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const auto at = channels_of(pair, config.rotary_dim, layout);
    const auto first = static_cast<std::size_t>(at.first), second = static_cast<std::size_t>(at.second);
    const auto e = cos_sin_of_radians(rope_inv_freq<limb_count>(pair, config) * real::of(position));
    head[first] = x[first] * e.cos - x[second] * e.sin;
    head[second] = x[first] * e.sin + x[second] * e.cos;
  }
  return head;
}

/// [-q2, q1, -q4, q3] for interleaved pairs, [-q3, -q4, q1, q2] for halves.
real_head rotate_half(const real_head& x, pairing layout) {
  real_head half = x;
  const int channels = static_cast<int>(x.size());
  for (int pair = 0; pair < channels / 2; ++pair) {
    const auto at = channels_of(pair, channels, layout);
    half[static_cast<std::size_t>(at.first)] = -x[static_cast<std::size_t>(at.second)];
    half[static_cast<std::size_t>(at.second)] = x[static_cast<std::size_t>(at.first)];
  }
  return half;
}

/// q cos + rotate_half(q) sin, with each pair's cosine and sine at both of its channels.
real_head by_halves(const real_head& x, const rope& config, double position, pairing layout, pairing half) {
  const real_head turned = rotate_half(x, half);
  real_head head = x;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const auto e = cos_sin_of_turns(rope_turns<limb_count>(pair, config) * real::of(position));
    const auto at = channels_of(pair, config.rotary_dim, layout);
    for (const int channel : {at.first, at.second}) {
      const auto i = static_cast<std::size_t>(channel);
      head[i] = x[i] * e.cos + turned[i] * e.sin;
    }
  }
  return head;
}

const real_head example = head_of({3, -1, 4, 1, -5, 9, 2, -6});

evidence three_forms_are_one_map() {
  int compared = 0, differ = 0;
  for (const pairing layout : {pairing::interleaved, pairing::half_split})
    for (const double position : {0.0, 1.0, -7.0, 0.5, 131071.0}) {
      const real_head matrix = by_matrix(example, eight, position, layout);
      compared += 2;
      differ += !heads_agree(matrix, by_complex_numbers(example, eight, position, layout));
      differ += !heads_agree(matrix, by_halves(example, eight, position, layout, layout));
    }
  return {differ == 0, fmt::format("8 channels, 5 positions, both pairings: of {} heads turned by complex "
                                   "numbers and by rotate_half, {} lie 2^-200 or more from the matrix's",
                                   compared, differ)};
}

evidence indices_from_one_and_from_zero() {
  const std::vector<std::uint64_t> from_zero = inv_freqs<double>(llama_2);
  int differ = 0;
  for (int n = 1; n <= 64; ++n) {
    const reference_number from_one = pow(reference_number(10000), reference_number(-2 * (n - 1)) / 128);
    differ += to_bits(from_one.convert_to<double>()) != from_zero[static_cast<std::size_t>(n - 1)];
  }
  return {differ == 0 && from_bits<double>(from_zero[0]) == 1,
          fmt::format("128 channels: of 64 frequencies b^(-2(n-1)/d) in 100 digits, {} round to another "
                      "binary64 than b^(-2i/d), i = n - 1; the first is {}, the last {:.6g}",
                      differ, from_bits<double>(from_zero[0]), from_bits<double>(from_zero[63]))};
}

/// d = 4, m = 2, q = [1, 0, 1, 0]: theta [1, 0.1] has base 100; the text's 10000 gives [1, 0.01].
evidence worked_example() {
  constexpr rope base_100{.base = 100, .rotary_dim = 4}, base_10000{.base = 10000, .rotary_dim = 4};
  constexpr position_range at_2{2, 3};
  constexpr auto inv_freq = inv_freq_table<double, base_100>, other = inv_freq_table<double, base_10000>;
  constexpr auto cos = cos_table<double, base_100, at_2>[0], sin = sin_table<double, base_100, at_2>[0];
  const std::string text = fmt::format(
      "base 100: theta = [{}, {}], q' = [{:.2f}, {:.2f}, {:.2f}, {:.2f}]; base 10000: theta = [{}, {}]",
      inv_freq[0], inv_freq[1], cos[0], sin[0], cos[1], sin[1], other[0], other[1]);
  return {inv_freq[1] == 0.1 && other[1] == 0.01 && text.find("[-0.42, 0.91, 0.98, 0.20]") != text.npos,
          text};
}

evidence two_rotate_halves() {
  const real_head four = head_of({1, 2, 3, 4});
  const real_head interleaved = rotate_half(four, pairing::interleaved);
  const real_head half_split = rotate_half(four, pairing::half_split);
  const rope config{.rotary_dim = 4};
  const real_head right = by_matrix(four, config, 1, pairing::half_split);
  const real_head wrong = by_halves(four, config, 1, pairing::half_split, pairing::interleaved);
  const bool shown = heads_agree(interleaved, head_of({-2, 1, -4, 3})) &&
                     heads_agree(half_split, head_of({-3, -4, 1, 2})) && !heads_agree(right, wrong) &&
                     !agree(dot(wrong, wrong), dot(four, four));
  return {shown,
          fmt::format(
              "rotate_half([1, 2, 3, 4]): {} interleaved, {} half-split\nhalf-split head [1, 2, 3, 4] at "
              "position 1: {}; with the interleaved rotate_half {}, of squared norm {:.4f} in place of 30",
              text_of(interleaved), text_of(half_split), text_of(right), text_of(wrong),
              nearest(dot(wrong, wrong)))};
}

/// The loss w . R(i) q is linear in q: its derivative by channel a is its value at unit vector a.
evidence gradients_take_the_transpose() {
  const rope config{.rotary_dim = 4};
  const real_head upstream = head_of({1, 2, -3, 1});
  constexpr double position = 1;
  real_head gradient;
  for (std::size_t channel = 0; channel < 4; ++channel) {
    real_head unit = head_of({0, 0, 0, 0});
    unit[channel] = real::of(1);
    gradient.push_back(dot(upstream, by_matrix(unit, config, position, pairing::interleaved)));
  }
  const real_head claimed = by_matrix(upstream, config, position, pairing::interleaved);
  const real_head back = by_matrix(upstream, config, -position, pairing::interleaved);
  const real_head adjoint =
      by_matrix(upstream, config, position, pairing::interleaved, rotation_kind::backward);
  const rotation_matrix<limb_count> matrix(config, position);
  const real above = matrix.at(0, 1, pairing::interleaved), below = matrix.at(1, 0, pairing::interleaved);
  return {heads_agree(gradient, back) && heads_agree(gradient, adjoint) && !heads_agree(gradient, claimed) &&
              !agree(above, below) && agree(above, -below),
          fmt::format("loss [1, 2, -3, 1] . R(1) q: its gradient is {}\nR(-1) [1, 2, -3, 1] is the same; "
                      "R(1), as printed, gives {}\nR(1) has {:.4f} above its diagonal and {:.4f} below",
                      text_of(gradient), text_of(claimed), nearest(above), nearest(below))};
}

/// 2^m R(m) q and 2^-n R(n) k: a score that depends only on n - m, although the radii grow and fall.
evidence one_function_for_query_and_key() {
  bool is_progression = true;
  for (const double m : {0.0, 1.0, 4095.0, 131071.0}) {
    const real_head before = by_matrix(example, eight, m, pairing::interleaved);
    is_progression = is_progression && heads_agree(by_matrix(before, eight, 1, pairing::interleaved),
                                                   by_matrix(example, eight, m + 1, pairing::interleaved));
  }
  const real_head still = by_matrix(example, eight, 0, pairing::interleaved);
  const real_head far = by_matrix(example, eight, 1000, pairing::interleaved);
  const real_head other = head_of({2, 7, 1, -8, 2, 8, -1, 8});
  const auto score = [&](int m, int n) {
    const real turned = dot(by_matrix(example, eight, m, pairing::interleaved),
                            by_matrix(other, eight, n, pairing::interleaved));
    return times_power_of_two(turned, m - n);
  };
  const real here = score(3, 5), there = score(40, 42);
  const real norm = dot(example, example);
  return {is_progression && heads_agree(still, example) && agree(dot(far, far), norm) && agree(here, there),
          fmt::format("R(0) x = x; |R(1000) x|^2 = {} = |x|^2; R(m + 1) = R(1) R(m) at m = 0, 1, 4095, "
                      "131071\nf_q = 2^m R(m) q and f_k = 2^-n R(n) k score {:.6f} at (3, 5) and {:.6f} at "
                      "(40, 42): a radius of 2^3 and of 2^40",
                      nearest(dot(far, far)), nearest(here), nearest(there))};
}

evidence early_pairs_and_late_pairs() {
  const auto moved = [](int pair, int distance) {  // |R(distance) - 1| for one pair
    const real half = times_power_of_two(rope_turns<limb_count>(pair, llama_2) * real::of(distance), -1);
    return times_power_of_two(absolute(cos_sin_of_turns(half).sin), 1);
  };
  std::string text = "128 channels: how far a unit pair moves over 1, 16, 710 and 8192 positions";
  for (const int pair : {0, 31, 63}) {
    text += fmt::format("\npair {}:", pair);
    for (const int distance : {1, 16, 710, 8192})
      text += fmt::format(" {:.3g}", nearest(moved(pair, distance)));
  }
  return {is_below(real::of(9), real::of(10) * moved(0, 1)) &&
              is_below(real::of(8000) * moved(63, 1), real::of(1)) &&
              is_below(real::of(8), real::of(10) * moved(63, 8192)) && is_below(moved(0, 710), moved(63, 1)),
          text};
}

evidence multiplied_and_added() {
  const sinusoidal waves{.d_model = 8};
  const real_head doubled = [] {
    real_head head = example;
    for (real& channel : head) channel = times_power_of_two(channel, 1);
    return head;
  }();
  const auto change = [](const real_head& before, const real_head& after) {
    real_head head = before;
    for (std::size_t i = 0; i < head.size(); ++i) head[i] = after[i] - before[i];
    return head;
  };
  const auto with_row = [&](const real_head& x) {
    real_head head = x;
    for (std::size_t i = 0; i < head.size(); ++i)
      head[i] = head[i] + sinusoidal_entry<limb_count>(5, static_cast<int>(i), waves);
    return head;
  };
  const auto turned = [](const real_head& x) { return by_matrix(x, eight, 5, pairing::interleaved); };
  const real_head of_example = change(example, turned(example)), of_double = change(doubled, turned(doubled));
  real_head twice = of_example;
  for (real& channel : twice) channel = times_power_of_two(channel, 1);
  const bool added_the_same =
      heads_agree(change(example, with_row(example)), change(doubled, with_row(doubled)));
  return {added_the_same && heads_agree(of_double, twice) && !heads_agree(of_double, of_example),
          fmt::format("position 5, tokens x and 2x of 8 channels: a sinusoid changes both by the same "
                      "vector, of norm 2; the rotation changes them by {:.4f} and {:.4f}",
                      nearest(square_root(dot(of_example, of_example))),
                      nearest(square_root(dot(of_double, of_double))))};
}

/// Counted from 1, base^(-2i/d) has no pair with frequency 1, for any base.
evidence pairs_counted_from_one() {
  std::string text = "d = 4, the example's theta is [1, 0.1]";
  bool never_one = true;
  for (const double base : {100.0, 10000.0}) {
    const rope four{.base = base, .rotary_dim = 4};
    const real first = rope_inv_freq<limb_count>(1, four);
    const std::array<double, 2> from_one{nearest(first), nearest(first * first)};
    never_one = never_one && from_one[0] < 1;
    text += fmt::format("; base {}: from 0 [1, {}], from 1 [{}, {:.6g}]", base, nearest(first), from_one[0],
                        from_one[1]);
  }
  return {never_one, text};
}

evidence frequencies_fall() {
  const auto inv_freq = [](int pair) { return rope_inv_freq<limb_count>(pair, llama_2); };
  bool falls = true;
  for (int pair = 1; pair < 64; ++pair) falls = falls && is_below(inv_freq(pair), inv_freq(pair - 1));
  return {falls, fmt::format("128 channels: theta of pairs 1, 2, 32 and 64 (counted from 1) is {:.4g}, "
                             "{:.4g}, {:.4g}, {:.4g}; each of 63 steps goes down",
                             nearest(inv_freq(0)), nearest(inv_freq(1)), nearest(inv_freq(31)),
                             nearest(inv_freq(63)))};
}

}  // namespace

std::vector<claim> rope_claims() {
  return {
      {.number = 14,
       .documents = {document::roformer_notes, document::attn_tensors},
       .statement =
           "the block-diagonal matrix, q e^(i m theta) and q cos + rotate_half(q) sin are the same map",
       .decided = verdict::holds,
       .correction = "",
       .witness = "theorem three_forms_of_the_rotation_are_one_map",
       .run = three_forms_are_one_map},
      {.number = 15,
       .documents = {document::study_notes, document::roformer_notes, document::attn_tensors},
       .statement = "theta_n = b^(-2(n-1)/d), n from 1, equally b^(-2i/d), i from 0",
       .decided = verdict::holds,
       .correction = "",
       .witness = "indices_from_one_and_from_zero; theorem every_inv_freq_is_correctly_rounded",
       .run = indices_from_one_and_from_zero},
      {.number = 16,
       .documents = {document::attn_tensors},
       .statement =
           "worked example: d = 4, m = 2, theta = [1, 0.1], q = [1, 0, 1, 0] -> [-0.42, 0.91, 0.98, 0.20]",
       .decided = verdict::corrected,
       .correction = "holds for base 100; with the base 10000 of the same text theta is [1, 0.01]",
       .witness = "worked_example",
       .run = worked_example},
      {.number = 17,
       .documents = {document::attn_tensors},
       .statement = "rotate_half([q1, q2, q3, q4]) = [-q2, q1, -q4, q3]",
       .decided = verdict::corrected,
       .correction = "holds for interleaved pairs; half-split engines have [-q3, -q4, q1, q2], and either "
                     "form with the other's cosines is no rotation",
       .witness = "two_rotate_halves; theorem mixed_pairings_are_no_rotation",
       .run = two_rotate_halves},
      {.number = 18,
       .documents = {document::attn_tensors},
       .statement = "dL/dQ = R(i) dL/dQ~; the rotation is its own transpose, so gradients just rotate back",
       .decided = verdict::refuted,
       .correction = "dL/dQ^a = R^ba(i) dL/dQ~^b = R(-i) dL/dQ~: the transpose is the rotation by the "
                     "opposite angle, and by it gradients do rotate back",
       .witness = "theorem gradient_is_the_rotation_by_the_opposite_position",
       .run = gradients_take_the_transpose},
      {.number = 19,
       .documents = {document::blog_post},
       .statement =
           "a score of q, k and n - m alone, with f(x, 0) = x, wants phi(m) = m theta and a radius without m",
       .decided = verdict::corrected,
       .correction = "holds where one f serves queries and keys; with two, the radii may be r^m and r^-n, as "
                     "in xPos, and the score is as relative",
       .witness = "one_function_for_query_and_key; theorem opposite_radii_keep_the_score_relative",
       .run = one_function_for_query_and_key},
      {.number = 21,
       .documents = {document::study_notes},
       .statement = "early pairs tell neighbours apart, late pairs only distant tokens",
       .decided = verdict::corrected,
       .correction = "holds, but early pairs repeat: at a distance of 710 positions pair 0 of 64 moves less "
                     "than pair 63 between neighbours",
       .witness = "early_pairs_and_late_pairs; theorem rotary_frequencies_fall_strictly_with_the_pair",
       .run = early_pairs_and_late_pairs},
      {.number = 28,
       .documents = {document::blog_post},
       .statement =
           "RoPE depends on token and position and multiplies; a sinusoid on the position alone and is added",
       .decided = verdict::holds,
       .correction = "",
       .witness = "multiplied_and_added; theorem three_forms_of_the_rotation_are_one_map",
       .run = multiplied_and_added},
      {.number = 38,
       .documents = {document::attn_tensors},
       .statement = "theta_i = 10000^(-2i/d) with pairs counted from 1",
       .decided = verdict::corrected,
       .correction =
           "pairs count from 0: from 1 no base gives the first pair the frequency 1 of its worked example",
       .witness = "pairs_counted_from_one",
       .run = pairs_counted_from_one},
      {.number = 71,
       .documents = {document::study_notes},
       .statement = "the rotation angle theta_n grows smoothly with the pair index n",
       .decided = verdict::refuted,
       .correction = "it falls with n, from 1, as that document's own formula 10000^(-2(n-1)/d) says",
       .witness = "frequencies_fall; theorem rotary_frequencies_fall_strictly_with_the_pair",
       .run = frequencies_fall}};
}

}  // namespace ropewalk::claim
