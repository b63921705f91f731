#include "diagnosis/fitted_hypotheses.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include "diagnosis/rotary_suspect.hpp"
#include "diagnosis/seen_frequencies.hpp"
#include "input/json_text.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr number_range any_positive{std::numeric_limits<double>::min(), std::numeric_limits<double>::max()};

class fitted {
 public:
  fitted(array_reader& array, const model::model& model, const promise& promised)
      : pairs_(array.array().pairs),
        own_(model.encoding),
        right_(suspect_of(own_)),
        seen_(seen_frequencies(array, own_, promised)) {}

  std::vector<table_hypothesis> all() {
    if (seen_.empty()) return {};
    for (number_range& range : seen_) range = common_part(range, any_positive);
    add_first_pairs();
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

  /// A configuration's table, once with its own attention factor and once with the model's. Its frequencies
  /// are powers of a number with exponents `exponent(pair)`.
  template <class Exponent>
  void add_rope(const char* name, const std::string& sentence, const rope& config, const seen_number& number,
                Exponent exponent) {
    try {
      rotary_suspect suspect = suspect_of(config);
      for (std::size_t pair = 0; pair < suspect.frequency_errors.size(); ++pair)
        suspect.frequency_errors[pair] += 2 * exponent(pair) * number.relative_width;
      add(name, sentence, suspect);
      if (!is_same_factor(suspect, right_))
        add(name, sentence + ", with the attention factor of the model",
            with_factor(suspect, right_.cos_factor));
    } catch (const std::invalid_argument&) {  // invalid numbers
    }
  }

  /// A table with fewer pairs, but the right frequencies.
  void add_first_pairs() {
    if (pairs_ >= pair_count(own_)) return;
    rotary_suspect suspect = right_;
    suspect.inv_freqs.resize(static_cast<std::size_t>(pairs_));
    suspect.frequency_errors.resize(suspect.inv_freqs.size());
    add("first-pairs",
        "the table has the first " + std::to_string(pairs_) + " of " + std::to_string(pair_count(own_)) +
            " pairs",
        std::move(suspect));
  }

  static bool is_same_factor(const rotary_suspect& suspect, const rotary_suspect& other) {
    return round<double>(suspect.cos_factor).bits == round<double>(other.cos_factor).bits;
  }

  /// The base that explains the first pairs: all pairs, or those that a rule keeps.
  void add_bases() {
    number_range log_base{-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    for (int pair = 1; pair < pairs_; ++pair) {
      const number_range& range = seen_[static_cast<std::size_t>(pair)];
      if (range.is_empty()) break;
      const double exponent = static_cast<double>(pair) / pairs_;
      const number_range next =
          common_part(log_base, {-std::log(range.high) / exponent, -std::log(range.low) / exponent});
      if (next.is_empty()) break;
      log_base = next;
    }
    const number_range base{std::exp(log_base.low), std::exp(log_base.high)};
    if (base.is_empty() || !std::isfinite(base.high)) return;
    if (base.has(own_.base)) return add_base({own_.base});
    for (const seen_number& number : numbers_of(base)) add_base(number);
  }

  void add_base(const seen_number& base) {
    const bool is_plain = own_.scaling.is<unscaled>();
    const std::string is_base = "the base is " + base.text();
    const auto exponent = [&](std::size_t pair) { return static_cast<double>(pair) / pairs_; };
    add_rope("other-base", is_base + (is_plain ? "" : ", and the rule is not applied") + of_pairs(),
             {.base = base.value, .rotary_dim = 2 * pairs_}, base, exponent);
    if (is_plain || pairs_ != pair_count(own_)) return;
    rope config = own_;
    config.base = base.value;
    add_rope("other-base", is_base, config, base, exponent);
  }

  std::string of_pairs() const {
    if (pairs_ == pair_count(own_)) return "";
    return ", and rotary_dim " + std::to_string(2 * pairs_);
  }

  /// One factor of every frequency.
  void add_ratio() {
    number_range ratio = any_positive;
    for (std::size_t pair = 0; pair < seen_.size(); ++pair) {
      const double own = from_bits<double>(round<double>(right_.inv_freqs[pair]).bits);
      if (own > 0) ratio = common_part(ratio, {seen_[pair].low / own, seen_[pair].high / own});
    }
    if (ratio.is_empty()) return;
    const bool is_product = ratio.low >= 1;
    const number_range range = is_product ? ratio : number_range{1 / ratio.high, 1 / ratio.low};
    for (const seen_number& number : numbers_of(range)) {
      const own_number value = own_number::of(number.value);
      rotary_suspect suspect = with_frequencies_times(right_, is_product ? value : own_number::of(1) / value);
      for (double& error : suspect.frequency_errors) error += 2 * number.relative_width;
      add("frequencies-times",
          "every frequency is the expected one " + std::string(is_product ? "times " : "divided by ") +
              number.text(),
          std::move(suspect));
    }
  }

  /// Other factors of the model's rule, from the slowest pairs, which every rule divides fully. With more
  /// pairs the range is narrower, until a pair of the ramp is included; every range is tried.
  void add_factors() {
    if (own_.scaling.is<longrope>() || own_.scaling.is<dynamic>()) return;
    number_range range = any_positive, last = any_positive;
    std::set<double> tried;
    for (int pair = pairs_; pair-- > 0;) {
      const number_range& extent = seen_[static_cast<std::size_t>(pair)];
      const double plain = std::pow(own_.base, -static_cast<double>(pair) / pairs_);
      if (!extent.is_empty()) range = common_part(range, {plain / extent.high, plain / extent.low});
      if (extent.is_empty() || range.is_empty()) break;
      if (!std::isfinite(range.high)) continue;
      last = range;
      if (const double factor = shortest_in(range); tried.insert(factor).second) add_factor({factor});
    }
    if (!tried.empty()) add_factor(numbers_of(last).back());
  }

  void add_factor(const seen_number& factor) {
    rope config = own_;
    bool has_factor = false;
    config.scaling.visit([&](auto& rule) {
      if constexpr (requires { rule.factor = factor.value; }) rule.factor = factor.value, has_factor = true;
    });
    if (has_factor)
      add_rope("other-factor", "the rule's factor is " + factor.text(), config, factor,
               [](std::size_t) { return 1.0; });
  }

  int pairs_;
  rope own_;
  rotary_suspect right_;
  std::vector<number_range> seen_;
  std::vector<table_hypothesis> made_;
};

}  // namespace

std::vector<table_hypothesis> fitted_hypotheses(array_reader& array, const model::model& model,
                                                const promise& promised) {
  return fitted(array, model, promised).all();
}

}  // namespace ropewalk::diagnosis
