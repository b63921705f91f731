// Claims about sinusoidal encodings.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/models.hpp"
#include "claim/nearest.hpp"
#include "claim/real.hpp"
#include "claim/sinusoidal_law.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/reference/sinusoidal.hpp"

namespace ropewalk::claim {
namespace {

using reference_number = boost::multiprecision::cpp_bin_float_100;

real wavelength(int pair, const sinusoidal& config) {
  return real::of(1) / sinusoidal_turns<limb_count>(pair, config);
}

/// |PE(position)|^2.
real squared_norm_of_row(std::int64_t position, const sinusoidal& config) {
  real sum = real::of(0);
  for (int channel = 0; channel < config.d_model; ++channel) {
    const real entry = sinusoidal_entry<limb_count>(static_cast<double>(position), channel, config);
    sum = sum + entry * entry;
  }
  return sum;
}

/// Whether a number lies in an enclosure no wider than 2^-200.
bool is_equal_to(const real& x, double value) {
  return magnitude_above(x - real::of(value)) < radius{std::uint32_t{1} << 31, -231};
}

evidence formula_and_range() {
  const measurement range = measure_sinusoids(sinusoidal_laws::range, gpt_2, gpt_2_length);
  int compared = 0, differ = 0;
  for (const std::int64_t position : {0, 1, 511, 1023})
    for (const int channel : {0, 1, 2, 301, 766, 767}) {
      const reference_number divisor =
          pow(reference_number(10000), reference_number(channel / 2 * 2) / gpt_2.d_model);
      const reference_number angle = position / divisor;
      const auto expected = (channel % 2 == 0 ? sin(angle) : cos(angle)).convert_to<double>();
      ++compared;
      differ +=
          nearest(sinusoidal_entry<limb_count>(static_cast<double>(position), channel, gpt_2)) != expected;
    }
  return {range.holds && differ == 0,
          fmt::format("{} entries of 1024 x 768 lie in [-1, 1]; of {} compared with sin(p / b^(2i/d)) and "
                      "cos(p / b^(2i/d)) in 100 digits, {} differ",
                      range.compared, compared, differ)};
}

evidence two_bases() {
  const sinusoidal printed{.base = 100000, .d_model = gpt_2.d_model};
  const position_range positions{0, gpt_2_length};
  const auto text_rows = sinusoidal_encodings<double>(positions, gpt_2);
  const auto formula_rows = sinusoidal_encodings<double>(positions, printed);
  std::size_t worst = 0;
  double largest = 0;
  for (std::size_t i = 0; i < text_rows.size(); ++i) {
    const double d = std::abs(from_bits<double>(text_rows[i]) - from_bits<double>(formula_rows[i]));
    if (d > largest) largest = d, worst = i;
  }
  const double longest = nearest(wavelength(383, gpt_2)), longest_printed = nearest(wavelength(383, printed));
  return {largest > 1.9 && std::abs(longest - 61343) < 1 && longest_printed > 9 * longest,
          fmt::format("longest wavelength of 768 channels: {:.0f} positions for 10000, {:.0f} for 100000; "
                      "largest difference of the two tables of 1024 positions: {:.3f}, at position {}, "
                      "channel {}; only pair 0 is the same",
                      longest, longest_printed, largest, worst / 768, worst % 768)};
}

/// Number of sign changes of a channel in 1024 positions: half its oscillations.
int sign_changes(int channel) {
  const sinusoidal_rows rows(gpt_2);
  std::vector<std::uint32_t> table(static_cast<std::size_t>(gpt_2_length) * 768);
  rows.rows<float>({0, gpt_2_length}, table.data());
  int changes = 0;
  for (std::size_t p = 1; p < static_cast<std::size_t>(gpt_2_length); ++p) {
    const auto at = static_cast<std::size_t>(channel);
    changes += is_negative<float>(table[p * 768 + at]) != is_negative<float>(table[(p - 1) * 768 + at]);
  }
  return changes;
}

evidence oscillations_of_gpt_2s_shape() {
  std::string text = "1024 x 768 numbers; sign changes in 1024 positions";
  std::vector<int> by_channel, by_pair;
  for (const int i : {1, 50, 150}) {
    by_channel.push_back(sign_changes(i));
    by_pair.push_back(sign_changes(2 * i));
    text += fmt::format("\ni = {}: {} as channel {} (pair {}), {} as pair {} (channel {})", i,
                        by_channel.back(), i, i / 2, by_pair.back(), i, 2 * i);
  }
  const auto falls = [](const std::vector<int>& x) { return x[0] > x[1] && x[1] > x[2]; };
  return {falls(by_channel) && falls(by_pair), text};
}

evidence norms_of_added_and_rotated() {
  const sinusoidal config{.d_model = 4};
  const rope rotary{.rotary_dim = 4};
  const std::int64_t position = 5;
  const auto added = [&](const std::vector<real>& row) {
    real squares = real::of(0);
    for (int channel = 0; channel < 4; ++channel) {
      const real sum = row[static_cast<std::size_t>(channel)] +
                       sinusoidal_entry<limb_count>(static_cast<double>(position), channel, config);
      squares = squares + sum * sum;
    }
    return squares;
  };
  const std::vector<real> values{real::of(1), real::of(2), real::of(3), real::of(4)};
  real rotated = real::of(0);
  for (int pair = 0; pair < 2; ++pair) {
    const auto block = rotation_matrix<limb_count>(rotary, static_cast<double>(position)).block(pair);
    const real x = values[static_cast<std::size_t>(2 * pair)],
               y = values[static_cast<std::size_t>(2 * pair + 1)];
    const real u = x * block.cos - y * block.sin, v = x * block.sin + y * block.cos;
    rotated = rotated + u * u + v * v;
  }
  std::vector<real> against;  // minus half the row; adding the row negates it
  for (int channel = 0; channel < 4; ++channel)
    against.push_back(-times_power_of_two(
        sinusoidal_entry<limb_count>(static_cast<double>(position), channel, config), -1));
  const real kept = added(against);
  return {is_below(real::of(31), added(values)) && is_equal_to(rotated, 30) && is_equal_to(kept, 0.5),
          fmt::format(
              "token (1, 2, 3, 4), squared norm 30: {:.4f} after adding row 5, {} after rotating by 5\ntoken "
              "-PE(5) / 2, squared norm 0.5: {} after adding row 5, though every channel changed its sign",
              nearest(added(values)), nearest(rotated), nearest(kept))};
}

evidence same_row_at_every_length() {
  const measurement law = measure_sinusoids(sinusoidal_laws::same_row, gpt_2, gpt_2_length);
  return {law.holds, fmt::format("{} entries of tables of 512 and 1024 positions, and of the later half "
                                 "alone, are those of the table of 1024",
                                 law.compared)};
}

evidence size_of_a_row() {
  bool is_constant = true;
  for (const std::int64_t position : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1023}, largest_position})
    is_constant = is_constant && is_equal_to(squared_norm_of_row(position, gpt_2), 384);
  const real row = square_root(real::of(384));
  const real drawn = square_root(real::of(768)) * real::of(2) / real::of(100);  // weights of deviation 0.02
  const real scaled = square_root(real::of(768));  // weights of deviation 1, as sqrt(d_model) makes them
  return {is_constant && is_below(real::of(35) * drawn, row) && is_below(row, scaled),
          fmt::format("768 channels: every row has the norm sqrt(384) = {:.4f}; a token drawn with deviation "
                      "0.02 has {:.4f}, 35 times less; one drawn with deviation 1 has {:.4f}",
                      nearest(row), nearest(drawn), nearest(scaled))};
}

