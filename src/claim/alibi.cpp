// Claims about linear biases, and about engines that use them.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "claim/nearest.hpp"
#include "claim/real.hpp"
#include "ropewalk/law/table_laws.hpp"
#include "ropewalk/table/alibi_table.hpp"

namespace ropewalk::claim {
namespace {

/// Whether each head h = 1 .. H has exactly the slope 2^(-8 h / H).
bool follows_the_formula(int heads) {
  for (int head = 0; head < heads; ++head) {
    const slope_exponent e = alibi_slope_exponent(head, {.heads = heads});
    if (e.numerator * heads != 8 * (head + 1) * e.denominator) return false;
  }
  return true;
}

/// Numbers of the heads with the steepest and the shallowest slope, counted from 1.
std::pair<int, int> steepest_and_shallowest(int heads) {
  // Positive, so their bits have the order of their values.
  const auto slopes = alibi_slopes<double>({.heads = heads});
  const auto least = std::min_element(slopes.begin(), slopes.end());
  const auto most = std::max_element(slopes.begin(), slopes.end());
  return {static_cast<int>(most - slopes.begin()) + 1, static_cast<int>(least - slopes.begin()) + 1};
}

evidence slopes_by_the_formula() {
  int counts = 0;
  bool powers_alone = true, ends_alone = true;
  for (int heads = 1; heads <= 128; ++heads) {
    const bool is_power = std::has_single_bit(static_cast<unsigned>(heads));
    counts += follows_the_formula(heads) ? 1 : 0;
    powers_alone = powers_alone && follows_the_formula(heads) == is_power;
    ends_alone = ends_alone && (steepest_and_shallowest(heads) == std::pair(1, heads)) == is_power;
  }
  const auto [steep, shallow] = steepest_and_shallowest(12);
  const auto twelve = alibi_slopes<double>({.heads = 12});
  const auto slope = [&](int head) { return from_bits<double>(twelve[static_cast<std::size_t>(head) - 1]); };
  const auto half_weight = [](int head) {
    return nearest(ln_2<limb_count>() / alibi_slope<limb_count>(head - 1, {.heads = 8}));
  };
  const alibi_biases eight(alibi{.heads = 8});
  const float farthest = from_bits<float>(eight.entry<float>(7, (std::int64_t{1} << 32) - 1));
  const bool ends_in_binary16 = is_finite<binary16>(eight.entry<binary16>(0, 131039)) &&
                                !is_finite<binary16>(eight.entry<binary16>(0, 131040));
  const std::string text = fmt::format(
      "2^(-8h/H) and \"head 1 steepest, head H shallowest\" hold for {} of the head counts 1 to 128, the "
      "powers of two; of 12 heads the steepest is head {} (slope {:.4f}), the shallowest head {} ({}), and "
      "head 12 has {:.4f}\n8 heads: a weight halves every {:.2f} positions in head 1, every {:.0f} in head "
      "8; learned numbers: {}\nhead 8 at distance 2^32 - 1: {:.0f} in binary32; head 1 in binary16 is finite "
      "up to distance 131039 and no farther",
      counts, steep, slope(steep), shallow, slope(shallow), slope(12), half_weight(1), half_weight(8),
      learned_parameters(alibi{.heads = 8}), farthest);
  return {powers_alone && ends_alone && counts == 8 && steep == 9 && shallow == 8 && ends_in_binary16, text};
}

/// Weight of all keys at `reach` or farther in a softmax over scores that differ only by the bias: e^(-slope
/// reach).
real weight_beyond(int head, std::int64_t reach, const alibi& config) {
  return exp(alibi_bias<limb_count>(head, reach, config));
}

evidence weight_outside_the_trained_length() {
  const alibi config{.heads = 8};
  const std::int64_t trained = 1024;
  const real shallow = weight_beyond(7, trained, config), next = weight_beyond(6, trained, config);
  int new_biases = 0;
  std::set<std::uint64_t> seen;
  const alibi_biases biases(config);
  for (std::int64_t d = 0; d < trained; ++d) seen.insert(biases.entry<double>(7, d));
  for (std::int64_t d = trained; d < 4 * trained; ++d)
    new_biases += seen.contains(biases.entry<double>(7, d)) ? 0 : 1;
  const std::string text = fmt::format(
      "8 heads, trained at {0}: all {1} distances from {0} to {2} have a bias never seen in training; with "
      "equal scores the keys beyond {0} share {3:.2f} % of a query's attention in head 8, {4:.3f} % in head "
      "7 and less in the others",
      trained, new_biases, 4 * trained - 1, 100 * nearest(shallow), 100 * nearest(next));
  const bool is_little = compare(shallow, real::of(1) / real::of(50)) == order::less &&
                         compare(next, real::of(1) / real::of(2000)) == order::less;
  return {is_little && new_biases == 3 * trained, text};
}

/// Names of the bias laws that the bias steps(query, key, length) x slope breaks.
template <class Steps>
std::string broken_laws(const alibi& config, const Steps& steps) {
  const bias_source biases = [&](int length, const alibi& own_config) {
    const alibi_biases exact(alibi{.heads = own_config.heads});
    std::vector<std::uint64_t> bits;
    for (int head = 0; head < own_config.heads; ++head)
      for (int query = 0; query < length; ++query)
        for (int key = 0; key < length; ++key)
          bits.push_back(exact.entry<double>(head, -steps(query, key, length)));
    return bits;
  };
  std::string names;
  const checked_biases bias_table{biases, config};
  for (const law<checked_biases>& law : bias_laws::all)
    if (law.applies(bias_table) && !law.measure(bias_table, {16}).holds)
      names += std::string(names.empty() ? "" : ", ") + std::string(law.name);
  return names.empty() ? "none" : names;
}

evidence forms_of_bloom_and_mpt() {
  const auto bloom = [](int query, int key, int length) {
    return alibi_steps(query, key, length, alibi_form::key);
  };
  const auto mpt = [](int query, int key, int length) {
    return alibi_steps(query, key, length, alibi_form::last_key);
  };
  const alibi causal{.heads = 12}, symmetric{.heads = 12, .form = alibi_form::symmetric};
  const std::string masked[] = {broken_laws(causal, bloom), broken_laws(causal, mpt)};
  const std::string open[] = {broken_laws(symmetric, bloom), broken_laws(symmetric, mpt)};
  int merged = 0,
      merged_by_distance = 0;  // of the last 128 of 2048 keys, neighbours that are equal in bfloat16
  const alibi_biases eight(alibi{.heads = 8});
  for (int key = 1920; key < 2047; ++key) {
    merged += eight.entry<bfloat16>(0, -key) == eight.entry<bfloat16>(0, -key - 1) ? 1 : 0;
    const int distance = 2047 - key;
    merged_by_distance +=
        eight.entry<bfloat16>(0, distance) == eight.entry<bfloat16>(0, distance - 1) ? 1 : 0;
  }
  const std::string text = fmt::format(
      "laws broken under a causal mask: BLOOM's form {}; MPT's {} (\"row\", all that a softmax sees, holds "
      "for both)\nwithout a mask: BLOOM's {}; MPT's {}\nbfloat16, slope 1/2, the last 128 of 2048 keys: "
      "slope x key gives {} of 127 neighbours one bias, slope x distance {}",
      masked[0], masked[1], open[0], open[1], merged, merged_by_distance);
  const auto breaks_row = [](const std::string& names) { return names.find("row") != names.npos; };
  return {!breaks_row(masked[0]) && !breaks_row(masked[1]) && breaks_row(open[0]) && breaks_row(open[1]) &&
              merged > 0 && merged_by_distance == 0,
          text};
}

}  // namespace

std::vector<claim> alibi_claims() {
  return {{.number = 25,
           .documents = {document::attn_tensors},
           .statement = "ALiBi: S - m |i - j|, m_h = 2^(-8h/H); head 1 steep and local, head H shallow and "
                        "global; no parameters; serves any length",
           .decided = verdict::corrected,
           .correction =
               "slopes and their order are those where H is a power of two; otherwise the further heads lie "
               "between the first ones. Every distance has a bias, finite in binary32 but not in binary16",
           .witness = "formula_holds_for_powers_of_two_alone",
           .run = slopes_by_the_formula},
          {.number = 61,
           .documents = {document::attn_tensors},
           .statement = "ALiBi extrapolates excellently to sequences longer than trained",
           .decided = verdict::corrected,
           .correction = "it serves them, with biases it has never seen; keys beyond the trained length "
                         "hardly count, the share e^(-slope x length) where scores are equal",
           .witness = "weight_outside_the_trained_length",
           .run = weight_outside_the_trained_length},
          {.number = 62,
           .documents = {document::bloom, document::mpt},
           .statement = "slope x key and -slope (length - 1 - key) are ALiBi's bias",
           .decided = verdict::corrected,
           .correction = "a softmax sees no difference under a causal mask, and does without one; rounded to "
                         "16 bits slope x key loses near keys that slope x distance tells apart",
           .witness = "forms_differ_by_a_constant_along_every_causal_row",
           .run = forms_of_bloom_and_mpt}};
}

}  // namespace ropewalk::claim
