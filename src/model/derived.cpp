#include "model/derived.hpp"

#include <fmt/format.h>

#include <string>

#include "input/json_text.hpp"
#include "model/exact_numbers.hpp"
#include "model/scaling_rules.hpp"
#include "ropewalk/encoding/frequency_divisor.hpp"
#include "ropewalk/encoding/latent_attention.hpp"
#include "ropewalk/encoding/placed_rope.hpp"
#include "ropewalk/encoding/rope.hpp"
#include "ropewalk/encoding/rope_axes.hpp"

namespace ropewalk::model {
namespace {

using input::shown;

std::string range_text(int first, int last) {
  return first == last ? std::to_string(first) : std::to_string(first) + " to " + std::to_string(last);
}

/// Word for the treatment of a range of pairs.
const char* name_of(treatment what) {
  switch (what) {
    case treatment::kept: return "kept";
    case treatment::blended: return "blended";
    case treatment::divided:
    case treatment::replaced: return "divided";
    case treatment::still: return "not rotated";
  }
  return "";
}

class derivation {
 public:
  explicit derivation(const model& model) : model_(model), config_(model.encoding) {}

  std::vector<fact> facts() {
    facts_ = rule_facts(config_);
    const bool is_as_text = keeps_frequencies(model_.axes);
    if (is_as_text) report_treatments();
    report_axes();
    report_attention();
    report_softmax();
    is_as_text ? report_wavelengths() : report_wavelengths_of_axes();
    report_scaled();
    return facts_;
  }

 private:
  void add(std::string name, std::string value, std::string origin) {
    facts_.push_back({std::move(name), std::move(value), std::move(origin)});
  }

  /// The rule's treatment of a pair. A turning pair whose divisor is 1 is kept; if the rule has no ramp
  /// (NTK), all others are divided.
  treatment treatment_at(int pair) const {
    const treatment by_rule = treatment_of(pair, config_);
    if (by_rule == treatment::still) return by_rule;
    if (compare(rope_frequency_divisor<6>(pair, config_), enclosure<6>::of(1)) == order::equal)
      return treatment::kept;
    const bool blends = config_.scaling.visit([](const auto& rule) { return has_ramp<decltype(rule)>; });
    return blends ? by_rule : treatment::divided;
  }

  void report_treatments() {
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

  /// Adds the pairs of each axis: a run, or every third pair.
  void report_axes() {
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
      const bool is_interleaved = is_mrope_interleaved(model_.axes);
      add(names[axis], ranges.empty() ? "none" : ranges,
          is_interleaved ? "mrope_section, interleaved: one pair in three"
                         : "mrope_section, in consecutive runs");
    }
  }

  void report_attention() {
    const double factor =
        nearest("attention factor", [&]<int N>() { return rope_attention_factor<N>(config_); });
    add("attention factor", digits_15(factor), attention_origin(config_));
  }

  void report_softmax() {
    if (model_.latent_channels == 0) return;
    const double scale = nearest("softmax scale", [&]<int N>() {
      return latent_softmax_scale<N>(model_.latent_channels, config_.scaling);
    });
    const std::string plain = fmt::format("{}^(-1/2)", model_.latent_channels);
    const bool is_scaled =
        config_.scaling.is<yarn>() && config_.scaling.as<yarn>().mscale_all_dim.value_or(0) != 0;
    add("softmax scale", digits_15(scale),
        is_scaled ? plain + fmt::format(" g(mscale_all_dim {})^2, g(m) = 0.1 m ln factor + 1",
                                        shown(config_.scaling.as<yarn>().mscale_all_dim.value))
                  : plain);
  }

  void report_wavelengths() {
    int last = pair_count(config_) - 1;
    while (treatment_of(last, config_) == treatment::still) --last;
    report_wavelength("first wavelength", 0);
    report_wavelength("last wavelength", last);
  }

  void report_wavelength(const char* name, int pair) {
    const double positions =
        nearest("wavelength", [&]<int N>() { return enclosure<N>::of(1) / rope_turns<N>(pair, config_); });
    const double inv_freq = nearest("inv_freq", [&]<int N>() { return rope_inv_freq<N>(pair, config_); });
    add(name, digits_15(positions),
        fmt::format("positions per turn: 2 pi / inv_freq[{}] {}", pair, digits_15(inv_freq)));
  }

  /// Reports the wavelengths of the first and the last pair of each axis.
  void report_wavelengths_of_axes() {
    for (int axis = 0; axis < model_.axes.count; ++axis) {
      int first = -1, last = -1;
      for (int pair = 0; pair < pair_count(config_); ++pair) {
        const pair_axis at = axis_of(pair, model_.axes, config_);
        if (at.is_still() || at.axis != axis) continue;
        if (first < 0) first = pair;
        last = pair;
      }
      const std::string of_axis = fmt::format("axis {}", axis);
      if (first < 0) {
        add(of_axis, "no pair", "it turns nothing");
        continue;
      }
      add(of_axis, digits_15(turn_on_axis(first)) + " to " + digits_15(turn_on_axis(last)),
          fmt::format("wavelengths: units of the coordinate per turn, from pair {} to pair {}", first, last));
    }
  }

  double turn_on_axis(int pair) const {
    const placed_rope config = placed(model_);
    return nearest("wavelength", [&]<int N>() {
      return enclosure<N>::of(1) / turns_of_index<N>(pair, config, share<N>(config));
    });
  }

  void report_scaled() {
    const bool is_one = compare(rope_attention_factor<4>(config_), enclosure<4>::of(1)) == order::equal;
    add("scaled", is_one ? "nothing" : "cosine and sine of query and key",
        is_one ? "the attention factor is 1"
               : "by the attention factor, hence scores by its square; values are not scaled");
    if (depends_on_seq_len(config_.scaling))
      add("cache", "of one seq_len", "keys cached under another seq_len's table do not match new queries");
  }

  const model& model_;
  const rope& config_;
  std::vector<fact> facts_;
};

}  // namespace

std::vector<fact> derived_facts(const model& model) { return derivation(model).facts(); }

}  // namespace ropewalk::model