evidence which_index_is_which_channel() {
  bool refused = false;
  try {
    (void)content_of(2 * 384, gpt_2);
  } catch (const std::invalid_argument&) {
    refused = true;
  }
  const sinusoidal_channels first = channels_of(0, gpt_2), last = channels_of(383, gpt_2);
  std::string text = fmt::format(
      "pairs i = 0 .. 383 fill channels {} .. {}; i = 384 would be channel 768 of 768: {}; position 0 has a "
      "row",
      first.sine, last.cosine, refused ? "refused" : "taken");
  for (const int i : {1, 50, 150})
    text += fmt::format(
        "\n{} as a channel is a {} of pair {}, wavelength {:.2f}; as a pair, wavelength {:.2f}", i,
        content_of(i, gpt_2).holds == wave::sine ? "sine" : "cosine", content_of(i, gpt_2).pair,
        nearest(wavelength(i / 2, gpt_2)), nearest(wavelength(i, gpt_2)));
  return {refused && first.sine == 0 && last.cosine == 767, text};
}

evidence wavelengths_by_base() {
  std::string text =
      "768 channels, 1024 positions: wavelengths of pairs 1, 150 and 383, pairs that finish no turn";
  std::vector<int> unfinished;
  for (const double base : {100.0, 10000.0, 500000.0}) {
    const sinusoidal config{.base = base, .d_model = gpt_2.d_model};
    int count = 0;
    for (int pair = 0; pair < pair_count(config); ++pair)
      count += is_below(real::of(gpt_2_length), wavelength(pair, config));
    unfinished.push_back(count);
    text += fmt::format("\nbase {}: {:.3f}, {:.1f}, {:.0f}; {} of 384", base, nearest(wavelength(1, config)),
                        nearest(wavelength(150, config)), nearest(wavelength(383, config)), count);
  }
  return {unfinished[0] == 0 && unfinished[0] < unfinished[1] && unfinished[1] < unfinished[2], text};
}

}  // namespace

