#include "search/mistaken_encoding.hpp"

#include <cstdint>
#include <utility>

#include "ropewalk/encoding/rope.hpp"

namespace ropewalk::search {
namespace {

using real = enclosure<mistaken_limbs>;
using shared_by_pairs = rope_shared<mistaken_limbs>;

class mistakes {
 public:
  mistakes(const rope& config, int head_dim)
      : config_(config), head_dim_(head_dim), factor_(rope_attention_factor<mistaken_limbs>(config)) {}

  std::vector<mistaken_encoding> all() {
    add_unscaled();
    add_all_divided();
    if (config_.scaling.is<yarn>()) add_yarn(config_.scaling.as<yarn>());
    if (config_.scaling.is<longrope>()) add_other_list(config_.scaling.as<longrope>());
    if (config_.scaling.is<dynamic>()) add_constant_base();
    add_whole_head();
    return std::move(found_);
  }

 private:
  template <class InvFreq>
  void add(std::string words, const real& factor, InvFreq inv_freq) {
    mistaken_encoding one{"they are those of " + std::move(words), {}, factor};
    for (int pair = 0; pair < pair_count(config_); ++pair)
      one.turns.push_back(inv_freq(pair) * inverse_two_pi<mistaken_limbs>());
    found_.push_back(std::move(one));
  }

  /// The frequencies of another configuration, which has as many pairs or more.
  void add_of(std::string words, const real& factor, const rope& other) {
    const shared_by_pairs shared = share<mistaken_limbs>(other);
    add(std::move(words), factor,
        [&](int pair) { return rope_inv_freq<mistaken_limbs>(pair, other, shared); });
  }

  rope with(const rope_scaling& scaling) const {
    return {.base = config_.base, .rotary_dim = config_.rotary_dim, .scaling = scaling};
  }

  void add_unscaled() {
    // Dynamic NTK's have a line of their own.
    if (config_.scaling.is<unscaled>() || config_.scaling.is<dynamic>()) return;
    add_of("the unscaled frequencies", factor_, with({}));
    if (compare(factor_, real::of(1)) == order::equal) return;
    add_of("the unscaled frequencies without an attention factor: the scaling rule was not applied",
           real::of(1), with({}));
  }

  void add_all_divided() {
    if (!config_.scaling.visit([](const auto& rule) { return has_ramp<decltype(rule)>; })) return;
    add_of("frequencies that are all divided by the factor", factor_,
           with(linear{factor_of(config_.scaling)}));
  }

  void add_yarn(const yarn& rule) {
    yarn other = rule;
    other.truncate = !rule.truncate;
    add_of(rule.truncate ? "a YaRN ramp between real numbers: floor and ceil were dropped"
                         : "a YaRN ramp between whole pairs, although truncate is false",
           factor_, with(other));
    shared_by_pairs shared = share<mistaken_limbs>(config_);
    const auto scaled = [&](int pair) { return rope_inv_freq<mistaken_limbs>(pair, config_, shared); };
    const quotient scale = scale_of(rule);
    const real divisor = real::of(scale.numerator) / real::of(scale.denominator);
    add("YaRN's ramp reversed: fast pairs are divided and slow ones kept", factor_, [&](int pair) {
      const real kept = detail::unscaled_inv_freq<mistaken_limbs>(pair, config_, shared);
      return kept + kept / divisor - scaled(pair);
    });
    const real last = real::of(pair_count(config_) - 1);
    if (compare(shared.ramp.low, last) != order::less || compare(shared.ramp.high, last) != order::greater)
      return;
    shared.ramp.high = last;
    add("a YaRN ramp that is clamped to rotary_dim / 2 - 1 in place of rotary_dim - 1", factor_, scaled);
  }

  void add_other_list(const longrope& rule) {
    const bool is_long = takes_long_list(rule, config_.seq_len);
    rope other = config_;
    other.seq_len = is_long ? 0 : static_cast<std::int64_t>(rule.original_max_position_embeddings) + 1;
    const std::string list = is_long ? "longrope's short list" : "longrope's long list";
    add_of(list + ": it switches at another length", rope_attention_factor<mistaken_limbs>(other), other);
  }

  void add_constant_base() {
    rope other = config_;
    other.seq_len = 0;
    add_of("the frequencies at max_position_embeddings: the base does not grow with the sequence", factor_,
           other);
  }

  void add_whole_head() {
    if (!config_.scaling.is<unscaled>() || head_dim_ == config_.rotary_dim || head_dim_ % 2 != 0) return;
    add_of("exponents over head_dim in place of rotary_dim", factor_,
           {.base = config_.base, .rotary_dim = head_dim_});
  }

  const rope& config_;
  int head_dim_;
  real factor_;
  std::vector<mistaken_encoding> found_;
};

}  // namespace

std::vector<mistaken_encoding> mistaken_encodings(const rope& config, int head_dim) {
  return mistakes(config, head_dim).all();
}

}  // namespace ropewalk::search
