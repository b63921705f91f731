#include "diagnosis/fitted_hypotheses.hpp"

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include "diagnosis/rotary_suspect.hpp"
#include "diagnosis/seen_frequencies.hpp"
#include "input/json_text.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr number_range any_positive{std::numeric_limits<double>::min(), std::numeric_limits<double>::max()};

class fitted {
 public:
  fitted(array_reader& array, const model::model& of, const promise& promised)
      : pairs_(array.array().pairs),
        own_(of.encoding),
        right_(suspect_of(own_)),
        seen_(seen_frequencies(array, own_, promised)) {}

  std::vector<table_hypothesis> all() {
    if (seen_.empty()) return {};
    for (number_range& one : seen_) one = common_part(one, any_positive);
    add_bases();
    if (pairs_ == pair_count(own_)) {
      add_ratio();
      add_factors();
    }
    return std::move(made_);
  }

 private:
  void add(const char* name, std::string sentence, rotary_suspect suspect) {
    if (!is_same_table(suspect, right_))
      made_.push_back({name, std::move(sentence), table_of(std::move(suspect), own_)});
  }

  /// A configuration's table with its own attention factor, with the model's, and with none.
  void add_rope(const char* name, const std::string& sentence, const rope& config) {
    try {
      const rotary_suspect suspect = suspect_of(config);
      add(name, sentence, suspect);
      if (!is_same_factor(suspect, right_))
        add(name, sentence + ", with the attention factor of the model",
            with_factor(suspect, right_.cos_factor));
    } catch (const std::invalid_argument&) {  // numbers that no configuration has
    }
  }

  static bool is_same_factor(const rotary_suspect& one, const rotary_suspect& other) {
    return round<double>(one.cos_factor).bits == round<double>(other.cos_factor).bits;
  }

  /// The base that explains the first pairs: all of them, or those that a rule keeps.
  void add_bases() {
    number_range log_base{-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    for (int pair = 1; pair < pairs_; ++pair) {
      const number_range& seen = seen_[static_cast<std::size_t>(pair)];
      if (seen.is_empty()) break;
      const double exponent = static_cast<double>(pair) / pairs_;
      const number_range next =
          common_part(log_base, {-std::log(seen.high) / exponent, -std::log(seen.low) / exponent});
      if (next.is_empty()) break;
      log_base = next;
    }
    const number_range base{std::exp(log_base.low), std::exp(log_base.high)};
    if (base.is_empty() || !std::isfinite(base.high)) return;
    const double shortest = base.has(own_.base) ? own_.base : shortest_in(base);
    const std::string is_base = "the base is " + input::shown(shortest);
    add_rope("other-base",
             is_base + (own_.scaling.is<unscaled>() ? "" : ", and the rule is not applied") + of_pairs(),
             {.base = shortest, .rotary_dim = 2 * pairs_});
    if (own_.scaling.is<unscaled>() || pairs_ != pair_count(own_)) return;
    rope config = own_;
    config.base = shortest;
    add_rope("other-base", is_base, config);
  }

  std::string of_pairs() const {
    if (pairs_ == pair_count(own_)) return "";
    return ", and rotary_dim " + std::to_string(2 * pairs_);
  }

  /// One number by which every frequency is multiplied.
  void add_ratio() {
    number_range ratio = any_positive;
    for (std::size_t pair = 0; pair < seen_.size(); ++pair) {
      const double own = from_bits<double>(round<double>(right_.inv_freqs[pair]).bits);
      if (own > 0) ratio = common_part(ratio, {seen_[pair].low / own, seen_[pair].high / own});
    }
    if (ratio.is_empty()) return;
    if (ratio.low >= 1) {
      const double times = shortest_in(ratio);
      add("frequencies-times", "every frequency is " + input::shown(times) + " times the expected one",
          with_frequencies_times(right_, own_number::of(times)));
      return;
    }
    const double divisor = shortest_in({1 / ratio.high, 1 / ratio.low});
    add("frequencies-times", "every frequency is the expected one divided by " + input::shown(divisor),
        with_frequencies_times(right_, own_number::of(1) / own_number::of(divisor)));
  }

  /// Other factors of the model's rule, from the slowest pairs, which every rule divides in full. The more of
  /// them are taken, the narrower is the range, until a pair of the ramp is among them: each range is tried.
  void add_factors() {
    if (own_.scaling.is<longrope>() || own_.scaling.is<dynamic>()) return;
    number_range range = any_positive;
    std::set<double> tried;
    for (int pair = pairs_; pair-- > 0;) {
      const number_range& seen = seen_[static_cast<std::size_t>(pair)];
      if (seen.is_empty()) return;
      const double plain = std::pow(own_.base, -static_cast<double>(pair) / pairs_);
      range = common_part(range, {plain / seen.high, plain / seen.low});
      if (range.is_empty()) return;
      if (!std::isfinite(range.high)) continue;
      if (const double factor = shortest_in(range); tried.insert(factor).second) add_factor(factor);
    }
  }

  void add_factor(double factor) {
    rope config = own_;
    bool has_factor = false;
    config.scaling.visit([&](auto& rule) {
      if constexpr (requires { rule.factor = factor; }) rule.factor = factor, has_factor = true;
    });
    if (has_factor) add_rope("other-factor", "the rule's factor is " + input::shown(factor), config);
  }

  int pairs_;
  rope own_;
  rotary_suspect right_;
  std::vector<number_range> seen_;
  std::vector<table_hypothesis> made_;
};

}  // namespace

std::vector<table_hypothesis> fitted_hypotheses(array_reader& array, const model::model& of,
                                                const promise& promised) {
  return fitted(array, of, promised).all();
}

}  // namespace ropewalk::diagnosis
