// Claims in the code of ErnieImage and V-JEPA 2, which calls its map a rotary embedding. Its angles stand at
// channels by one pairing, its partners by another.

#include "ropewalk/encoding/skewed_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/nearest.hpp"
#include "claim/real.hpp"

namespace ropewalk::claim {
namespace {

using grid_token = std::vector<std::int32_t>;

const skewed_map ernie_image{.encoding = {.base = 256, .rotary_dim = 128},
                             .axes = own_axes(16, 24, 24),
                             .angles = pairing::interleaved,
                             .partners = pairing::half_split};
const skewed_map v_jepa_2{.encoding = {.base = 10000, .rotary_dim = 60},
                          .axes = own_axes(10, 10, 10),
                          .angles = pairing::half_split_by_axis,
                          .partners = pairing::interleaved};

/// Cosines and sines of each pair of angles, tabulated by the indices of the pair's axis.
class angles_of_grid {
 public:
  angles_of_grid(const skewed_map& config, std::int32_t side) : config_(config) {
    for (int pair = 0; pair < pair_count(config.encoding); ++pair) {
      axes_.push_back(static_cast<std::size_t>(axis_of(pair, config.axes, config.encoding).axis));
      const real turns = rope_axes_turns<limb_count>(pair, config.axes, config.encoding);
      for (std::int32_t index = 0; index <= side; ++index)
        at_.push_back(cos_sin_of_turns(turns * real::of(index)));
    }
    indices_ = static_cast<std::size_t>(side) + 1;
  }

  const cos_sin<limb_count>& at_channel(int channel, const grid_token& at) const {
    const auto pair =
        static_cast<std::size_t>(pair_of_channel(channel, config_.axes, config_.encoding, config_.angles));
    return at_[pair * indices_ + static_cast<std::size_t>(at[axes_[pair]])];
  }

  skewed_pair<limb_count> pair_at(int partners, const grid_token& at) const {
    const channel_pair pair = channels_of(partners, config_.axes, config_.encoding, config_.partners);
    return {at_channel(pair.first, at), at_channel(pair.second, at)};
  }

  const skewed_map& config() const { return config_; }

 private:
  skewed_map config_;
  std::size_t indices_ = 0;
  std::vector<std::size_t> axes_;        // axis of each pair of angles
  std::vector<cos_sin<limb_count>> at_;  // [pairs, indices]
};

/// The tokens of a picture or a video, in order.
std::vector<grid_token> tokens_of(std::int32_t first_frame, std::int32_t frames, std::int32_t side) {
  std::vector<grid_token> tokens;
  for (std::int32_t t = first_frame; t < first_frame + frames; ++t)
    for (std::int32_t row = 0; row < side; ++row)
      for (std::int32_t column = 0; column < side; ++column) tokens.push_back({t, row, column});
  return tokens;
}

// The grids named by the classes: 1024 pixels with 64 tokens of text, and 64 frames of 256 pixels.
constexpr std::int32_t text_tokens = 64, picture_side = 64, video_frames = 32, video_side = 16;
const std::vector<grid_token>& picture_tokens() {
  static const std::vector<grid_token> tokens = tokens_of(text_tokens, 1, picture_side);
  return tokens;
}
const std::vector<grid_token>& video_tokens() {
  static const std::vector<grid_token> tokens = tokens_of(0, video_frames, video_side);
  return tokens;
}
const angles_of_grid& angles_of_picture() {
  static const angles_of_grid angles(ernie_image, picture_side);
  return angles;
}
const angles_of_grid& angles_of_video() {
  static const angles_of_grid angles(v_jepa_2, video_frames);
  return angles;
}

/// The pair of partners closest to a singular map.
struct hardest_pair {
  int partners = 0;
  grid_token at{};
  real determinant = real::of(1);
};

real magnitude_of(const real& x) { return is_below(x, real::of(0)) ? -x : x; }

hardest_pair hardest_of(const angles_of_grid& angles, const std::vector<grid_token>& tokens) {
  hardest_pair hardest;
  for (const grid_token& at : tokens)
    for (int partners = 0; partners < pair_count(angles.config().encoding); ++partners) {
      const real determinant = magnitude_of(angles.pair_at(partners, at).determinant());
      if (is_below(determinant, hardest.determinant)) hardest = {partners, at, determinant};
    }
  return hardest;
}
const hardest_pair& hardest_of_picture() {
  static const hardest_pair hardest = hardest_of(angles_of_picture(), picture_tokens());
  return hardest;
}
const hardest_pair& hardest_of_video() {
  static const hardest_pair hardest = hardest_of(angles_of_video(), video_tokens());
  return hardest;
}

std::string place_text(const hardest_pair& pair) {
  return fmt::format("pair {} at ({}, {}, {})", pair.partners, pair.at[0], pair.at[1], pair.at[2]);
}

/// The singular values of a pair's map, the larger first.
std::array<real, 2> singular_values(const skewed_pair<limb_count>& skewed) {
  const real skew = magnitude_of(skewed.skew()), value = real::of(1);
  // 1 - |sin| = cos^2 / (1 + |sin|), which does not cancel
  const real determinant = skewed.determinant();
  return {square_root(value + skew), magnitude_of(determinant) / square_root(value + skew)};
}

/// The smallest and the largest change of norm over random rows, one per token.
std::array<double, 2> changes_of_random_rows(const angles_of_grid& angles,
                                             const std::vector<grid_token>& tokens) {
  std::mt19937_64 random(1);
  const int pairs = pair_count(angles.config().encoding);
  std::array<double, 2> changes{0, 0};
  for (const grid_token& at : tokens) {
    double before = 0, after = 0;
    for (int partners = 0; partners < pairs; ++partners) {
      const auto draw = [&] {
        return std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())), -63);
      };
      const skewed_pair<limb_count> skewed = angles.pair_at(partners, at);
      const double x = draw(), y = draw();
      const double first = x * nearest(skewed.first.cos) - y * nearest(skewed.first.sin),
                   second = x * nearest(skewed.second.sin) + y * nearest(skewed.second.cos);
      before += x * x + y * y, after += first * first + second * second;
    }
    const double change = std::sqrt(after / before) - 1;
    changes = {std::min(changes[0], change), std::max(changes[1], change)};
  }
  return changes;
}

