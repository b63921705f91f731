// Claims about index codes: integers, normalised and binary codes, and sines without cosines.

#include "ropewalk/encoding/index_code.hpp"
#include "claim/real.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/nearest.hpp"
#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/table/index_code_table.hpp"

namespace ropewalk::claim {
namespace {

int digit(std::int64_t position, int column, const index_code& config) {
  return is_zero(exact_index_code(position, column, config).numerator) ? 0 : 1;
}

/// The digits of a position in the order of the columns.
std::string digits(std::int64_t position, const index_code& config) {
  std::string text;
  for (int column = 0; column < config.width; ++column)
    text += digit(position, column, config) == 0 ? '0' : '1';
  return text;
}

/// Number of digits that change from one position to the next.
int changed_digits(std::int64_t position, const index_code& config) {
  int changed = 0;
  for (int column = 0; column < config.width; ++column)
    changed += digit(position, column, config) != digit(position + 1, column, config);
  return changed;
}

evidence binary_code() {
  const index_code config{.kind = index_code_kind::binary, .width = 10};
  const index_code printed{.kind = index_code_kind::binary, .width = 2, .order = bit_order::msb};
  const index_code fast_first{.kind = index_code_kind::binary, .width = 2};
  std::set<std::string> codes;
  bool changes = true;
  for (std::int64_t p = 0; p < 1024; ++p) {
    codes.insert(digits(p, config));
    for (int k = 0; p > 0 && k < 10; ++k)
      changes = changes && (digit(p, k, config) != digit(p - 1, k, config)) == (p % (1 << k) == 0);
  }
  std::string example, other;
  for (std::int64_t p = 0; p < 4; ++p)
    example += " " + digits(p, printed), other += " " + digits(p, fast_first);
  return {codes.size() == 1024 && changes && example == " 00 01 10 11" && other == " 00 10 01 11",
          fmt::format("10 bits give 1024 positions {} codes, and bit k changes where 2^k divides the "
                      "position\nslowest bit first, as printed:{}; fastest first, as bit k is counted:{}; "
                      "from 511 to 512 {} of 10 bits change",
                      codes.size(), example, other, changed_digits(511, config))};
}

/// |PE(p + h) - PE(p)|.
real distance_of_rows(double position, double step, const sinusoidal& config) {
  real squares = real::of(0);
  for (int channel = 0; channel < config.d_model; ++channel) {
    const real d = sinusoidal_entry<limb_count>(position + step, channel, config) -
                   sinusoidal_entry<limb_count>(position, channel, config);
    squares = squares + d * d;
  }
  return square_root(squares);
}

evidence sinusoids_do_not_jump() {
  const sinusoidal config{.d_model = 16};
  real speed = real::of(0);  // |PE'(p)|, the same at every p: the root of the sum of squared frequencies
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const real f = sinusoidal_inv_freq<limb_count>(pair, config);
    speed = speed + f * f;
  }
  speed = square_root(speed);
  bool is_smooth = true;
  std::string text = fmt::format(
      "16 channels, |PE'| = {:.6f} at every position; |PE(127 + h) - PE(127)| / h:", nearest(speed));
  for (const int power : {0, -4, -8, -12}) {
    const double step = std::ldexp(1.0, power);
    const real slope = distance_of_rows(127, step, config) / real::of(step);
    // A chord is shorter than its arc by a share of at most h^2 f^2 / 24, and f <= 1.
    const real shortest = speed * (real::of(1) - real::of(step) * real::of(step) / real::of(24));
    is_smooth = is_smooth && is_below(slope, speed) && is_below(shortest, slope);
    text += fmt::format(" h = 2^{}: {:.6f};", power, nearest(slope));
  }
  const index_code bits{.kind = index_code_kind::binary, .width = 16};
  text += fmt::format(
      "\nbinary, 16 bits: {} change from 126 to 127, {} from 127 to 128, and between there is no code",
      changed_digits(126, bits), changed_digits(127, bits));
  return {is_smooth && changed_digits(127, bits) == 8, text};
}

/// The normalised code of position 2, as a fraction.
std::string normalised_position_2(std::int64_t length) {
  const auto code = exact_index_code(2, 0, {.kind = index_code_kind::normalised, .length = length});
  return fmt::format("{}/{}", code.numerator.word[0], code.denominator.word[0]);
}

evidence raw_and_normalised_index() {
  const std::string of_5 = normalised_position_2(5), of_100 = normalised_position_2(100);
  const bool overflows = round_index_code<binary16>(65520, 0, {}) == format<binary16>::infinity;
  const bool meets = round_index_code<bfloat16>(257, 0, {}) == round_index_code<bfloat16>(256, 0, {});
  return {overflows && meets && of_5 == "1/2" && of_100 == "2/99",
          fmt::format("index 65520 is infinite in binary16, and 257 is 256 in bfloat16; position 2 is {} of "
                      "length 5 and {} of length 100",
                      of_5, of_100)};
}

evidence sines_alone() {
  const index_code config{.kind = index_code_kind::sine_only, .width = 512};
  const auto wavelength = [&](int column) {
    return real::of(1) / (sine_only_inv_freq<limb_count>(column, config) * inverse_two_pi<limb_count>());
  };
  const real last = wavelength(511), whole = pi<limb_count>() * real::of(20000);
  bool zero_at_origin = true;
  for (const int column : {0, 1, 255, 511})
    zero_at_origin = zero_at_origin && is_zero(sine_only_entry<limb_count>(0, column, config).midpoint);
  const real at_one = sine_only_entry<limb_count>(1, 0, config);
  return {
      is_below(last, whole) && zero_at_origin && is_below(real::of(0), at_one),
      fmt::format(
          "512 channels: wavelengths from {:.6f} to {:.1f}; 10000 x 2 pi = {:.1f} is not reached\nthe code "
          "of position 0 is the zero vector, which a linear map keeps, and channel 0 of position 1 is {:.6f}",
          nearest(wavelength(0)), nearest(last), nearest(whole), nearest(at_one))};
}

evidence binary_codes_read_back() {
  const index_code config{.kind = index_code_kind::binary, .width = 16};
  int wrong = 0;
  for (std::int64_t p = 0; p < 65536; ++p) {
    std::int64_t read = 0;
    for (int column = 0; column < 16; ++column) read += std::int64_t{digit(p, column, config)} << column;
    wrong += read != p;
  }
  return {wrong == 0,
          fmt::format("65536 positions of 16 bits: {} are not read back from their codes", wrong)};
}

/// Cosine of the angle between two tokens, one with alternating and one with equal signs, after adding
/// `index` to every channel.
real cosine_after_adding(std::int64_t index, int channels) {
  real dot = real::of(0), a = real::of(0), b = real::of(0);
  for (int channel = 0; channel < channels; ++channel) {
    const real x = added_index_code<limb_count>(channel % 2 == 0 ? 1 : -1, index, channel, {});
    const real y = added_index_code<limb_count>(1, index, channel, {});
    dot = dot + x * y, a = a + x * x, b = b + y * y;
  }
  return dot / square_root(a * b);
}

evidence added_and_concatenated() {
  const double token[] = {1, -1, 1, -1, 1, -1, 1, -1};
  real beside = real::of(0);
  for (int channel = 0; channel < 9; ++channel) {
    const real entry = concatenated_index_code<limb_count>(token, 1000, channel, {});
    beside = beside + entry * entry;
  }
  const real before = cosine_after_adding(0, 8), after = cosine_after_adding(1000, 8);
  const index_code bits{.kind = index_code_kind::binary, .width = 8};
  return {
      is_below(real::of(0.999999), after) && compare(before, real::of(0)) == order::equal &&
          compare(beside, real::of(1000008)) == order::equal && changed_digits(127, bits) == 8,
      fmt::format("two tokens at a right angle have cosine {:.7f} with index 1000 added to each of 8 "
                  "channels; laid beside, the index is 1000000 of the squared norm {}\n8 bits laid beside: "
                  "all {} change from 127 to 128; normalised: position 2 is {} of 5 tokens and {} of 100",
                  nearest(after), nearest(beside), changed_digits(127, bits), normalised_position_2(5),
                  normalised_position_2(100))};
}

/// ceil(log2(length)): the smallest number of bits with distinct codes for the positions of a sequence.
int fewest_bits(std::int64_t length) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(length - 1)));
}

