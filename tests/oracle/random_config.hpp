#pragma once
// Random configurations of every scaling rule: integers, powers of two and arbitrary binary64 numbers, ends
// of ranges, bases that are perfect powers.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "ropewalk/config/rope.hpp"

namespace ropewalk::oracle {

/// Every rule once, with default numbers.
inline std::vector<rope_scaling> every_rule() {
  std::vector<rope_scaling> rule;
  for_each_type(scaling_rules{}, [&]<class Rule>() { rule.push_back(Rule{}); });
  return rule;
}

/// Draws configurations. A longrope configuration points to lists of this object, until the next draw.
class random_configs {
 public:
  explicit random_configs(std::uint64_t seed) : engine_(seed) {}

  /// A random configuration of the rule that `which` holds.
  rope of(const rope_scaling& scaling) {
    const int pairs = 2 + static_cast<int>(below(15));
    rope config{.base = base(pairs), .rotary_dim = 2 * pairs};
    const double original = length(), longest = original * (1 + size(-60, 5));
    config.seq_len = below(2) != 0 ? static_cast<std::int64_t>(below(std::uint64_t{1} << 31) >> below(31))
                                   : static_cast<std::int64_t>(std::min(original, 0x1p30)) + below(3) - 1;
    config.seq_len = std::max<std::int64_t>(config.seq_len, 0);
    config.scaling =
        scaling.visit([&](const auto& rule) -> rope_scaling { return any(rule, pairs, original, longest); });
    return config;
  }

 private:
  std::int64_t below(std::uint64_t limit) { return static_cast<std::int64_t>(engine_() % limit); }

  /// A power of two, an integer, or any binary64, from 2^low up to 2^high.
  double size(int low, int high) {
    const int exponent = low + static_cast<int>(below(static_cast<std::uint64_t>(high - low)));
    const double fraction = 1 + static_cast<double>(engine_() >> 12) * 0x1p-52;
    if (below(3) == 0) return std::ldexp(1.0, exponent);
    if (below(2) == 0 && high > 0) return std::max(1.0, std::floor(std::ldexp(fraction, exponent)));
    return std::ldexp(fraction, exponent);
  }

  double length() { return size(1, 24); }
  double factor() { return below(4) == 0 ? 1 : size(-8, 8); }

  /// A base, often a perfect power, so that frequencies are rational.
  double base(int pairs) {
    const double any = size(4, 24);
    if (below(2) != 0) return any;
    const double root = 2 + static_cast<double>(below(8));
    const double power = std::pow(root, pairs);  // may be rounded: any number is a valid base
    return power <= largest_number ? power : any;
  }

  unscaled any(const unscaled&, int, double, double) { return {}; }
  linear any(const linear&, int, double, double) { return {factor()}; }
  dynamic any(const dynamic&, int, double original, double) { return {factor(), original}; }
  ntk any(const ntk&, int, double, double) { return {factor()}; }
  proportional any(const proportional&, int pairs, double, double) {
    return {1 + static_cast<int>(below(static_cast<std::uint64_t>(pairs))), factor()};
  }

  llama3 any(const llama3&, int, double original, double) {
    const double low = size(-4, 4);
    return {factor(), low, low * (1 + size(-50, 4)), original};
  }

  yarn any(const yarn&, int, double original, double longest) {
    yarn rule{.original_max_position_embeddings = original, .max_position_embeddings = longest};
    if (below(2) != 0) rule.factor = factor();
    rule.truncate = below(2) != 0;
    rule.beta_slow = size(-8, 6);
    rule.beta_fast = below(8) == 0 ? rule.beta_slow : rule.beta_slow + size(-20, 8);
    if (below(2) != 0) rule.mscale = below(4) == 0 ? 0 : size(-3, 2);
    if (below(2) != 0) rule.mscale_all_dim = below(4) == 0 ? 0 : size(-3, 2);
    if (below(4) == 0) rule.attention_factor = size(-3, 3);
    return rule;
  }

  longrope any(const longrope&, int pairs, double original, double longest) {
    longrope rule{.original_max_position_embeddings = std::max(original, 2.0), .max_position_embeddings = 0};
    rule.max_position_embeddings = std::max(longest, rule.original_max_position_embeddings);
    for (double& divisor : short_) divisor = size(-4, 8);
    for (double& divisor : long_) divisor = size(-4, 8);
    rule.short_factor = {short_, pairs};
    rule.long_factor = {long_, pairs};
    if (below(2) != 0) rule.factor = factor();
    if (below(4) == 0) rule.attention_factor = size(-3, 3);
    if (below(4) == 0) rule.short_mscale = size(-3, 3), rule.long_mscale = size(-3, 3);
    return rule;
  }

  std::mt19937_64 engine_;
  double short_[16] = {};
  double long_[16] = {};
};

}  // namespace ropewalk::oracle
