#include "command/derived.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <string>

#include "input/json_text.hpp"
#include "ropewalk/encoding/frequency_divisor.hpp"
#include "ropewalk/encoding/latent_attention.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/law/table/frequencies/ends.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::command {
namespace {

using input::shown;
using model::fact;

template <class Evaluate>
double nearest(const char* what, const Evaluate& evaluate) {
  return from_bits<double>(round_with_enough_limbs<double>(what, evaluate));
}

std::string digits_15(double value) { return fmt::format("{:.15g}", value); }

/// A whole number as one, another with four decimals.
std::string bound_text(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.4f}", value);
}

std::string range_text(int first, int last) {
  return first == last ? std::to_string(first) : std::to_string(first) + " to " + std::to_string(last);
}

/// What is done to the pairs of a range, in a word.
const char* name_of(treatment what) {
  switch (what) {
    case treatment::kept: return "kept";
    case treatment::blended: return "blended";
    case treatment::divided:
    case treatment::replaced: return "divided";
    case treatment::still: return "standing still";
  }
  return "";
}

class derivation {
 public:
  explicit derivation(const model::model& of) : model_(of), config_(of.encoding) {}

  std::vector<fact> facts() {
    tell_rule();
    tell_treatments();
    tell_axes();
    tell_attention();
    tell_softmax();
    tell_wavelengths();
    tell_scaled();
    return facts_;
  }

 private:
  void add(std::string name, std::string value, std::string origin) {
    facts_.push_back({std::move(name), std::move(value), std::move(origin)});
  }

  void tell_rule() {
    const rope_scaling& scaling = config_.scaling;
    if (scaling.rule == scaling_rule::dynamic) tell_growth(scaling.as_dynamic);
    if (scaling.rule == scaling_rule::ntk)
      add("grown base", digits_15(grown_base()), "base x factor^(rotary_dim / (rotary_dim - 2))");
    if (scaling.rule == scaling_rule::llama3) tell_bands(scaling.as_llama3);
    if (scaling.rule == scaling_rule::yarn) tell_ramp(scaling.as_yarn);
    if (scaling.rule == scaling_rule::longrope) tell_list(scaling.as_longrope);
  }

  void tell_growth(const dynamic& rule) {
    const double longest = rule.max_position_embeddings;
    if (static_cast<double>(config_.seq_len) <= longest)
      return add("grown base", shown(config_.base),
                 fmt::format("seq_len {} is not above max_position_embeddings {}: as without the rule",
                             config_.seq_len, shown(longest)));
    add("grown base", digits_15(grown_base()),
        fmt::format("base x (factor x seq_len / max_position_embeddings - (factor - 1))^(rotary_dim / "
                    "(rotary_dim - 2)), max_position_embeddings {}",
                    shown(longest)));
  }

  /// base x growth^(rotary_dim / (rotary_dim - 2)); exact where it is a number of few bits.
  double grown_base() const {
    const int shared = std::gcd(config_.rotary_dim, config_.rotary_dim - 2);
    const auto above = static_cast<std::uint32_t>(config_.rotary_dim / shared);
    const auto below = static_cast<std::uint32_t>((config_.rotary_dim - 2) / shared);
    return nearest("grown base", [&]<int N>() {
      const rope_scaling& scaling = config_.scaling;
      const enclosure<N> growth = scaling.rule == scaling_rule::ntk
                                      ? enclosure<N>::of(scaling.as_ntk.factor)
                                      : detail::growth_of<N>(scaling.as_dynamic, config_.seq_len);
      return enclosure<N>::of(config_.base) * power(growth, above, below);
    });
  }

  void tell_bands(const llama3& rule) {
    const double original = rule.original_max_position_embeddings;
    add("kept below", digits_15(original / rule.high_freq_factor),
        fmt::format("positions a turn: L {} / high_freq_factor {}", shown(original),
                    shown(rule.high_freq_factor)));
    add("divided above", digits_15(original / rule.low_freq_factor),
        fmt::format("positions a turn: L {} / low_freq_factor {}", shown(original),
                    shown(rule.low_freq_factor)));
  }

