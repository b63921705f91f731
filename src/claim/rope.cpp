// What the documents say of rotary embeddings.

#include <fmt/format.h>

#include "claim/claims.hpp"
#include "ropewalk/table/cos_sin_table.hpp"

namespace ropewalk::claim {
namespace {

/// d = 4, m = 2, q = [1, 0, 1, 0]: theta [1, 0.1] is base 100; the 10000 beside it in the text gives [1, 0.01].
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

}  // namespace

std::vector<claim> rope_claims() {
  return {
      {.number = 16,
       .source = "003",
       .statement =
           "worked example: d = 4, m = 2, theta = [1, 0.1], q = [1, 0, 1, 0] -> [-0.42, 0.91, 0.98, 0.20]",
       .decided = verdict::corrected,
       .correction = "holds for base 100; with the base 10000 of the same text theta is [1, 0.01]",
       .witness = "worked_example",
       .run = worked_example}};
}

}  // namespace ropewalk::claim
