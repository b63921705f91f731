#include "fault/changed_rope.hpp"

#include "ropewalk/numeric/round.hpp"

namespace ropewalk::fault {
namespace {

constexpr double most_common_base = 10000;

bool has_a_ramp(const rope_scaling& scaling) {
  return scaling.visit([](const auto& rule) { return has_ramp<decltype(rule)>; });
}

std::optional<rope> with_other_list(rope own) {
  if (!own.scaling.is<longrope>()) return std::nullopt;
  const auto& rule = own.scaling.as<longrope>();
  own.seq_len = takes_long_list(rule, own.seq_len)
                    ? 0
                    : static_cast<std::int64_t>(rule.original_max_position_embeddings) + 1;
  return own;
}

std::optional<rope> with_truncation(rope own, bool truncate) {
  if (!own.scaling.is<yarn>() || own.scaling.as<yarn>().truncate == truncate) return std::nullopt;
  own.scaling.as<yarn>().truncate = truncate;
  return own;
}

std::optional<rope> with_constant_length(rope own) {
  if (!own.scaling.is<dynamic>()) return std::nullopt;
  own.seq_len = 0;
  return own;
}

}  // namespace

std::optional<rope> changed(const own_configuration& own, rope_change change) {
  const rope& config = own.encoding;
  const bool is_unscaled = config.scaling.is<unscaled>();
  switch (change) {
    case rope_change::unscaled:
      if (is_unscaled || config.scaling.is<dynamic>()) return std::nullopt;  // dynamic NTK: constant_length
      return rope{.base = config.base, .rotary_dim = config.rotary_dim};
    case rope_change::all_divided:
      if (!has_a_ramp(config.scaling)) return std::nullopt;
      return rope{
          .base = config.base, .rotary_dim = config.rotary_dim, .scaling = linear{factor_of(config.scaling)}};
    case rope_change::other_list: return with_other_list(config);
    case rope_change::truncated: return with_truncation(config, true);
    case rope_change::untruncated: return with_truncation(config, false);
    case rope_change::exponent_halved:
      if (!is_unscaled || 2 * config.rotary_dim > largest_head_dim) return std::nullopt;
      return rope{.base = config.base, .rotary_dim = 2 * config.rotary_dim};
    case rope_change::exponent_over_head_dim:
      if (!is_unscaled || own.head_dim % 2 != 0) return std::nullopt;
      return rope{.base = config.base, .rotary_dim = own.head_dim};
    case rope_change::constant_length: return with_constant_length(config);
    case rope_change::usual_base: break;
  }
  if (!is_unscaled || config.base == most_common_base) return std::nullopt;
  return rope{.base = most_common_base, .rotary_dim = config.rotary_dim};
}

std::optional<rope> changed_rope(const ropewalk_rotation& encoding, rope_change change) {
  const std::optional<own_configuration> own = own_configuration_of(encoding);
  return own ? changed(*own, change) : std::nullopt;
}

std::vector<own_number> reversed_ramp(const rope& own) {
  const auto shared = share<rope_rows::limb_count>(own);
  const quotient scale = scale_of(own.scaling.as<yarn>());
  const own_number divisor = own_number::of(scale.numerator) / own_number::of(scale.denominator);
  std::vector<own_number> ramp;
  for (int pair = 0; pair < pair_count(own); ++pair) {
    const own_number kept = detail::unscaled_inv_freq<rope_rows::limb_count>(pair, own, shared);
    ramp.push_back(kept + kept / divisor - rope_inv_freq<rope_rows::limb_count>(pair, own, shared));
  }
  return ramp;
}

std::vector<own_number> clamped_ramp(const rope& own) {
  own_shared shared = share<rope_rows::limb_count>(own);
  const int last = pair_count(own) - 1;
  const own_number end = own_number::of(last);
  if (compare(shared.ramp.high, end) != order::greater || compare(shared.ramp.low, end) != order::less)
    return {};
  shared.ramp.high = end;
  std::vector<own_number> ramp;
  for (int pair = 0; pair < last; ++pair)
    ramp.push_back(rope_inv_freq<rope_rows::limb_count>(pair, own, shared));
  // The ramp is exactly 1 here, which an enclosure cannot decide: divide by the factor.
  const quotient factor = scale_of(own.scaling.as<yarn>());
  ramp.push_back(detail::unscaled_inv_freq<rope_rows::limb_count>(last, own, shared) *
                 own_number::of(factor.denominator) / own_number::of(factor.numerator));
  return ramp;
}

std::vector<own_number> stepped_ramp(const rope& own, bool divides) {
  if (!has_a_ramp(own.scaling)) return {};
  constexpr int limbs = rope_rows::limb_count;
  const auto shared = share<limbs>(own);
  const own_number factor = own_number::of(factor_of(own.scaling));
  const auto is_same = [](const own_number& a, const own_number& b) {
    return round<double>(a).bits == round<double>(b).bits;
  };
  bool is_blended = false;
  std::vector<own_number> ramp;
  for (int pair = 0; pair < pair_count(own); ++pair) {
    const own_number kept = detail::unscaled_inv_freq<limbs>(pair, own, shared), divided = kept / factor;
    ramp.push_back(rope_inv_freq<limbs>(pair, own, shared));
    if (is_same(ramp.back(), kept) || is_same(ramp.back(), divided)) continue;
    ramp.back() = divides ? divided : kept;
    is_blended = true;
  }
  return is_blended ? ramp : std::vector<own_number>();
}

}  // namespace ropewalk::fault
