#pragma once
// Configurations of every scaling rule at random: whole numbers, powers of two and any binary64, ends of
// ranges, bases that are perfect powers.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "ropewalk/config/rope.hpp"

namespace ropewalk::oracle {

/// Longrope's lists live as long as this does, and until the next configuration.
class random_configs {
 public:
  explicit random_configs(std::uint64_t seed) : engine_(seed) {}

  rope of(scaling_rule rule) {
    const int pairs = 2 + static_cast<int>(below(15));
    rope r{.base = base(pairs), .rotary_dim = 2 * pairs};
    const double original = length(), longest = original * (1 + size(-60, 5));
    r.seq_len = below(2) != 0 ? static_cast<std::int64_t>(below(std::uint64_t{1} << 31) >> below(31))
                              : static_cast<std::int64_t>(std::min(original, 0x1p30)) + below(3) - 1;
    r.seq_len = std::max<std::int64_t>(r.seq_len, 0);
    r.scaling = scaling(rule, pairs, original, longest);
    return r;
  }

 private:
  std::int64_t below(std::uint64_t limit) { return static_cast<std::int64_t>(engine_() % limit); }

  /// A power of two, a whole number, or any binary64 between 2^low and 2^high.
  double size(int low, int high) {
    const int exponent = low + static_cast<int>(below(static_cast<std::uint64_t>(high - low)));
    const double fraction = 1 + static_cast<double>(engine_() >> 12) * 0x1p-52;
    if (below(3) == 0) return std::ldexp(1.0, exponent);
    if (below(2) == 0 && high > 0) return std::max(1.0, std::floor(std::ldexp(fraction, exponent)));
    return std::ldexp(fraction, exponent);
  }

  double length() { return size(1, 24); }
  double factor() { return below(4) == 0 ? 1 : size(-8, 8); }

  /// Often a perfect power, so that frequencies are rational.
  double base(int pairs) {
    const double any = size(4, 24);
    if (below(2) != 0) return any;
    const double root = 2 + static_cast<double>(below(8));
    const double power = std::pow(root, pairs);  // rounded or not, it is a base
    return power <= largest_number ? power : any;
  }

  rope_scaling scaling(scaling_rule rule, int pairs, double original, double longest) {
    switch (rule) {
      case scaling_rule::none: break;
      case scaling_rule::linear: return linear{factor()};
      case scaling_rule::dynamic: return dynamic{factor(), original};
      case scaling_rule::ntk: return ntk{factor()};
      case scaling_rule::llama3: {
        const double low = size(-4, 4);
        return llama3{factor(), low, low * (1 + size(-50, 4)), original};
      }
      case scaling_rule::yarn: return any_yarn(original, longest);
      case scaling_rule::longrope: return any_longrope(pairs, original, longest);
      case scaling_rule::proportional:
        return proportional{1 + static_cast<int>(below(static_cast<std::uint64_t>(pairs))), factor()};
    }
    return {};
  }

  yarn any_yarn(double original, double longest) {
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

  longrope any_longrope(int pairs, double original, double longest) {
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
