// Claims about the pairs of sinusoidal encodings: their frequencies, and the effect of a distance.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/models.hpp"
#include "claim/nearest.hpp"
#include "claim/real.hpp"
#include "claim/sinusoidal_law.hpp"
#include "ropewalk/encoding/sinusoidal_shift.hpp"

namespace ropewalk::claim {
namespace {

real inv_freq(int pair, const sinusoidal& config) { return sinusoidal_inv_freq<limb_count>(pair, config); }

evidence sinusoidal_frequencies_fall() {
  bool falls = true;
  for (int pair = 1; pair < pair_count(gpt_2); ++pair)
    falls = falls && is_below(inv_freq(pair, gpt_2), inv_freq(pair - 1, gpt_2));
  const measurement law = measure_sinusoids(sinusoidal_laws::frequencies, gpt_2, gpt_2_length);
  const auto step = [](int pair) {  // |PE(p + 1) - PE(p)| for one pair, at any p
    return nearest(times_power_of_two(
        cos_sin_of_turns(times_power_of_two(sinusoidal_turns<limb_count>(pair, gpt_2), -1)).sin, 1));
  };
  std::string text = "768 channels; radians per position, and how far neighbours lie apart:";
  for (const int pair : {0, 1, 50, 150, 383})
    text += fmt::format("\npair {}: {:.6g}, {:.6g}", pair, nearest(inv_freq(pair, gpt_2)), step(pair));
  return {falls && law.holds && step(383) < 1.03e-4 && step(0) > 0.95, text};
}

evidence shift_is_a_rotation() {
  const measurement law = measure_sinusoids(sinusoidal_laws::shift, gpt_2, gpt_2_length);
  const sinusoidal_shift<limb_count> shift({.d_model = 8}, 5);
  const auto turn = [&](int pair) { return nearest(shift.turn(pair).cos); };
  return {law.holds && turn(0) != turn(1),
          fmt::format("{} pairs of rows 1, 7 and 512 positions apart in binary32: the farthest from the "
                      "rotated one is {:.3f} of what two roundings allow, {:.3g}\n8 channels, k = 5: pair 0 "
                      "turns by an angle of cosine {:.4f}, pair 1 of {:.4f}, pair 3 of {:.10f}",
                      law.compared, law.worst, law.bound, turn(0), turn(1), turn(3))};
}

/// Compares PE(p) . PE(q) with the sum of cosines that depends only on their distance.
evidence dot_products_distinguish_distances() {
  const sinusoidal config{.d_model = 32};
  const auto dot = [&](double p, double q) {
    real sum = real::of(0);
    for (int channel = 0; channel < config.d_model; ++channel)
      sum = sum + sinusoidal_entry<limb_count>(p, channel, config) *
                      sinusoidal_entry<limb_count>(q, channel, config);
    return sum;
  };
  std::string text = "32 channels, PE(p) . PE(p + k) at p = 0, 100 and 100000:";
  bool same = true;
  for (const double k : {1.0, 5.0, 50.0}) {
    const double near = nearest(dot(0, k)), middle = nearest(dot(100, 100 + k)),
                 far = nearest(dot(100000, 100000 + k));
    same = same && near == middle && middle == far;
    text += fmt::format("\nk = {}: {:.12f}, {:.12f}, {:.12f}", k, near, middle, far);
  }
  return {same && is_below(dot(0, 50), dot(0, 5)), text};
}

evidence rows_are_unique() {
  const sinusoidal two{.d_model = 2};
  const std::int64_t of_two = sinusoidal_distinct_length<bfloat16>(two, 2000);
  const std::int64_t of_many = sinusoidal_distinct_length<bfloat16>(gpt_2, 131072);
  const auto rows = sinusoidal_encodings<bfloat16>({0, 1500}, two);
  std::int64_t meeting = -1;
  for (std::size_t p = 0; p + 710 < 1500 && meeting < 0; ++p)
    if (rows[2 * p] == rows[2 * (p + 710)] && rows[2 * p + 1] == rows[2 * (p + 710) + 1])
      meeting = static_cast<std::int64_t>(p);
  return {of_two == 710 && meeting >= 0 && of_many == 131072,
          fmt::format("rounded to bfloat16, 2 channels: rows less than {} apart differ, and positions {} and "
                      "{} share theirs; 768 channels: all rows less than {} apart differ",
                      of_two, meeting, meeting + 710, of_many)};
}

/// cos(p / b^((2i + 1) / d)) with sin(p / b^(2i / d)), in binary64, rounded once more.
std::vector<std::uint64_t> with_frequencies_of_their_own(position_range positions, const sinusoidal& config) {
  std::vector<std::uint64_t> bits;
  for (std::int64_t p = positions.begin; p < positions.end; ++p)
    for (int channel = 0; channel < config.d_model; ++channel) {
      const double angle =
          static_cast<double>(p) * std::pow(config.base, -static_cast<double>(channel) / config.d_model);
      bits.push_back(to_bits(static_cast<float>(channel % 2 == 0 ? std::sin(angle) : std::cos(angle))));
    }
  return bits;
}

evidence cosines_share_the_sines_frequency() {
  const sinusoidal config{.d_model = 64};
  const measurement shared = measure_sinusoids(sinusoidal_laws::shift, config, 256);
  const measurement own =
      measure_sinusoids(sinusoidal_laws::shift, config, 256, with_frequencies_of_their_own);
  return {shared.holds && !own.holds,
          fmt::format("64 channels, 256 positions: off a rotation by {:.3f} of what rounding allows with the "
                      "pair's frequency, by {:.3g} of it with 2i + 1 in the cosine's exponent",
                      shared.worst, own.worst)};
}

evidence frequencies_come_in_pairs() {
  int different = 0;
  for (int channel = 0; channel < gpt_2.d_model; ++channel)
    different += channel == 0 || content_of(channel, gpt_2).pair != content_of(channel - 1, gpt_2).pair;
  const bool fall = is_below(inv_freq(383, gpt_2), inv_freq(0, gpt_2));
  return {different == 384 && fall, fmt::format("768 channels, {} frequencies", different)};
}

/// The sine of the angle from (x0, y0) to (x1, y1), two points of the unit circle.
real sine_between(const real& x0, const real& y0, const real& x1, const real& y1) {
  return x0 * y1 - y0 * x1;
}

evidence frequency_and_sense_of_rotation() {
  std::string text = "longest wavelength, base 10000:";
  bool ends_below = true;
  const real whole = pi<limb_count>() * real::of(20000), most = real::of(62000);
  for (const int channels : {128, 512, 768, 4096}) {
    const sinusoidal config{.d_model = channels};
    const real longest = real::of(1) / sinusoidal_turns<limb_count>(pair_count(config) - 1, config);
    ends_below = ends_below && is_below(longest, whole) && (channels > 768 || is_below(longest, most));
    text += fmt::format(" {:.0f} at {} channels;", nearest(longest), channels);
  }
  const real omega = inv_freq(1, gpt_2), frequency = sinusoidal_turns<limb_count>(1, gpt_2);
  const bool is_two_pi_times = agree(omega, times_power_of_two(pi<limb_count>(), 1) * frequency);
  const auto entry = [](double position, int channel) {
    return sinusoidal_entry<limb_count>(position, channel, gpt_2);
  };
  const real y0 = entry(5, 2), x0 = entry(5, 3), y1 = entry(6, 2), x1 = entry(6, 3);  // sin, cos of pair 1
  const real in_circle = sine_between(x0, y0, x1, y1), in_vector = sine_between(y0, x0, y1, x1);
  return {ends_below && is_two_pi_times && is_below(real::of(0), in_circle) && agree(in_vector, -in_circle),
          text + fmt::format(" always below 10000 x 2 pi = {:.0f}\npair 1 of 768 channels: omega = {:.6f} "
                             "radians, and the frequency is {:.6f} turns per position\nfrom position 5 to 6 "
                             "(cos, sin) turns by an angle of sine {:.6f}, (sin, cos) by one of sine {:.6f}",
                             nearest(whole), nearest(omega), nearest(frequency), nearest(in_circle),
                             nearest(in_vector))};
}

}  // namespace

std::vector<claim> sinusoidal_pairs_claims() {
  return {
      {.number = 4,
       .documents = {document::study_notes, document::lecture},
       .statement = "frequency falls strictly with the pair; late pairs barely move between neighbours",
       .decided = verdict::holds,
       .correction = "",
       .witness = "theorem frequencies_fall_strictly_with_the_pair; law \"frequencies\"",
       .run = sinusoidal_frequencies_fall},
      {.number = 7,
       .documents = {document::lecture, document::attn_tensors, document::blog_post},
       .statement = "PE(p + k) is a rotation of PE(p) by an angle that depends on k alone",
       .decided = verdict::corrected,
       .correction =
           "one linear map for every p, but each pair turns by an angle of its own, k inv_freq(pair)",
       .witness = "theorem one_rotation_shifts_every_position; law \"shift\"",
       .run = shift_is_a_rotation},
      {.number = 44,
       .documents = {document::lecture},
       .statement = "the base is 10000 because model dimensions are near 1000; omega = 10000^(-2i/d) is the "
                    "frequency, and the row of p + k is that of p rotated by omega k; Llama has rotary "
                    "encodings, too",
       .decided = verdict::corrected,
       .correction = "the dimension does not decide the base: the longest wavelength ends below 2 pi base at "
                     "any dimension. omega is 2 pi times the frequency. The rotation is counter-clockwise in "
                     "(cos, sin), and clockwise in the vector's own order (sin, cos)",
       .witness = "frequency_and_sense_of_rotation; theorem one_rotation_shifts_every_position",
       .run = frequency_and_sense_of_rotation},
      {.number = 51,
       .documents = {document::study_notes},
       .statement = "sinusoids cannot capture relative positional relationships",
       .decided = verdict::refuted,
       .correction = "PE(p) . PE(q) depends on the distance q - p alone, and one rotation leads from row to "
                     "row; what is not relative is the score of tokens to which rows were added",
       .witness = "theorem dot_product_of_two_rows_depends_on_the_distance_alone",
       .run = dot_products_distinguish_distances},
      {.number = 52,
       .documents = {document::blog_post},
       .statement = "the encoding is unique for each position",
       .decided = verdict::corrected,
       .correction = "exact rows of whole positions never meet, at any distance; rounded ones can, beyond a "
                     "length that the width and the format decide",
       .witness = "law \"distinct\"; theorem pair_zero_tells_1024_positions_apart",
       .run = rows_are_unique},
      {.number = 53,
       .documents = {document::lecture},
       .statement = "the cosine of index 2i + 1 has the exponent (2i + 1) / d",
       .decided = verdict::refuted,
       .correction =
           "both channels of a pair have the exponent 2i / d; with one of its own the shift is no rotation",
       .witness = "cosines_share_the_sines_frequency; law \"shift\"",
       .run = cosines_share_the_sines_frequency},
      {.number = 54,
       .documents = {document::attn_tensors},
       .statement = "each dimension oscillates at a different frequency",
       .decided = verdict::corrected,
       .correction = "each pair of dimensions: d channels have d / 2 frequencies",
       .witness = "frequencies_come_in_pairs",
       .run = frequencies_come_in_pairs}};
}

}  // namespace ropewalk::claim