  void tell_ramp(const yarn& rule) {
    const double low = nearest("ramp", [&]<int N>() { return yarn_ramp_of<N>(config_, rule).low; });
    const double high = nearest("ramp", [&]<int N>() { return yarn_ramp_of<N>(config_, rule).high; });
    const char* const form = rule.truncate ? "floor c(beta_fast {}), ceil c(beta_slow {})"
                                           : "c(beta_fast {}), c(beta_slow {}), truncate false";
    add("ramp", "(" + bound_text(low) + ", " + bound_text(high) + ")",
        fmt::format(fmt::runtime(form), shown(rule.beta_fast), shown(rule.beta_slow)) +
            "; c(n) = rotary_dim ln(L / (2 pi n)) / (2 ln base), within 0 and rotary_dim - 1");
  }

  void tell_list(const longrope& rule) {
    const bool is_long = takes_long_list(rule, config_.seq_len);
    add("list", is_long ? "long_factor" : "short_factor",
        fmt::format("seq_len {} is {}above L {}", config_.seq_len, is_long ? "" : "not ",
                    shown(rule.original_max_position_embeddings)));
  }

  /// As the rule treats it; kept where its divisor is 1 after all, and NTK blends nothing, it divides each pair.
  treatment treatment_at(int pair) const {
    const treatment by_rule = treatment_of(pair, config_);
    if (by_rule == treatment::still) return by_rule;
    if (compare(rope_frequency_divisor<6>(pair, config_), enclosure<6>::of(1)) == order::equal)
      return treatment::kept;
    const bool has_ramp =
        config_.scaling.rule == scaling_rule::yarn || config_.scaling.rule == scaling_rule::llama3;
    return has_ramp ? by_rule : treatment::divided;
  }

  void tell_treatments() {
    const int pairs = pair_count(config_);
    for (int first = 0; first < pairs;) {
      const treatment what = treatment_at(first);
      int last = first;
      while (last + 1 < pairs && treatment_at(last + 1) == what) ++last;
      add(std::string("pairs ") + name_of(what), range_text(first, last), divisor_text(first, last));
      first = last + 1;
    }
  }

  double divisor(int pair) const {
    return nearest("divisor", [&]<int N>() { return rope_frequency_divisor<N>(pair, config_); });
  }

  std::string divisor_text(int first, int last) const {
    const treatment what = treatment_at(first);
    if (what == treatment::kept) return "base^(-2 pair / rotary_dim)";
    if (what == treatment::still) return "frequency 0: cosine 1, sine 0";
    const double low = divisor(first), high = divisor(last);
    if (low == high) return "base^(-2 pair / rotary_dim) / " + digits_15(low);
    return "base^(-2 pair / rotary_dim) / " + digits_15(low) + " to " + digits_15(high);
  }

  /// The pairs of one axis: a run of them, or one in three.
  void tell_axes() {
    if (!is_mrope(model_.axes)) return;
    constexpr const char* names[] = {"time pairs", "height pairs", "width pairs"};
    for (int axis = 0; axis < 3; ++axis) {
      std::string ranges;
      for (int pair = 0, first = 0; pair < pair_count(config_); ++pair) {
        if (axis_of(pair, model_.axes, config_).axis != axis) continue;
        const bool begins = pair == 0 || axis_of(pair - 1, model_.axes, config_).axis != axis;
        const bool ends =
            pair + 1 == pair_count(config_) || axis_of(pair + 1, model_.axes, config_).axis != axis;
        if (begins) first = pair;
        if (ends) ranges += (ranges.empty() ? "" : ", ") + range_text(first, pair);
      }
      const bool is_interleaved = model_.axes.rule == axis_rule::mrope_interleaved;
      add(names[axis], ranges.empty() ? "none" : ranges,
          is_interleaved ? "mrope_section, interleaved: one pair in three"
                         : "mrope_section, in consecutive runs");
    }
  }