evidence norms_change() {
  std::string said;
  bool is_shown = true;
  const auto add = [&](const char* name, const angles_of_grid& angles, const std::vector<grid_token>& tokens,
                       const hardest_pair& hardest) {
    const auto [largest, smallest] = singular_values(angles.pair_at(hardest.partners, hardest.at));
    const auto [shorter, longer] = changes_of_random_rows(angles, tokens);
    is_shown = is_shown && is_below(real::of(1), largest) && shorter < 0 && longer > 0;
    said += fmt::format(
        "{}{}: the norm of a pair is multiplied by {:.6f} to {:.6f} ({}); of {} random rows, one for each "
        "token, norms change by {:.1f} % to {:+.1f} %",
        said.empty() ? "" : "\n", name, nearest(smallest), nearest(largest), place_text(hardest),
        tokens.size(), 100 * shorter, 100 * longer);
  };
  add("ErnieImage, 64 x 64 tokens after 64 of text", angles_of_picture(), picture_tokens(),
      hardest_of_picture());
  add("V-JEPA 2, 32 x 16 x 16 tokens", angles_of_video(), video_tokens(), hardest_of_video());
  return {is_shown, said};
}

/// The score of two rows whose elements are all 1.
real score_of_ones(const grid_token& query, const grid_token& key, const skewed_map& config) {
  const std::vector<real> ones(static_cast<std::size_t>(config.encoding.rotary_dim), real::of(1));
  const std::vector<real> q = skewed<limb_count>(std::span<const real>(ones), query, config),
                          k = skewed<limb_count>(std::span<const real>(ones), key, config);
  real score = real::of(0);
  for (std::size_t i = 0; i < q.size(); ++i) score = score + q[i] * k[i];
  return score;
}