index_code binary_code_of(std::int64_t length, int width) {
  return {.kind = index_code_kind::binary, .width = width, .length = length, .order = bit_order::msb};
}

bool has_code(std::int64_t position, const index_code& config) {
  try {
    validate_position(position, config);
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

evidence width_of_the_binary_code() {
  constexpr int fixed_width = 8;
  std::set<std::string> at_fewest_bits, at_fixed_width;
  bool is_served = true;
  for (std::int64_t length = 3; length <= 256; ++length) {
    const index_code fewest = binary_code_of(length, fewest_bits(length));
    const index_code fixed = binary_code_of(length, fixed_width);
    is_served = is_served && has_code(length - 1, fewest) && has_code(length - 1, fixed);
    at_fewest_bits.insert(digits(2, fewest));
    at_fixed_width.insert(digits(2, fixed));
  }
  const std::string of_4 = digits(2, binary_code_of(4, fewest_bits(4))),
                    of_5 = digits(2, binary_code_of(5, fewest_bits(5)));
  const bool is_refused = !has_code(256, binary_code_of(257, fixed_width));
  return {at_fewest_bits.size() == 7 && at_fixed_width.size() == 1 && of_4 == "10" && of_5 == "010" &&
              is_served && is_refused,
          fmt::format("lengths 3 to 256: position 2 has {} codes in ceil(log2(length)) bits, {} at length 4 "
                      "and {} at length 5, and {} code in {} bits, in which position 256 is {}",
                      at_fewest_bits.size(), of_4, of_5, at_fixed_width.size(), fixed_width,
                      is_refused ? "refused" : "served")};
}

/// Number of changes of a bit between successive positions, in 1024 positions.
int changes_of_bit(int column, const index_code& config) {
  int changes = 0;
  for (std::int64_t p = 1; p < 1024; ++p) changes += digit(p, column, config) != digit(p - 1, column, config);
  return changes;
}

evidence periods_of_bits_and_sinusoids() {
  const index_code bits{.kind = index_code_kind::binary, .width = 10};
  const sinusoidal gpt_2_width{.d_model = 768};
  const auto wavelength = [&](int pair) {
    return real::of(1) / sinusoidal_turns<limb_count>(pair, gpt_2_width);
  };
  bool bits_double = true, pairs_slow_down = true;
  for (int k = 1; k < bits.width; ++k)  // 2 n + 1 changes become n
    bits_double = bits_double && changes_of_bit(k, bits) == (changes_of_bit(k - 1, bits) - 1) / 2;
  for (int pair = 1; pair < pair_count(gpt_2_width); ++pair)
    pairs_slow_down = pairs_slow_down && is_below(wavelength(pair - 1), wavelength(pair));
  const real step = wavelength(1) / wavelength(0), last_step = wavelength(383) / wavelength(382);
  return {bits_double && pairs_slow_down && is_below(step, real::of(1.03)) &&
              is_below(real::of(6), wavelength(0)),
          fmt::format("10 bits in 1024 positions: bit 0 changes {} times, bit 1 {}, bit 9 {}: the period "
                      "doubles with every bit, from 2\n768 channels: the period of the pairs grows by the "
                      "factor {:.4f} from pair 0 to 1, and {:.4f} from 382 to 383, from {:.4f} to {:.0f}",
                      changes_of_bit(0, bits), changes_of_bit(1, bits), changes_of_bit(9, bits),
                      nearest(step), nearest(last_step), nearest(wavelength(0)), nearest(wavelength(383)))};
}

/// Number of columns in which the mean of the codes at position - 1 and position + 1 is the code at position.
int columns_of_the_mean(std::int64_t position, const index_code& config) {
  int count = 0;
  for (int column = 0; column < config.width; ++column)
    count += digit(position - 1, column, config) + digit(position + 1, column, config) ==
             2 * digit(position, column, config);
  return count;
}

/// Whether the mean of two sinusoidal rows equals the row between them in every pair, up to a factor.
bool has_its_direction_from_the_mean(double position, const sinusoidal& config) {
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const auto entry = [&](double at, int side) {
      return sinusoidal_entry<limb_count>(at, 2 * pair + side, config);
    };
    const real length = cos_sin_of_radians(sinusoidal_inv_freq<limb_count>(pair, config)).cos;
    for (const int side : {0, 1})
      if (!agree(entry(position - 1, side) + entry(position + 1, side),
                 times_power_of_two(entry(position, side) * length, 1)))
        return false;
  }
  return true;
}

evidence halves_between_codes() {
  const index_code bits{.kind = index_code_kind::binary, .width = 8}, index{};
  const sinusoidal config{.d_model = 16};
  const int kept = columns_of_the_mean(128, bits);
  int ones = 0;
  for (int column = 0; column < bits.width; ++column) ones += digit(255, column, bits);
  const bool has_direction = has_its_direction_from_the_mean(128, config);
  const double largest = nearest(index_code_entry<limb_count>(255, 0, index));
  return {
      kept == 0 && has_direction && ones == 8 && largest == 255,
      fmt::format("8 bits: the mean of the codes of 127 and 129 is the code of 128 in {} of 8 columns; 16 "
                  "sinusoidal channels: the mean of both rows is row 128 in every pair, shorter by "
                  "cos(inv_freq)\nposition 255: the largest number of the code is 1 and of the index {}; "
                  "the code's squared norm is {}",
                  kept, largest, ones)};
}

}  // namespace

