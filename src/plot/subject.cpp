#include "plot/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <locale>
#include <numeric>

#include "input/bad_input.hpp"
#include "ropewalk/function/sin_cos.hpp"

namespace ropewalk::plot {
namespace {

class commas : public std::numpunct<char> {
  char do_thousands_sep() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
};

compared_rule own_rule(const subject& subject) {
  const rope& config = subject.model.encoding;
  compared_rule compared{{name_of(config.scaling), "as the model configures it", {}, {}, {}, 1}, true};
  compared.pairs = phase_coverage(config, lengths_of(subject));
  // Coverage counts this rule as part of training; a comparison lists it as one of the rules.
  if (config.scaling.is<proportional>())
    for (std::size_t pair = 0; pair < compared.pairs.size(); ++pair)
      compared.pairs[pair].step = treatment_of(static_cast<int>(pair), config) == treatment::still
                                      ? 0
                                      : 1 / factor_of(config.scaling);
  compared.summary = summarise(compared.pairs);
  compared.attention_factor = drawn(rope_attention_factor<drawn_limbs>(config));
  return compared;
}

/// Whether two rules have the same kind and change every frequency equally.
bool is_same(const extension_measurement& extension, const extension_measurement& other) {
  return extension.rule == other.rule &&
         std::equal(extension.pairs.begin(), extension.pairs.end(), other.pairs.begin(), other.pairs.end(),
                    [](const auto& a, const auto& b) { return a.step == b.step; });
}

}  // namespace

std::string grouped(std::int64_t count) {
  return fmt::format(std::locale(std::locale::classic(), new commas), "{:L}", count);
}

std::string command_of(std::string_view name) {
  return fmt::format("ropewalk plot {} --svg {}.svg", name, name);
}

std::string command_of(std::string_view name, const subject& subject) {
  return fmt::format("ropewalk plot {}{} --svg {}.svg", name, subject.which_options, name);
}

std::string measured_command_of(std::string_view name, const subject& subject) {
  std::string dtypes = subject.dtypes.empty() ? "" : " --dtype";
  for (const ropewalk_dtype dtype : subject.dtypes) dtypes += std::string(" ") + ropewalk::name_of(dtype);
  return fmt::format("ropewalk plot {}{}{}{} --svg {}.svg", name, subject.which_options,
                     subject.kernel_options, dtypes, name);
}

length_pair lengths_of(const subject& subject) { return {subject.trained, subject.target}; }

std::string label_of(const subject& subject) {
  constexpr std::size_t longest = 40;  // a path may be long
  const rope& config = subject.model.encoding;
  if (subject.model.name == "by hand")
    return fmt::format("base {}, rotary_dim {}", config.base, config.rotary_dim);
  return printable(subject.model.name, longest);
}

rope plain_encoding(const subject& subject) {
  rope encoding = subject.model.encoding;
  encoding.scaling = {};
  return encoding;
}

bool has_own_rule(const subject& subject) { return !subject.model.encoding.scaling.is<unscaled>(); }

std::vector<double> wavelengths_of(const rope& config) {
  const auto shared = share<drawn_limbs>(config);
  std::vector<double> wavelengths;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const drawn_number turns = rope_turns<drawn_limbs>(pair, config, shared);
    wavelengths.push_back(may_be_zero(turns) ? std::numeric_limits<double>::quiet_NaN()
                                             : drawn(drawn_number::of(1) / turns));
  }
  return wavelengths;
}

std::string compared_rule::name() const {
  return is_own ? fmt::format("{} (the model's own)", rule) : std::string(rule);
}

std::vector<compared_rule> compared_rules(const subject& subject) {
  std::vector<compared_rule> rules;
  for (const extension_measurement& extension :
       measure_extensions(plain_encoding(subject), lengths_of(subject))) {
    const bool is_known = std::any_of(rules.begin(), rules.end(),
                                      [&](const compared_rule& other) { return is_same(extension, other); });
    if (extension.refusal.empty() && !is_known) rules.push_back({extension, false});
    if (extension.rule == "none" && has_own_rule(subject)) rules.push_back(own_rule(subject));
  }
  return rules;
}

std::vector<double> indices(std::size_t count) {
  std::vector<double> indices(count);
  std::iota(indices.begin(), indices.end(), 0.0);
  return indices;
}

axis counting_axis(std::string title, std::size_t count) {
  constexpr std::size_t most_ticks = 8;
  std::size_t step = 1;
  while (count > step * most_ticks) step *= 2;
  axis result{.title = std::move(title)};
  for (std::size_t at = 0; at < count; at += step)
    result.ticks.push_back({static_cast<double>(at), grouped(static_cast<std::int64_t>(at))});
  return result;
}

series unit_circle() {
  constexpr int corners = 96;
  series circle{.name = "unit circle", .mark = mark::line, .role = role::reference, .x = {}, .y = {}};
  for (int k = 0; k <= corners; ++k) {
    const auto at = cos_sin_of_turns(drawn_number::of(k) / drawn_number::of(corners));
    circle.x.push_back(drawn(at.cos));
    circle.y.push_back(drawn(at.sin));
  }
  return circle;
}

}  // namespace ropewalk::plot
