// Claims about T5's relative bias, and about programs that compute it by logarithms.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "claim/claims.hpp"
#include "claim/four_tokens.hpp"
#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/table/alibi_table.hpp"
#include "ropewalk/table/t5_bias_table.hpp"

namespace ropewalk::claim {
namespace {

/// The first and the last distance in the bucket of `distance`.
std::pair<int, int> sharers(int distance, const t5_bias& config) {
  const int bucket = t5_bucket(-distance, config);
  int first = distance, last = distance;
  while (first > 0 && t5_bucket(1 - first, config) == bucket) --first;
  while (last < config.max_distance && t5_bucket(-last - 1, config) == bucket) ++last;
  return {first, last};
}

evidence exact_positions() {
  const t5_bias encoder{}, decoder{.bidirectional = false};
  const auto single = [](const t5_bias& config) {  // number of distances, from 0 on, with a bucket each
    int count = 0;
    while (sharers(count, config) == std::pair(count, count)) ++count;
    return count;
  };
  const auto [first, last] = sharers(8, encoder);
  const int encoder_end = sharers(128, encoder).first, decoder_end = sharers(128, decoder).first;
  std::set<std::int32_t> distinct;
  for (const std::int32_t bucket : t5_buckets(encoder, 4096)) distinct.insert(bucket);
  const std::string text = fmt::format(
      "encoder (32 buckets, 128): distances 0 to {} have a bucket each, {} to {} share bucket {}; decoder: 0 "
      "to {}\nall from {} on share the last bucket of the encoder, all from {} on the decoder's\nrelative "
      "positions -4096 to 4096 have {} biases per head, bucket 16 none; key 3 behind has bucket {}, key 3 "
      "ahead {} (decoder: {})",
      single(encoder) - 1, first, last, t5_bucket(-8, encoder), single(decoder) - 1, encoder_end, decoder_end,
      distinct.size(), t5_bucket(-3, encoder), t5_bucket(3, encoder), t5_bucket(3, decoder));
  return {single(encoder) == 8 && first == 8 && last == 11 && single(decoder) == 16 && encoder_end == 91 &&
              decoder_end == 113 && distinct.size() == 31 && !distinct.contains(16),
          text};
}

/// Number of different values among heads x length x length biases.
std::size_t different_alibi_biases(int heads, int length) {
  std::size_t different = 0;
  const alibi_biases biases(alibi{.heads = heads, .form = alibi_form::symmetric});
  for (int head = 0; head < heads; ++head) {
    std::set<std::uint64_t> seen;
    for (int distance = 1 - length; distance < length; ++distance)
      seen.insert(biases.entry<double>(head, distance));
    different += seen.size();
  }
  return different;
}

std::size_t different_t5_biases(int heads, int length) {
  std::set<std::int32_t> seen;
  for (const std::int32_t bucket : t5_buckets({}, length - 1)) seen.insert(bucket);
  return seen.size() * static_cast<std::size_t>(heads);
}

evidence memory_of_biases() {
  const int heads = 8;
  std::string text =
      fmt::format("{} heads: {} numbers learned for T5, {} for ALiBi, whatever the length", heads,
                  learned_parameters(t5_bias{}, heads), learned_parameters(alibi{.heads = heads}));
  bool shown = true;
  for (const int length : {128, 512, 2048}) {
    const std::size_t of_alibi = different_alibi_biases(heads, length),
                      of_t5 = different_t5_biases(heads, length);
    text += fmt::format("\nlength {}: {} biases are added, of which {} differ in ALiBi and {} in T5", length,
                        std::int64_t{heads} * length * length, of_alibi, of_t5);
    shown = shown && of_alibi == static_cast<std::size_t>(heads * length) &&
            of_t5 == static_cast<std::size_t>(heads * 31);
  }
  return {shown, text};
}

/// Of the distances from `trained` to 4 trained - 1, the number in buckets that no shorter distance has.
int unseen_buckets(int trained) {
  std::set<std::int32_t> seen;
  for (int distance = 0; distance < trained; ++distance)
    seen.insert(t5_bucket(-distance, {.bidirectional = false}));
  int unseen = 0;
  for (int distance = trained; distance < 4 * trained; ++distance)
    unseen += seen.contains(t5_bucket(-distance, {.bidirectional = false})) ? 0 : 1;
  return unseen;
}

evidence buckets_beyond_the_trained_length() {
  const int from_64 = unseen_buckets(64), from_113 = unseen_buckets(113), from_114 = unseen_buckets(114),
            from_1024 = unseen_buckets(1024);
  return {from_64 > 0 && from_113 == 339 && from_114 == 0 && from_1024 == 0,
          fmt::format("decoder, trained at L, distances L to 4 L - 1 with a bucket never seen: L = 64: {} of "
                      "192; L = 113: {} of 339; L = 114: {} of 342; L = 1024: {} of 3072",
                      from_64, from_113, from_114, from_1024)};
}

/// The bucket of a distance from floor(step). domain  exact_buckets <= distance < max_distance
int bucket_by(double step, const t5_bias& config) { return exact_buckets(config) + static_cast<int>(step); }

struct by_logarithms {
  double quotient;
  double difference;
  float single;
};

/// Three common forms of the quotient of logarithms times the number of growing buckets.
by_logarithms steps_by_logarithms(int distance, const t5_bias& config) {
  const double n = distance, exact = exact_buckets(config), last = config.max_distance;
  const double growing = buckets_per_direction(config) - exact;
  const auto whole = static_cast<float>(std::log(last / exact));
  return {std::log(n / exact) / std::log(last / exact) * growing,
          (std::log(n) - std::log(exact)) / (std::log(last) - std::log(exact)) * growing,
          std::log(static_cast<float>(n) / static_cast<float>(exact)) / whole * static_cast<float>(growing)};
}

struct settings_wrong {
  int quotient = 0;
  int difference = 0;
  int single = 0;
};

void judge(const t5_bias& config, settings_wrong& wrong) {
  bool quotient = false, difference = false, single = false;
  for (int distance = exact_buckets(config); distance < config.max_distance; ++distance) {
    const int bucket = t5_bucket(-distance, config);
    const by_logarithms step = steps_by_logarithms(distance, config);
    quotient = quotient || bucket_by(step.quotient, config) != bucket;
    difference = difference || bucket_by(step.difference, config) != bucket;
    single = single || bucket_by(static_cast<double>(step.single), config) != bucket;
  }
  wrong.quotient += quotient ? 1 : 0;
  wrong.difference += difference ? 1 : 0;
  wrong.single += single ? 1 : 0;
}

evidence buckets_by_logarithms() {
  settings_wrong wrong, by_default;
  for (int buckets = 2; buckets <= 41; ++buckets)
    for (int more = 1; more <= 250; ++more)
      judge({.buckets = buckets, .max_distance = buckets / 2 + more, .bidirectional = false}, wrong);
  judge({}, by_default);
  judge({.bidirectional = false}, by_default);
  const t5_bias of_9{.buckets = 9, .max_distance = 128, .bidirectional = false};
  const t5_bias of_32{.buckets = 32, .max_distance = 100, .bidirectional = false};
  const int quotient = bucket_by(steps_by_logarithms(16, of_9).quotient, of_9);
  const int difference = bucket_by(steps_by_logarithms(40, of_32).difference, of_32);
  const std::string text = fmt::format(
      "of 10,000 settings wrong at some distance: log(n/e)/log(m/e)*K in binary64 {}, (log n - log e)/(log m "
      "- log e)*K in binary64 {}, the first in binary32, as T5's programs have it, {}; with T5's own "
      "settings {}, {} and {}\n9 buckets up to 128, distance 16: bucket {}, by whole numbers {}; 32 buckets "
      "up to 100, distance 40: {}, by whole numbers {}",
      wrong.quotient, wrong.difference, wrong.single, by_default.quotient, by_default.difference,
      by_default.single, quotient, t5_bucket(-16, of_9), difference, t5_bucket(-40, of_32));
  return {wrong.quotient > 0 && wrong.difference > 0 && wrong.single > 0 && by_default.single == 0 &&
              quotient != t5_bucket(-16, of_9) && difference != t5_bucket(-40, of_32),
          text};
}

/// Biases of four tokens, from a random table for one head.
attention_rows biases_of_four_tokens() {
  const t5_bias config{};
  std::vector<double> weights;
  for (int bucket = 0; bucket < config.buckets; ++bucket) weights.push_back(0.25 * ((5 * bucket + 3) % 11));
  const t5_bias_view<double> bias(config, 1, weights);
  return matrix_of(four, four,
                   [&](int query, int key) { return attention_real::of(bias.at(0, query, key)); });
}

/// Standard deviation of q . k after T5's initialisation, for tokens with d_model channels of deviation 1:
/// W_q has variance 1 / (d_model d_kv), W_k 1 / d_model.
attention_real initial_deviation(int d_model, int d_kv) {
  const auto over = [](int x, int y) { return attention_real::of(x) / attention_real::of(y); };
  const attention_real of_query = attention_real::of(d_model) * over(1, d_model * d_kv);
  const attention_real of_key = attention_real::of(d_model) * over(1, d_model);
  return square_root(attention_real::of(d_kv) * of_query * of_key);
}

/// The published score is q . k + b. The claimed score divides q . k by sqrt(d_k), here 2.
evidence score_without_a_scale() {
  const attention_example sample = four_tokens();
  const attention_rows queries = exact(sample.queries), keys = exact(sample.keys),
                       biases = biases_of_four_tokens();
  const attention_rows published = times_transposed(queries, keys) + biases;
  const attention_rows stated = attention_scores(queries, keys) + biases;
  const attention_rows twice =
      matrix_of(four, four, [&](int i, int j) { return times_power_of_two(queries.at(i, j), 1); });
  const attention_rows folded = attention_scores(twice, keys) + biases;
  const attention_rows weights = attention_weights(published, {}),
                       stated_weights = attention_weights(stated, {});
  const int same = agreeing_entries(published, stated),
            same_weights = agreeing_entries(weights, stated_weights),
            same_folded = agreeing_entries(published, folded);
  const attention_real initial = initial_deviation(512, 64), divided = initial / attention_real::of(8);
  const std::string text = fmt::format(
      "4 tokens, d_k = 4: of 16 scores q . k + b, {} are q . k / 2 + b, and {} of 16 weights are the same; "
      "with queries twice as long {} of 16 scores are\nquery 0: scores {} and {}, weights {} and "
      "{}\nT5-small's initial weights give q . k the deviation {}, and {} if it is divided by sqrt(64) again",
      same, same_weights, same_folded, printed(published, 0), printed(stated, 0), printed(weights, 0),
      printed(stated_weights, 0), nearest(initial), nearest(divided));
  return {same < 16 && same_weights < 16 && same_folded == 16 && nearest(initial) == 1, text};
}

}  // namespace

std::vector<claim> t5_bias_claims() {
  return {
      {.number = 23,
       .documents = {document::attn_tensors},
       .statement = "T5: S + b_(i-j); \"exact positions for |k| <= 8\", logarithmic buckets beyond",
       .decided = verdict::corrected,
       .correction = "exact strictly below 8 with T5's settings (below 16 in its decoder); 8 to 11 share a "
                     "bucket, and all from 91 on the last (113 in the decoder); the sign picks the half of "
                     "the buckets, whose bucket 16 nothing reaches",
       .witness = "distances_have_their_own_bucket_strictly_below_8",
       .run = exact_positions},
      {.number = 63,
       .documents = {document::attn_tensors},
       .statement = "T5's bias needs O(L^2) memory, ALiBi O(1)",
       .decided = verdict::corrected,
       .correction = "the kept numbers do not grow with L: buckets x heads learned numbers, or one slope "
                     "per head; both add L^2 numbers per head, of which 31 differ in T5 and L in ALiBi",
       .witness = "memory_of_biases",
       .run = memory_of_biases},
      {.number = 65,
       .documents = {document::attn_tensors},
       .statement = "T5's bias extrapolates moderately to sequences longer than trained",
       .decided = verdict::corrected,
       .correction = "every distance has a bucket, and none is new once the model was trained at 114 tokens: "
                     "all from 113 on share the last, so the bias cannot tell them apart",
       .witness = "bucket_saturates_at_max_distance",
       .run = buckets_beyond_the_trained_length},
      {.number = 64,
       .documents = {document::t5},
       .statement = "the bucket is what a program's logarithms give",
       .decided = verdict::refuted,
       .correction =
           "a floating-point logarithm misses ties; T5's own settings happen to come out right in all forms",
       .witness = "ties_belong_to_the_bucket_that_they_begin",
       .run = buckets_by_logarithms},
      {.number = 73,
       .documents = {document::attn_tensors},
       .statement = "T5: S = q . k / sqrt(d_k) + b_(i-j)",
       .decided = verdict::refuted,
       .correction =
           "T5 does not scale: S = q . k + b. Its initial W_q is smaller by sqrt(d_k) instead, which "
           "training is free to change; the two forms give one score if W_q is multiplied by sqrt(d_k)",
       .witness = "score_without_a_scale",
       .run = score_without_a_scale}};
}

}  // namespace ropewalk::claim