std::vector<claim> index_code_claims() {
  return {
      {.number = 5,
       .documents = {document::lecture, document::blog_post},
       .statement = "binary code: unique per position, bit k changes every 2^k positions, discontinuous; "
                    "2-bit example [0,0], [0,1], [1,0], [1,1]",
       .decided = verdict::corrected,
       .correction = "codes are unique below position 2^bits; the example writes its slowest bit first, so "
                     "that bit k stands in column bits - 1 - k",
       .witness = "theorems binary_codes_give_their_positions_back, "
                  "bit_k_changes_every_2_to_the_k_positions, two_bits_slowest_first_count_to_three",
       .run = binary_code},
      {.number = 6,
       .documents = {document::lecture, document::blog_post},
       .statement = "sinusoids are continuous, differentiable, bounded, where binary codes jump",
       .decided = verdict::holds,
       .correction = "",
       .witness = "sinusoids_do_not_jump; theorem neighbours_can_differ_in_every_bit",
       .run = sinusoids_do_not_jump},
      {.number = 10,
       .documents = {document::blog_post},
       .statement = "the raw index grows without bound; the normalised index gives one position different "
                    "codes at different lengths",
       .decided = verdict::holds,
       .correction = "",
       .witness = "theorem normalised_codes_change_with_the_length",
       .run = raw_and_normalised_index},
      {.number = 11,
       .documents = {document::blog_post},
       .statement = "sin(p / b^(j/d)) has periods from 2 pi to b 2 pi; pairs make it translatable by "
                    "rotation, sine alone does not",
       .decided = verdict::corrected,
       .correction =
           "the longest period is 2 pi b^((d-1)/d), below b 2 pi; no linear map at all shifts sines alone",
       .witness = "theorems sine_only_wavelengths_stay_below_the_base, no_linear_map_shifts_sines_alone",
       .run = sines_alone},
      {.number = 34,
       .documents = {document::blog_post},
       .statement = "the binary code is not an injective function",
       .decided = verdict::refuted,
       .correction = "it is injective, as the text's own unique representation says; it is not continuous",
       .witness = "theorem binary_codes_give_their_positions_back",
       .run = binary_codes_read_back},
      {.number = 41,
       .documents = {document::lecture, document::attn_tensors, document::blog_post},
       .statement = "concatenating or adding an index code is possible but poor",
       .decided = verdict::holds,
       .correction = "",
       .witness = "added_and_concatenated",
       .run = added_and_concatenated},
      {.number = 46,
       .documents = {document::blog_post},
       .statement = "EleutherAI developed RoPE; positions between those of a binary code are hard to "
                    "estimate; numbers 0 and 1 solve the problem of scale",
       .decided = verdict::corrected,
       .correction = "Su et al. 2021 (arXiv:2104.09864) developed it, and EleutherAI adopted it. A binary "
                     "code has nothing between its positions, and the mean of a position's neighbours can "
                     "differ from its code in every bit. Its numbers stay 0 and 1, but its norm grows with "
                     "the number of ones",
       .witness = "halves_between_codes; theorem neighbours_can_differ_in_every_bit",
       .run = halves_between_codes},
      {.number = 74,
       .documents = {document::blog_post},
       .statement = "the binary code is not dependent on the sequence's length",
       .decided = verdict::corrected,
       .correction = "at a fixed width, which serves 2^bits positions; with the ceil(log2(length)) bits that "
                     "a sequence needs, the code of a position changes with the length",
       .witness = "width_of_the_binary_code; theorem binary_codes_give_their_positions_back",
       .run = width_of_the_binary_code},
      {.number = 89,
       .documents = {document::lecture, document::blog_post},
       .statement =
           "sinusoids do the same as the binary code: lower indices oscillate faster, higher ones slower",
       .decided = verdict::corrected,
       .correction =
           "the order is the same, the periods are not: 2^(k + 1) positions for bit k, 2 pi b^(2i/d) for "
           "pair i, where neighbours differ by the factor b^(2/d), 1.024 at 768 channels, and not by 2",
       .witness = "periods_of_bits_and_sinusoids; theorems bit_k_changes_every_2_to_the_k_positions, "
                  "frequencies_fall_strictly_with_the_pair",
       .run = periods_of_bits_and_sinusoids}};
}

}  // namespace ropewalk::claim