  void tell_attention() {
    const double factor =
        nearest("attention factor", [&]<int N>() { return rope_attention_factor<N>(config_); });
    add("attention factor", digits_15(factor), attention_origin());
  }

  std::string attention_origin() const {
    const rope_scaling& scaling = config_.scaling;
    if (scaling.rule == scaling_rule::yarn) return attention_origin(scaling.as_yarn);
    if (scaling.rule == scaling_rule::longrope) return attention_origin(scaling.as_longrope);
    return std::string("rule ") + ropewalk::name_of(scaling.rule) + " has none";
  }

  static std::string attention_origin(const yarn& rule) {
    if (rule.attention_factor) return "attention_factor, as given";
    const double mscale = rule.mscale.value_or(0), all_dim = rule.mscale_all_dim.value_or(0);
    if (mscale != 0 && all_dim != 0)
      return fmt::format("g(mscale {}) / g(mscale_all_dim {}), g(m) = 0.1 m ln factor + 1", shown(mscale),
                         shown(all_dim));
    const quotient scale = scale_of(rule);
    return scale.numerator <= scale.denominator ? "factor is not above 1" : "0.1 ln factor + 1";
  }

  std::string attention_origin(const longrope& rule) const {
    if (rule.attention_factor) return "attention_factor, as given";
    if (rule.short_mscale)
      return takes_long_list(rule, config_.seq_len) ? "long_mscale, as given" : "short_mscale, as given";
    const quotient scale = scale_of(rule);
    if (scale.numerator <= scale.denominator) return "factor is not above 1";
    return fmt::format("sqrt(1 + ln factor {} / ln L {})", shown(model::factor_of(config_.scaling)),
                       shown(rule.original_max_position_embeddings));
  }

  void tell_softmax() {
    if (model_.latent_channels == 0) return;
    const double scale = nearest("softmax scale", [&]<int N>() {
      return latent_softmax_scale<N>(model_.latent_channels, config_.scaling);
    });
    const std::string plain = fmt::format("{}^(-1/2)", model_.latent_channels);
    const bool is_scaled =
        config_.scaling.rule == scaling_rule::yarn && config_.scaling.as_yarn.mscale_all_dim.value_or(0) != 0;
    add("softmax scale", digits_15(scale),
        is_scaled ? plain + fmt::format(" g(mscale_all_dim {})^2, g(m) = 0.1 m ln factor + 1",
                                        shown(config_.scaling.as_yarn.mscale_all_dim.value))
                  : plain);
  }

  void tell_wavelengths() {
    const bool has_still = config_.scaling.rule == scaling_rule::proportional;
    const int last = (has_still ? config_.scaling.as_proportional.live_pairs : pair_count(config_)) - 1;
    tell_wavelength("first wavelength", 0);
    tell_wavelength("last wavelength", last);
  }

  void tell_wavelength(const char* name, int pair) {
    const double positions =
        nearest("wavelength", [&]<int N>() { return enclosure<N>::of(1) / rope_turns<N>(pair, config_); });
    const double inv_freq = nearest("inv_freq", [&]<int N>() { return rope_inv_freq<N>(pair, config_); });
    add(name, digits_15(positions),
        fmt::format("positions a turn: 2 pi / inv_freq[{}] {}", pair, digits_15(inv_freq)));
  }

  void tell_scaled() {
    const bool is_one = compare(rope_attention_factor<4>(config_), enclosure<4>::of(1)) == order::equal;
    add("scaled", is_one ? "nothing" : "cosine and sine of query and key",
        is_one ? "the attention factor is 1"
               : "by the attention factor, so a score by its square; not values");
    if (depends_on_seq_len(config_.scaling.rule))
      add("cache", "of one seq_len",
          "a key that was rotated under another table no longer meets its queries");
  }

  const model::model& model_;
  const rope& config_;
  std::vector<fact> facts_;
};

}  // namespace

std::vector<fact> derived_facts(const model::model& of) { return derivation(of).facts(); }

}  // namespace ropewalk::command
