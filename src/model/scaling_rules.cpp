#include "model/scaling_rules.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <type_traits>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "model/exact_numbers.hpp"
#include "ropewalk/encoding/rope_scaling.hpp"

namespace ropewalk::model {

using input::shown;
namespace {

template <class Rule>
using rule_tag = std::type_identity<Rule>;

// ---- Keys ----

unscaled read(rule_tag<unscaled>, scaling_keys& /*keys*/) { return {}; }
linear read(rule_tag<linear>, scaling_keys& keys) { return {.factor = keys.required("factor")}; }
ntk read(rule_tag<ntk>, scaling_keys& keys) { return {.factor = keys.required("factor")}; }

rope_scaling read(rule_tag<dynamic>, scaling_keys& keys) {
  // Hunyuan's `alpha` is another rule under the same name: a base that does not depend on the length.
  if (const given<double> alpha = keys.number("alpha")) {
    if (!keys.known().has_alpha)
      throw bad_input(keys.written("alpha"), shown(alpha.value),
                      "none: rule dynamic uses factor and seq_len only");
    for (const char* const unused : {"factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim"})
      static_cast<void>(keys.number(unused));
    return ntk{.factor = alpha.value};
  }
  const given<std::int64_t> longest = keys.known().max_position_embeddings;
  if (!longest)
    throw bad_input(keys.known().longest_name, "missing",
                    "a whole number: rule dynamic changes the base above this length");
  return dynamic{.factor = keys.required("factor"),
                 .max_position_embeddings = static_cast<double>(longest.value)};
}

llama3 read(rule_tag<llama3>, scaling_keys& keys) {
  return {.factor = keys.required("factor"),
          .low_freq_factor = keys.required("low_freq_factor"),
          .high_freq_factor = keys.required("high_freq_factor"),
          .original_max_position_embeddings = keys.original_length()};
}

yarn read(rule_tag<yarn>, scaling_keys& keys) {
  yarn rule;
  rule.original_max_position_embeddings = keys.original_length();
  rule.max_position_embeddings = keys.longest_length();
  rule.factor = keys.stretch(rule.original_max_position_embeddings, true);
  rule.beta_fast = keys.number("beta_fast").value_or(rule.beta_fast);
  rule.beta_slow = keys.number("beta_slow").value_or(rule.beta_slow);
  rule.truncate = keys.flag("truncate").value_or(rule.truncate);
  rule.mscale = keys.number("mscale");
  rule.mscale_all_dim = keys.number("mscale_all_dim");
  rule.attention_factor = keys.number("attention_factor");
  return rule;
}

/// Checks the mscales of longrope: both or neither; some model types require them; attention_factor
/// takes precedence.
void check_mscales(const longrope& rule, scaling_keys& keys) {
  if (keys.known().needs_mscales && !rule.short_mscale)
    throw bad_input(keys.written("short_mscale"), "missing",
                    "a finite number above 0: required by this model type");
  if (rule.attention_factor && rule.short_mscale)
    keys.sources().warn(keys.written("attention_factor") + " is " + shown(rule.attention_factor.value) +
                        " and " + keys.written("short_mscale") + " is " + shown(rule.short_mscale.value) +
                        ": attention_factor is taken");
  if (rule.short_mscale.is_given != rule.long_mscale.is_given)
    throw bad_input(keys.written(rule.short_mscale ? "long_mscale" : "short_mscale"), "missing",
                    "a finite number above 0, because the other mscale is given");
}

longrope read(rule_tag<longrope>, scaling_keys& keys) {
  longrope rule;
  rule.short_factor = keys.list("short_factor");
  rule.long_factor = keys.list("long_factor");
  rule.original_max_position_embeddings = keys.original_length();
  rule.max_position_embeddings = keys.longest_length();
  rule.attention_factor = keys.number("attention_factor");
  rule.short_mscale = keys.number("short_mscale");
  rule.long_mscale = keys.number("long_mscale");
  check_mscales(rule, keys);
  rule.factor =
      keys.stretch(rule.original_max_position_embeddings, !rule.attention_factor && !rule.short_mscale);
  return rule;
}

proportional read(rule_tag<proportional>, scaling_keys& keys) {
  const lengths& known = keys.known();
  const double part = known.partial_rotary_factor.value_or(1);
  const auto refuse_part = [&](const std::string& allowed) {
    throw bad_input(keys.written("partial_rotary_factor"), shown(part), allowed);
  };
  if (!(part > 0 && part <= 1)) refuse_part("a number above 0, at most 1");
  const std::string head_dim = std::to_string(known.head_dim);
  const double product = part * known.head_dim;  // rounded to binary64, as for rotary_dim
  const proportional rule{.live_pairs = static_cast<int>(std::floor(product / 2)),
                          .factor = keys.number("factor").value_or(1)};
  if (known.pairs != 0 && rule.live_pairs > known.pairs)
    refuse_part("a number that leaves at most " + std::to_string(known.pairs) + " of head_dim " + head_dim +
                " / 2 pairs");
  if (rule.live_pairs == 0)
    refuse_part("a number that leaves at least one of head_dim " + head_dim + " / 2 pairs");
  keys.sources().add("live pairs", std::to_string(rule.live_pairs),
                     "floor(head_dim " + head_dim + " x " + shown(part) + " / 2)" +
                         (known.partial_rotary_factor ? "" : ", as no partial_rotary_factor is given"));
  return rule;
}

// ---- Derived facts ----

using facts = std::vector<fact>;

facts facts_of(const unscaled& /*rule*/, const rope& /*config*/) { return {}; }
facts facts_of(const linear& /*rule*/, const rope& /*config*/) { return {}; }
facts facts_of(const proportional& /*rule*/, const rope& /*config*/) { return {}; }

/// base x growth^(rotary_dim / (rotary_dim - 2)). The exponent is reduced to lowest terms, because
/// then a power of a number of few bits is exact.
template <growing_base Rule>
double grown_base(const Rule& rule, const rope& config) {
  const int divisor = std::gcd(config.rotary_dim, config.rotary_dim - 2);
  const auto numerator = static_cast<std::uint32_t>(config.rotary_dim / divisor);
  const auto denominator = static_cast<std::uint32_t>((config.rotary_dim - 2) / divisor);
  return nearest("grown base", [&]<int N>() {
    const exact_factor<N> growth = base_growth<N>(rule, config.seq_len);
    return enclosure<N>::of(config.base) *
           power(growth.numerator / growth.denominator, numerator, denominator);
  });
}

facts facts_of(const dynamic& rule, const rope& config) {
  const double longest = rule.max_position_embeddings;
  if (static_cast<double>(config.seq_len) <= longest)
    return {{"grown base", shown(config.base),
             fmt::format("seq_len {} is not above max_position_embeddings {}: the rule changes nothing",
                         config.seq_len, shown(longest))}};
  return {{"grown base", digits_15(grown_base(rule, config)),
           fmt::format("base x (factor x seq_len / max_position_embeddings - (factor - 1))^(rotary_dim / "
                       "(rotary_dim - 2)), max_position_embeddings {}",
                       shown(longest))}};
}

facts facts_of(const ntk& rule, const rope& config) {
  return {
      {"grown base", digits_15(grown_base(rule, config)), "base x factor^(rotary_dim / (rotary_dim - 2))"}};
}

facts facts_of(const llama3& rule, const rope& /*config*/) {
  const double original = rule.original_max_position_embeddings;
  return {{"kept below", digits_15(original / rule.high_freq_factor),
           fmt::format("positions per turn: L {} / high_freq_factor {}", shown(original),
                       shown(rule.high_freq_factor))},
          {"divided above", digits_15(original / rule.low_freq_factor),
           fmt::format("positions per turn: L {} / low_freq_factor {}", shown(original),
                       shown(rule.low_freq_factor))}};
}

/// An integer without decimals, any other number with four.
std::string bound_text(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.4f}", value);
}

facts facts_of(const yarn& rule, const rope& config) {
  const double low = nearest("ramp", [&]<int N>() { return yarn_ramp_of<N>(config, rule).low; });
  const double high = nearest("ramp", [&]<int N>() { return yarn_ramp_of<N>(config, rule).high; });
  const char* const form = rule.truncate ? "floor c(beta_fast {}), ceil c(beta_slow {})"
                                         : "c(beta_fast {}), c(beta_slow {}), truncate false";
  return {{"ramp", "(" + bound_text(low) + ", " + bound_text(high) + ")",
           fmt::format(fmt::runtime(form), shown(rule.beta_fast), shown(rule.beta_slow)) +
               "; c(n) = rotary_dim ln(L / (2 pi n)) / (2 ln base), within 0 and rotary_dim - 1"}};
}

facts facts_of(const longrope& rule, const rope& config) {
  if (length_of_change(rule) == 0) return {{"list", "one", "short_factor and long_factor are the same"}};
  const bool is_long = takes_long_list(rule, config.seq_len);
  return {{"list", is_long ? "long_factor" : "short_factor",
           fmt::format("seq_len {} is {}above L {}", config.seq_len, is_long ? "" : "not ",
                       shown(rule.original_max_position_embeddings))}};
}

// ---- Where the attention factor comes from ----

std::string no_attention(const rope& config) {
  return fmt::format("rule {} has none", name_of(config.scaling));
}

std::string origin_of(const unscaled& /*rule*/, const rope& config) { return no_attention(config); }
std::string origin_of(const linear& /*rule*/, const rope& config) { return no_attention(config); }
std::string origin_of(const proportional& /*rule*/, const rope& config) { return no_attention(config); }
std::string origin_of(const dynamic& /*rule*/, const rope& config) { return no_attention(config); }
std::string origin_of(const ntk& /*rule*/, const rope& config) { return no_attention(config); }
std::string origin_of(const llama3& /*rule*/, const rope& config) { return no_attention(config); }

std::string origin_of(const yarn& rule, const rope& /*config*/) {
  if (rule.attention_factor) return "attention_factor, as given";
  const double mscale = rule.mscale.value_or(0), all_dim = rule.mscale_all_dim.value_or(0);
  if (mscale != 0 && all_dim != 0)
    return fmt::format("g(mscale {}) / g(mscale_all_dim {}), g(m) = 0.1 m ln factor + 1", shown(mscale),
                       shown(all_dim));
  const quotient scale = scale_of(rule);
  return scale.numerator <= scale.denominator ? "factor is not above 1" : "0.1 ln factor + 1";
}

std::string origin_of(const longrope& rule, const rope& config) {
  if (rule.attention_factor) return "attention_factor, as given";
  if (rule.short_mscale)
    return takes_long_list(rule, config.seq_len) ? "long_mscale, as given" : "short_mscale, as given";
  const quotient scale = scale_of(rule);
  if (scale.numerator <= scale.denominator) return "factor is not above 1";
  return fmt::format("sqrt(1 + ln factor {} / ln L {})", shown(factor_of(config.scaling)),
                     shown(rule.original_max_position_embeddings));
}

}  // namespace

rope_scaling read_rule(const rope_scaling& rule, scaling_keys& keys) {
  return rule.visit(
      [&]<class Rule>(const Rule& /*which*/) -> rope_scaling { return read(rule_tag<Rule>{}, keys); });
}

std::vector<fact> rule_facts(const rope& config) {
  return config.scaling.visit([&](const auto& rule) { return facts_of(rule, config); });
}

std::string attention_origin(const rope& config) {
  return config.scaling.visit([&](const auto& rule) { return origin_of(rule, config); });
}

}  // namespace ropewalk::model