std::vector<claim> sinusoidal_claims() {
  return {
      {.number = 2,
       .documents = {document::study_notes, document::lecture, document::attn_tensors, document::blog_post},
       .statement =
           "PE(p, 2i) = sin(p / b^(2i/d)), PE(p, 2i+1) = cos(p / b^(2i/d)); every value lies in [-1, 1]",
       .decided = verdict::holds,
       .correction = "",
       .witness = "law \"range\"; theorem every_pair_lies_on_the_unit_circle",
       .run = formula_and_range},
      {.number = 3,
       .documents = {document::lecture},
       .statement = "the base is 100000, as one formula prints it, or 10000, as the text says",
       .decided = verdict::corrected,
       .correction =
           "10000 in the paper and in the engines; 100000 is another encoding, for which a table serves too",
       .witness = "two_bases",
       .run = two_bases},
      {.number = 8,
       .documents = {document::lecture},
       .statement =
           "GPT-2's shape, 1024 positions of 768 channels, oscillates ever more slowly at i = 1, 50, 150",
       .decided = verdict::corrected,
       .correction =
           "holds for a sinusoidal table of that shape; GPT-2's own 1024 x 768 positions are learned",
       .witness = "oscillations_of_gpt_2s_shape",
       .run = oscillations_of_gpt_2s_shape},
      {.number = 9,
       .documents = {document::lecture, document::blog_post},
       .statement = "adding PE changes the token's vector and norm; rotating preserves the norm",
       .decided = verdict::corrected,
       .correction =
           "adding changes every vector, and its norm unless 2 x . PE + |PE|^2 = 0: x = -PE / 2 keeps it",
       .witness = "norms_of_added_and_rotated",
       .run = norms_of_added_and_rotated},
      {.number = 12,
       .documents = {document::blog_post},
       .statement = "the code of a position is the same whatever the sequence's length",
       .decided = verdict::holds,
       .correction = "",
       .witness = "law \"same-row\"; theorem rows_do_not_depend_on_the_length",
       .run = same_row_at_every_length},
      {.number = 36,
       .documents = {document::lecture},
       .statement = "the magnitude of the positional embeddings is small",
       .decided = verdict::refuted,
       .correction = "every row has the norm sqrt(d / 2), 19.6 at 768 channels: 35 times a token's that was "
                     "drawn with deviation 0.02, and 0.7 of one's that was drawn with deviation 1",
       .witness = "theorem every_pair_lies_on_the_unit_circle",
       .run = size_of_a_row},
      {.number = 37,
       .documents = {document::lecture},
       .statement = "the range of i is [1, 768], that of pos [1, 1024]",
       .decided = verdict::refuted,
       .correction =
           "i counts pairs, 0 .. 383, and 2i and 2i + 1 are channels 0 .. 767; positions run from 0 to 1023",
       .witness = "which_index_is_which_channel",
       .run = which_index_is_which_channel},
      {.number = 40,
       .documents = {document::lecture},
       .statement = "10000 is a good range; another base makes frequencies die down very fast or very slow",
       .decided = verdict::corrected,
       .correction = "neighbouring wavelengths are base^(2/d) apart and end below 2 pi base: how many pairs "
                     "finish a turn depends on the base and the length, and no base is best for every length",
       .witness = "wavelengths_by_base",
       .run = wavelengths_by_base}};
}

}  // namespace ropewalk::claim
