#pragma once
// Measures how many unseen phases each context-extension rule removes, and at what cost: linear, NTK, YaRN,
// llama3 and longrope on the same embedding, for the same target length.

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/measure/phase_coverage.hpp"

namespace ropewalk {

/// One rule at factor target / trained.
struct extension_measurement {
  std::string_view rule;
  std::string_view setting;  // the chosen parameters, if any
  std::string refusal;       // why the rule cannot be applied; empty if it can
  std::vector<pair_coverage> pairs;
  coverage_summary summary;
  double attention_factor = 1;
};

namespace detail {

template <std::same_as<rope> Config = rope>
extension_measurement measure_extension(std::string_view rule, std::string_view setting, const Config& config,
                                        const length_pair& lengths) {
  extension_measurement extension{rule, setting, {}, {}, {}, 1};
  try {
    extension.pairs = phase_coverage(config, lengths);
    extension.summary = summarise(extension.pairs);
    extension.attention_factor = shown_number(rope_attention_factor<coverage_limbs>(config));
  } catch (const std::invalid_argument& refused) {
    extension.refusal = refused.what();
  }
  return extension;
}

/// longest / original, rounded up: with a smaller factor, the last phases would be unseen.
inline double stretching_factor(double original, double longest) {
  const double nearest = longest / original;
  const bool is_below = std::fma(nearest, original, -longest) < 0;
  return is_below ? std::nextafter(nearest, std::numeric_limits<double>::infinity()) : nearest;
}

/// The smallest list of factors that leaves no phase unseen: target / trained for pairs that did not complete
/// a turn in training, and 1 for the others.
inline std::vector<double> smallest_longrope_list(const std::vector<pair_coverage>& unscaled, double factor) {
  std::vector<double> list;
  for (const pair_coverage& pair : unscaled) list.push_back(pair.unseen > 0 ? factor : 1);
  return list;
}

}  // namespace detail

/// Measures every rule on the embedding, whose own scaling rule is ignored.
///
/// domain  target >= trained
/// error   the factor is the smallest binary64 not below target / trained
/// throws  std::invalid_argument naming the field and its value
template <std::same_as<rope> Config = rope>
std::vector<extension_measurement> measure_extensions(const Config& config, const length_pair& lengths) {
  validate(lengths);
  require(lengths.target >= lengths.trained, "target", static_cast<double>(lengths.target),
          "at least the trained length");
  const auto original = static_cast<double>(lengths.trained), longest = static_cast<double>(lengths.target);
  const double factor = detail::stretching_factor(original, longest);
  const auto with = [&](const rope_scaling& scaling) {
    return rope{
        .base = config.base, .rotary_dim = config.rotary_dim, .scaling = scaling, .seq_len = lengths.target};
  };
  const auto measure = [&](std::string_view rule, std::string_view setting, const rope_scaling& scaling) {
    return detail::measure_extension(rule, setting, with(scaling), lengths);
  };
  std::vector<extension_measurement> extensions;
  extensions.push_back(measure("none", "", {}));
  extensions.push_back(measure("linear", "", linear{.factor = factor}));
  extensions.push_back(measure("ntk", "same as dynamic with factor 1 at this length", ntk{.factor = factor}));
  extensions.push_back(measure("yarn", "beta_fast 32, beta_slow 1",
                               yarn{.factor = factor, .original_max_position_embeddings = original}));
  extensions.push_back(measure("llama3", "low_freq_factor 1, high_freq_factor 4",
                               llama3{.factor = factor,
                                      .low_freq_factor = 1,
                                      .high_freq_factor = 4,
                                      .original_max_position_embeddings = original}));
  const std::vector<double> list = detail::smallest_longrope_list(extensions.front().pairs, factor);
  const factor_list factors(list.data(), static_cast<int>(list.size()));
  extensions.push_back(measure("longrope", "the smallest factors with no unseen phase",
                               longrope{.short_factor = factors,
                                        .long_factor = factors,
                                        .original_max_position_embeddings = original,
                                        .max_position_embeddings = longest}));
  return extensions;
}

}  // namespace ropewalk
