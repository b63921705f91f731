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

compared_rule own_rule(const subject& of) {
  const rope& config = of.of.encoding;
  compared_rule r{{name_of(config.scaling), "as the model configures it", {}, {}, {}, 1}, true};
  r.pairs = phase_coverage(config, lengths_of(of));
  // Coverage counts this rule as a part of training; in a comparison, it is one of the rules.
  if (config.scaling.is<proportional>())
    for (std::size_t pair = 0; pair < r.pairs.size(); ++pair)
      r.pairs[pair].step = treatment_of(static_cast<int>(pair), config) == treatment::still
                               ? 0
                               : 1 / factor_of(config.scaling);
  r.summary = summarise(r.pairs);
  r.attention_factor = drawn(rope_attention_factor<drawn_limbs>(config));
  return r;
}

/// Whether both are one rule and change every frequency alike.
bool is_same(const extension_measurement& one, const extension_measurement& other) {
  return one.rule == other.rule &&
         std::equal(one.pairs.begin(), one.pairs.end(), other.pairs.begin(), other.pairs.end(),
                    [](const auto& a, const auto& b) { return a.step == b.step; });
}

}  // namespace

std::string grouped(std::int64_t count) {
  return fmt::format(std::locale(std::locale::classic(), new commas), "{:L}", count);
}

std::string command_of(std::string_view name) {
  return fmt::format("ropewalk plot {} --svg {}.svg", name, name);
}

std::string command_of(std::string_view name, const subject& of) {
  return fmt::format("ropewalk plot {}{} --svg {}.svg", name, of.which_options, name);
}

std::string measured_command_of(std::string_view name, const subject& of) {
  std::string dtypes = of.dtypes.empty() ? "" : " --dtype";
  for (const ropewalk_dtype one : of.dtypes) dtypes += std::string(" ") + ropewalk::name_of(one);
  return fmt::format("ropewalk plot {}{}{}{} --svg {}.svg", name, of.which_options, of.kernel_options, dtypes,
                     name);
}

length_pair lengths_of(const subject& of) { return {of.trained, of.target}; }

std::string label_of(const subject& of) {
  constexpr std::size_t longest = 40;  // a path may be long
  const rope& config = of.of.encoding;
  if (of.of.name == "by hand") return fmt::format("base {}, rotary_dim {}", config.base, config.rotary_dim);
  return printable(of.of.name, longest);
}

rope plain_encoding(const subject& of) {
  rope r = of.of.encoding;
  r.scaling = {};
  return r;
}

bool has_own_rule(const subject& of) { return !of.of.encoding.scaling.is<unscaled>(); }

std::vector<double> wavelengths_of(const rope& config) {
  const auto shared = share<drawn_limbs>(config);
  std::vector<double> r;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const drawn_number turns = rope_turns<drawn_limbs>(pair, config, shared);
    r.push_back(may_be_zero(turns) ? std::numeric_limits<double>::quiet_NaN()
                                   : drawn(drawn_number::of(1) / turns));
  }
  return r;
}

std::string compared_rule::name() const {
  return is_own ? fmt::format("{} (the model's own)", rule) : std::string(rule);
}

std::vector<compared_rule> compared_rules(const subject& of) {
  std::vector<compared_rule> r;
  for (const extension_measurement& one : measure_extensions(plain_encoding(of), lengths_of(of))) {
    const bool is_known =
        std::any_of(r.begin(), r.end(), [&](const compared_rule& other) { return is_same(one, other); });
    if (one.refusal.empty() && !is_known) r.push_back({one, false});
    if (one.rule == "none" && has_own_rule(of)) r.push_back(own_rule(of));
  }
  return r;
}

std::vector<double> indices(std::size_t count) {
  std::vector<double> r(count);
  std::iota(r.begin(), r.end(), 0.0);
  return r;
}

axis counting_axis(std::string title, std::size_t count) {
  constexpr std::size_t most_ticks = 8;
  std::size_t step = 1;
  while (count > step * most_ticks) step *= 2;
  axis r{.title = std::move(title)};
  for (std::size_t at = 0; at < count; at += step)
    r.ticks.push_back({static_cast<double>(at), grouped(static_cast<std::int64_t>(at))});
  return r;
}

series unit_circle() {
  constexpr int corners = 96;
  series r{.name = "unit circle", .mark = mark::line, .role = role::reference, .x = {}, .y = {}};
  for (int k = 0; k <= corners; ++k) {
    const auto at = cos_sin_of_turns(drawn_number::of(k) / drawn_number::of(corners));
    r.x.push_back(drawn(at.cos));
    r.y.push_back(drawn(at.sin));
  }
  return r;
}

}  // namespace ropewalk::plot
