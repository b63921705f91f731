// The documents' comparison table, measured, and the calls that they name.

#include <fmt/format.h>

#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "claim/claims.hpp"
#include "ropewalk/config/learned.hpp"
#include "ropewalk/encoding/t5_bias.hpp"
#include "ropewalk/kernel/apply_rope.hpp"
#include "ropewalk/table/alibi_table.hpp"
#include "ropewalk/table/rotary_embedding.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk::claim {
namespace {

constexpr std::int64_t trained = 2048, asked = 16 * trained;
constexpr int d_model = 512, heads = 8;

template <class Serve>
bool is_served(Serve serve) {
  try {
    serve();
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// What one encoding learns, keeps for positions of any length, serves beyond the trained length, and depends
/// on.
struct measured {
  const char* name;
  std::int64_t learned_numbers;
  std::int64_t kept_numbers;
  bool serves_beyond;
  bool is_relative;
};

measured sinusoids() {
  const sinusoidal config{.d_model = d_model};
  const sinusoidal_rows rows(config);
  std::vector<std::uint32_t> row(d_model), next(d_model);
  const bool served = is_served([&] { rows.row<float>(static_cast<double>(asked), row.data()); });
  // A query of one channel against a key that is nothing but its position: what it adds moves with the key's
  // position alone.
  rows.row<float>(static_cast<double>(asked + 1), next.data());
  return {"sinusoidal", 0, pair_count(config), served, row[0] == next[0]};
}

measured learned_rows() {
  const learned config{.max_position_embeddings = static_cast<int>(trained), .d_model = d_model};
  const std::int64_t numbers = trained * d_model;
  return {"learned", numbers, numbers, is_served([&] { validate_position(asked, config); }), false};
}

measured t5_biases() {
  const t5_bias config{};
  const bool served = is_served([&] { (void)t5_bucket(asked, config); });
  const std::int64_t numbers = learned_parameters(config, heads);
  return {"T5 bias", numbers, numbers, served,
          t5_bucket((asked + 5) - (asked + 9), config) == t5_bucket(5 - 9, config)};
}

measured linear_biases() {
  const alibi_biases biases({.heads = heads});
  const bool served = is_served([&] { (void)biases.entry<float>(0, asked); });
  return {
      "ALiBi", learned_parameters(biases.config()), heads, served,
      alibi_steps((asked + 9) - (asked + 5), alibi_form::causal) == alibi_steps(9 - 5, alibi_form::causal)};
}

/// (1, 0) in every pair turned by two pairs of positions at one distance: equal cosines of the angle between.
measured rotations() {
  constexpr rope config{.rotary_dim = 64};
  const rope_rows rows(config);
  const bool served = is_served([&] { (void)rows.entry<float>(0, asked, false); });
  bool same = true;
  for (int pair = 0; pair < rows.pairs(); ++pair) {
    const auto between = [&](std::int64_t m, std::int64_t n) {
      const auto a = rows.exact<4>(pair, m, true), b = rows.exact<4>(pair, n, true);
      return a.cos * b.cos + a.sin * b.sin;
    };
    same = same &&
           compare(between(9, 5), between(asked + 9, asked + 5)) ==
               order::undecided &&  // no limb tells them apart, and both are known well
           magnitude_above((between(9, 5) - between(asked + 9, asked + 5))) < radius_at_least(1, -100);
  }
  return {"RoPE", 0, rows.pairs(), served, same};
}

evidence comparison_measured() {
  const measured all[] = {sinusoids(), learned_rows(), t5_biases(), linear_biases(), rotations()};
  std::string text =
      fmt::format("trained {}, asked {}, {} channels, {} heads:", trained, asked, d_model, heads);
  for (const measured& one : all)
    text += fmt::format("\n{}: {} learned, {} numbers kept, {} beyond, {}", one.name, one.learned_numbers,
                        one.kept_numbers, one.serves_beyond ? "served" : "refused",
                        one.is_relative ? "relative" : "absolute");
  // Of T5's L x L biases the numbers that differ: one for each bucket.
  std::set<int> buckets;
  for (std::int64_t distance = -trained; distance <= trained; ++distance)
    buckets.insert(t5_bucket(distance, {}));
  text += fmt::format("\nT5's {} x {} matrix holds {} different numbers a head", trained, trained,
                      buckets.size());
  const bool shown = all[0].learned_numbers == 0 && !all[0].is_relative && all[0].kept_numbers < trained &&
                     !all[1].serves_beyond && all[1].learned_numbers == trained * d_model &&
                     all[2].learned_numbers > 0 && all[2].is_relative && all[3].learned_numbers == 0 &&
                     all[3].is_relative && all[4].learned_numbers == 0 && all[4].is_relative &&
                     all[4].kept_numbers < trained && all[0].serves_beyond && all[2].serves_beyond &&
                     all[3].serves_beyond && all[4].serves_beyond &&
                     static_cast<std::int64_t>(buckets.size()) <= t5_bias{}.buckets;
  return {shown, text};
}

evidence calls_of_the_documents() {
  const std::vector<float> encoding = sinusoidal_encoding(100, 64), bias = alibi_bias(100, 8);
  const std::vector<float> x{1, 0, 1, 0};
  const std::vector<std::int32_t> position{2};
  const cos_sin_rows by = rotary_embedding(3, {.rotary_dim = 4});
  const std::vector<float> turned = apply_rope(x, position, 4);
  const bool shown = encoding.size() == 6400 && bias.size() == 80000 && turned[0] == by.cos[4] &&
                     turned[1] == by.sin[4] && turned[2] == by.cos[5] && turned[3] == by.sin[5] &&
                     bias[1] == -0.5f;
  return {shown,
          fmt::format(
              "sinusoidal_encoding(100, 64): {} numbers; alibi_bias(100, 8): {} numbers, head 1 at distance "
              "1: {}; apply_rope([1, 0, 1, 0], 2) = [{:.3f}, {:.3f}, {:.3f}, {:.3f}], the row of "
              "rotary_embedding",
              encoding.size(), bias.size(), bias[1], turned[0], turned[1], turned[2], turned[3])};
}

}  // namespace

std::vector<claim> comparison_claims() {
  return {{.number = 26,
           .source = "003",
           .statement = "a table: learnable, extrapolation, relative, memory O(L d), O(L^2), O(1)",
           .decided = verdict::corrected,
           .correction =
               "learnable and relative hold; beyond the trained length learned rows alone are refused, and "
               "how well "
               "the others extrapolate is no property of a type (`ropewalk explain extrapolation` measures "
               "phases); learned rows alone need memory that grows with L: sinusoids and RoPE need d / 2 "
               "frequencies, T5 its buckets, ALiBi a slope a head",
           .witness = "comparison_measured",
           .run = comparison_measured},
          {.number = 27,
           .source = "003",
           .statement = "the calls sinusoidal_encoding, rotary_embedding, apply_rope and alibi_bias exist "
                        "with those meanings",
           .decided = verdict::holds,
           .correction = "",
           .witness = "calls_of_the_documents; DocumentExample in tests/kernel",
           .run = calls_of_the_documents}};
}

}  // namespace ropewalk::claim