evidence scores_need_both_positions() {
  skewed_map rotation = ernie_image;
  rotation.angles = rotation.partners;
  const grid_token query{64, 0, 0}, key{64, 1, 1}, query_moved{64, 10, 10}, key_moved{64, 11, 11};
  const real skewed = score_of_ones(query, key, ernie_image),
             skewed_moved = score_of_ones(query_moved, key_moved, ernie_image),
             turned = score_of_ones(query, key, rotation),
             turned_moved = score_of_ones(query_moved, key_moved, rotation);
  return {
      agree(turned, turned_moved) && !agree(skewed, skewed_moved),
      fmt::format("ErnieImage, rows of 128 ones: patches (0, 0) and (1, 1) have the score {:.4f}, (10, 10) "
                  "and (11, 11) have {:.4f}; with both pairings half-split, which is the rotation, {:.4f} "
                  "and {:.4f}",
                  nearest(skewed), nearest(skewed_moved), nearest(turned), nearest(turned_moved))};
}

evidence transpose_is_another_map() {
  real largest = real::of(0);
  grid_token where{};
  int of_pair = 0, equal = 0, all = 0;
  for (const grid_token& at : picture_tokens())
    for (int partners = 0; partners < pair_count(ernie_image.encoding); ++partners, ++all) {
      const skewed_pair<limb_count> skewed = angles_of_picture().pair_at(partners, at);
      // The transpose has sin v above the diagonal; the map of -t has sin u.
      const real difference = magnitude_of(skewed.second.sin - skewed.first.sin);
      equal += agree(difference, real::of(0));
      if (is_below(largest, difference)) largest = difference, where = at, of_pair = partners;
    }
  return {
      equal < all && is_below(real::of(1), largest),
      fmt::format("ErnieImage, 64 x 64 tokens after 64 of text: the two agree in {} of {} pairs; an element "
                  "differs by up to {:.6f}, of pair {} at ({}, {}, {})",
                  equal, all, nearest(largest), of_pair, where[0], where[1], where[2])};
}

evidence inverse_exists() {
  const real picture_least = hardest_of_picture().determinant, video_least = hardest_of_video().determinant;
  return {is_below(real::of(0), picture_least) && is_below(real::of(0), video_least),
          fmt::format("|cos(u - v)| is at least {:.3e} (ErnieImage, 64 x 64 tokens after 64 of text, {}) and "
                      "{:.3e} (V-JEPA 2, 32 x 16 x 16 tokens, {}): the inverse multiplies a pair by up to "
                      "{:.0f} and {:.1f}",
                      nearest(picture_least), place_text(hardest_of_picture()), nearest(video_least),
                      place_text(hardest_of_video()),
                      1 / nearest(singular_values(angles_of_picture().pair_at(hardest_of_picture().partners,
                                                                              hardest_of_picture().at))[1]),
                      1 / nearest(singular_values(angles_of_video().pair_at(hardest_of_video().partners,
                                                                            hardest_of_video().at))[1]))};
}

}  // namespace

std::vector<claim> skewed_map_claims() {
  return {
      {.number = 97,
       .documents = {document::ernie_image, document::v_jepa_2},
       .statement = "queries and keys are turned by a rotary embedding, which keeps their norms",
       .decided = verdict::refuted,
       .correction =
           "two angles u and v stand in one pair; its singular values are sqrt(1 + |sin(u - v)|) and "
           "sqrt(1 - |sin(u - v)|), so a norm may grow by a factor of sqrt 2 or all but vanish",
       .witness = "norms_change",
       .run = norms_change},
      {.number = 98,
       .documents = {document::ernie_image, document::v_jepa_2},
       .statement = "the score of two tokens depends on the distance of their positions alone",
       .decided = verdict::refuted,
       .correction = "it depends on both positions, as the map of -m after that of n is not that of n - m",
       .witness = "scores_need_both_positions",
       .run = scores_need_both_positions},
      {.number = 99,
       .documents = {document::ernie_image, document::v_jepa_2},
       .statement = "gradients are turned back by the negative positions",
       .decided = verdict::refuted,
       .correction =
           "the gradient's map is the transpose, which takes the sine of the partner's entry: it is "
           "not the map of -t",
       .witness = "transpose_is_another_map",
       .run = transpose_is_another_map},
      {.number = 100,
       .documents = {document::ernie_image, document::v_jepa_2},
       .statement = "the map of a token's position can be undone",
       .decided = verdict::corrected,
       .correction =
           "its determinant is a product of cos(u - v), which is 0 at u - v = pi/2; whole positions "
           "come near that and never reach it, as their angles are algebraic and pi is not",
       .witness = "inverse_exists",
       .run = inverse_exists}};
}

}  // namespace ropewalk::claim
