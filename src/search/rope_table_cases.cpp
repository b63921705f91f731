// Cases of rotary tables: every scaling rule with drawn parameters, several axes, xPos.

#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

#include "search/table_draws.hpp"

namespace ropewalk::search {
namespace {

using tables::any_size;

/// Largest drawn exponent of xPos's scale, so that norms and products stay within every format.
constexpr std::int64_t largest_drawn_exponent = 8;

struct drawn_rope {
  rope config;
  std::shared_ptr<const void> kept{};
};

/// Draws the parameters of a scaling rule.
struct rule_numbers {
  dice& from;
  int pairs;
  double original;  // context length before extension
  double longest;   // at least `original`
  std::shared_ptr<const void> kept{};

  double factor() { return from.one_in(4) ? 1 : any_size(from, -8, 8); }

  unscaled any(const unscaled&) { return {}; }
  linear any(const linear&) { return {factor()}; }
  dynamic any(const dynamic&) { return {factor(), original}; }
  ntk any(const ntk&) { return {factor()}; }
  proportional any(const proportional&) { return {static_cast<int>(from.between(1, pairs)), factor()}; }

  llama3 any(const llama3&) {
    const double low = any_size(from, -4, 4);
    return {factor(), low, low * (1 + any_size(from, -8, 4)), original};
  }

  yarn any(const yarn&) {
    yarn rule{.original_max_position_embeddings = original, .max_position_embeddings = longest};
    if (from.one_in(2)) rule.factor = factor();
    rule.truncate = from.one_in(2);
    rule.beta_slow = any_size(from, -8, 6);
    rule.beta_fast = from.one_in(8) ? rule.beta_slow : rule.beta_slow + any_size(from, -20, 8);
    if (from.one_in(3)) rule.mscale = from.one_in(4) ? 0 : any_size(from, -3, 2);
    if (from.one_in(3)) rule.mscale_all_dim = from.one_in(4) ? 0 : any_size(from, -3, 2);
    if (from.one_in(4)) rule.attention_factor = any_size(from, -3, 3);
    return rule;
  }

  longrope any(const longrope&) {
    longrope rule{.original_max_position_embeddings = std::max(original, 2.0), .max_position_embeddings = 0};
    rule.max_position_embeddings = std::max(longest, rule.original_max_position_embeddings);
    const auto lists = std::make_shared<std::array<std::vector<double>, 2>>();
    for (std::vector<double>& list : *lists)
      for (int pair = 0; pair < pairs; ++pair) list.push_back(any_size(from, -4, 8));
    rule.short_factor = {(*lists)[0].data(), pairs};
    rule.long_factor = {(*lists)[1].data(), pairs};
    kept = lists;
    if (from.one_in(2)) rule.factor = factor();
    if (from.one_in(4)) rule.attention_factor = any_size(from, -3, 3);
    if (from.one_in(4)) rule.short_mscale = any_size(from, -3, 3), rule.long_mscale = any_size(from, -3, 3);
    return rule;
  }
};

/// Draws an encoding under the given rule, at a length near a change in its table, or at any length.
drawn_rope draw_rope(dice& from, const rope_scaling& scaling, int pairs) {
  const bool grows = scaling.visit([](const auto& rule) { return growing_base<decltype(rule)>; });
  if (grows) pairs = std::max(pairs, 2);
  drawn_rope rope{{.base = tables::any_base(from, pairs), .rotary_dim = 2 * pairs}};
  const double original = any_size(from, 1, 24), longest = original * (1 + any_size(from, -8, 5));
  rope.config.seq_len =
      from.one_in(2) ? static_cast<std::int64_t>(from.bits() >> 33) >> from.below(31)
                     : std::max<std::int64_t>(0, static_cast<std::int64_t>(original) + from.between(-1, 1));
  rule_numbers numbers{from, pairs, original, longest};
  rope.config.scaling = scaling.visit([&](const auto& rule) -> rope_scaling { return numbers.any(rule); });
  rope.kept = numbers.kept;
  return rope;
}

/// Offers a rule without its optional parameters, and with simpler required ones.
void offer_simpler_rule(auto offer, const unscaled&) { (void)offer; }
void offer_simpler_rule(auto offer, const linear& rule) {
  for (const double factor : tables::simpler_numbers(rule.factor, 1))
    offer([=](linear& linear) { linear.factor = factor; });
}
void offer_simpler_rule(auto offer, const dynamic& rule) {
  for (const double factor : tables::simpler_numbers(rule.factor, 1))
    offer([=](dynamic& dynamic) { dynamic.factor = factor; });
  for (const double length : tables::simpler_numbers(rule.max_position_embeddings, 4096))
    offer([=](dynamic& dynamic) { dynamic.max_position_embeddings = length; });
}
void offer_simpler_rule(auto offer, const ntk& rule) {
  for (const double factor : tables::simpler_numbers(rule.factor, 1))
    offer([=](ntk& ntk) { ntk.factor = factor; });
}
void offer_simpler_rule(auto offer, const proportional& rule) {
  for (const double factor : tables::simpler_numbers(rule.factor, 1))
    offer([=](proportional& proportional) { proportional.factor = factor; });
  for (const std::int64_t pairs : tables::nearer_to(1, rule.live_pairs))
    offer([=](proportional& proportional) { proportional.live_pairs = static_cast<int>(pairs); });
}
void offer_simpler_rule(auto offer, const llama3& rule) {
  for (double llama3::*number : {&llama3::factor, &llama3::low_freq_factor, &llama3::high_freq_factor,
                                 &llama3::original_max_position_embeddings})
    for (const double simpler : tables::simpler_numbers(rule.*number, 1))
      offer([=](llama3& first) { first.*number = simpler; });
}
void offer_simpler_rule(auto offer, const yarn& rule) {
  for (const double factor : tables::simpler_numbers(rule.factor.value_or(3), 2))
    offer([=](yarn& first) { first.factor = factor; });
  for (given<double> yarn::*number : {&yarn::mscale, &yarn::mscale_all_dim, &yarn::attention_factor})
    offer([=](yarn& first) { first.*number = {}; });
  offer([](yarn& first) { first.truncate = true; });
  offer([](yarn& first) { first.beta_fast = 32, first.beta_slow = 1; });
  for (double yarn::*number : {&yarn::beta_fast, &yarn::beta_slow, &yarn::original_max_position_embeddings})
    for (const double simpler : tables::simpler_numbers(rule.*number, 1))
      offer([=](yarn& first) { first.*number = simpler; });
}
void offer_simpler_rule(auto offer, const longrope& rule) {
  for (given<double> longrope::*number : {&longrope::factor, &longrope::attention_factor})
    offer([=](longrope& first) { first.*number = {}; });
  offer([](longrope& first) { first.short_mscale = {}, first.long_mscale = {}; });
  for (const double length : tables::simpler_numbers(rule.original_max_position_embeddings, 4096))
    offer([=](longrope& first) { first.original_max_position_embeddings = length; });
}

/// Cuts the lists of longrope to one factor per pair.
void cut_lists(rope_scaling& scaling, int pairs) {
  if (!scaling.is<longrope>()) return;
  scaling.visit([&](auto& rule) {
    if constexpr (requires { rule.short_factor; }) {
      rule.short_factor.count = pairs;
      rule.long_factor.count = pairs;
    }
  });
}

/// Offers no rule, fewer pairs, the usual base and simpler numbers. rope_of(case) is the encoding to change.
template <class Case, class Rope>
void offer_simpler_rope(tables::simpler_list<Case>& to, const rope& config, bool keeps_width, Rope rope_of) {
  to.offer([&](Case& test_case) { rope_of(test_case).scaling = {}; });
  if (!keeps_width)
    to.offer_each(tables::nearer_to(1, pair_count(config)), [&](Case& test_case, std::int64_t pairs) {
      rope_of(test_case).rotary_dim = static_cast<int>(2 * pairs);
      cut_lists(rope_of(test_case).scaling, static_cast<int>(pairs));
    });
  to.offer_each(tables::simpler_numbers(config.base, 10000),
                [&](Case& test_case, double base) { rope_of(test_case).base = base; });
  to.offer_each(tables::nearer_to(0, config.seq_len),
                [&](Case& test_case, std::int64_t length) { rope_of(test_case).seq_len = length; });
  config.scaling.visit([&]<class Rule>(const Rule& rule) {
    offer_simpler_rule(
        [&](auto change) {
          to.offer([&](Case& test_case) {
            rope_of(test_case).scaling.visit([&](auto& other) {
              if constexpr (std::is_same_v<std::remove_cvref_t<decltype(other)>, Rule>) change(other);
            });
          });
        },
        rule);
  });
}

}  // namespace

void validate_case(const frequency_case& test_case) { validate(test_case.config); }
void validate_case(const cos_sin_case& test_case) { validate(test_case.config); }
void validate_case(const axes_case& test_case) { validate(test_case.config.axes, test_case.config.encoding); }

void validate_case(const xpos_case& test_case) {
  validate(test_case.config);
  for (const std::int64_t position : test_case.input.positions) {
    const std::int64_t steps = position + xpos_offset(test_case.config);
    require((steps < 0 ? -steps : steps) <= largest_drawn_exponent * test_case.config.scale_base, "position",
            static_cast<double>(position), "a position near the middle");
  }
}

namespace {

rope& rope_of(frequency_case& test_case) { return test_case.config; }
rope& rope_of(cos_sin_case& test_case) { return test_case.config; }
rope& rope_of(axes_case& test_case) { return test_case.config.encoding; }

constexpr auto the_rope = [](auto& value) -> rope& { return rope_of(value); };

/// A number of pairs: up to `usual` in most cases, up to `most` in one of eight.
int draw_pairs(dice& from, int usual, int most) {
  return static_cast<int>(from.between(1, from.one_in(8) ? most : usual));
}

/// Draws sections that an M-RoPE rule accepts.
rope_axes draw_sections(dice& from, bool interleaves, int pairs) {
  const auto height = static_cast<int>(from.between(0, interleaves ? (pairs + 1) / 3 : pairs));
  const auto width = static_cast<int>(from.between(0, interleaves ? pairs / 3 : pairs - height));
  const int time = pairs - height - width;
  return interleaves ? mrope_interleaved(time, height, width) : mrope(time, height, width);
}

/// A quotient of small integers.
quotient draw_quotient(dice& from) {
  return {any_size(from, -8, 12), static_cast<double>(from.between(1, 9))};
}

frequencies draw_frequencies(dice& from, int pairs, std::vector<double>& listed) {
  const angle_unit units[] = {angle_unit::radian, angle_unit::quarter_turn, angle_unit::half_turn,
                              angle_unit::turn};
  frequencies result{.first = draw_quotient(from), .last = draw_quotient(from)};
  if (from.one_in(3)) return {};
  result.unit = units[from.below(std::size(units))];
  const std::int64_t rule = from.below(3);
  result.rule = rule == 0 ? spacing::geometric : rule == 1 ? spacing::linear : spacing::listed;
  if (result.rule == spacing::geometric)
    result.shift = pairs == 1 || from.one_in(2) ? 0 : from.one_in(2) ? 1 : -0.5;
  if (result.rule != spacing::listed) return result;
  for (int pair = 0; pair < pairs; ++pair) listed.push_back(from.one_in(8) ? 0 : any_size(from, -16, 12));
  result.list = {listed.data(), pairs};
  return result;
}

/// Draws pair counts that an order allows, and an axis for the remaining pairs.
rope_axes draw_order(dice& from, int pairs) {
  const axis_order orders[] = {axis_order::runs, axis_order::round_robin, axis_order::modulo,
                               axis_order::alternating};
  rope_axes reordered{.order = orders[from.below(std::size(orders))]};
  reordered.count =
      static_cast<int>(from.between(reordered.order == axis_order::modulo ? 3 : 1, largest_axis_count));
  const bool has_rest = reordered.order == axis_order::modulo || reordered.order == axis_order::alternating;
  reordered.rest = has_rest ? static_cast<int>(from.below(reordered.count)) : 0;
  const auto size_of = [&](int axis) -> int& { return reordered.axis[static_cast<std::size_t>(axis)].pairs; };
  if (reordered.order == axis_order::round_robin) {
    for (int axis = 0; axis < reordered.count; ++axis) size_of(axis) = std::max(1, pairs / reordered.count);
    return reordered;
  }
  const int alike = static_cast<int>(from.between(0, pairs / reordered.count));
  int left = pairs;
  for (int axis = 0; axis < reordered.count; ++axis) {
    if (axis == reordered.rest) continue;
    if (reordered.order == axis_order::alternating) size_of(axis) = alike;
    if (reordered.order == axis_order::runs) size_of(axis) = static_cast<int>(from.between(0, left));
    if (reordered.order == axis_order::modulo && axis < 3)
      size_of(axis) = static_cast<int>(from.between(0, (pairs + 2 - axis) / 3));
    left -= size_of(axis);
  }
  size_of(reordered.rest) = left;
  return reordered;
}

rope_on_axes draw_any_axes(dice& from, std::shared_ptr<const void>& kept) {
  const int drawn_pairs = draw_pairs(from, 6, 16);
  rope_on_axes axes{draw_order(from, drawn_pairs), {.base = tables::any_base(from, drawn_pairs)}};
  axes.axes.still_pairs = static_cast<int>(from.one_in(3) ? from.between(1, 2) : 0);
  int pairs = axes.axes.still_pairs;
  const auto listed = std::make_shared<std::array<std::vector<double>, largest_axis_count>>();
  axes.axes.frequencies_of = from.one_in(3) ? axis_frequencies::shared : axis_frequencies::own;
  for (int axis = 0; axis < axes.axes.count; ++axis) {
    rotary_axis& rotary = axes.axes.axis[static_cast<std::size_t>(axis)];
    pairs += rotary.pairs;
    if (rotary.pairs == 0 || axes.axes.frequencies_of == axis_frequencies::shared) continue;
    rotary.turn = draw_frequencies(from, rotary.pairs, (*listed)[static_cast<std::size_t>(axis)]);
    if (rotary.turn.rule == spacing::of_base && rotary.pairs > 1 && from.one_in(2))
      rotary.scaling = ntk{any_size(from, -2, 4)};
  }
  axes.encoding.rotary_dim = 2 * pairs;
  kept = listed;
  return axes;
}

axes_case draw_axes_case(dice& from, axes_kind kind) {
  axes_case test_case;
  test_case.input = tables::any_positions(from, 3);
  if (kind == axes_kind::any) {
    test_case.config = draw_any_axes(from, test_case.kept);
    return test_case;
  }
  const bool is_mrope_rule = kind == axes_kind::mrope || kind == axes_kind::mrope_interleaved;
  int pairs = draw_pairs(from, 4, 16);
  if (!is_mrope_rule) pairs = 2 * ((pairs + 1) / 2);
  rope_scaling scaling{};
  if (is_mrope_rule && from.one_in(2))
    visit_type(scaling_rules{}, static_cast<int>(from.below(scaling_rules::size)),
               [&]<class Rule>() { scaling = Rule{}; });
  const drawn_rope drawn = draw_rope(from, scaling, pairs);
  test_case.config.encoding = drawn.config;
  test_case.kept = drawn.kept;
  pairs = pair_count(drawn.config);
  test_case.config.axes = is_mrope_rule ? draw_sections(from, kind == axes_kind::mrope_interleaved, pairs)
                          : kind == axes_kind::pixtral ? pixtral(pairs)
                                                       : qwen_vision(pairs);
  return test_case;
}

/// Removes one pair from the last axis that has any; from all axes if they must have equally many.
void narrow(axes_case& test_case) {
  rope_axes& axes = test_case.config.axes;
  const bool are_alike = axes.order == axis_order::round_robin ||
                         axes.frequencies_of == axis_frequencies::even_odd || is_qwen_vision(axes);
  for (int i = axes.count - 1; i >= 0; --i) {
    rotary_axis& axis = axes.axis[static_cast<std::size_t>(i)];
    if (axis.pairs == 0) continue;
    --axis.pairs;
    if (axis.turn.rule == spacing::listed) --axis.turn.list.count;
    test_case.config.encoding.rotary_dim -= 2;
    if (!are_alike) break;
  }
  cut_lists(test_case.config.encoding.scaling, pair_count(test_case.config.encoding));
}

/// Drops optional parts of an assignment: pairs that do not turn, and frequencies of an axis.
void offer_simpler_axes(tables::simpler_list<axes_case>& to, const rope_axes& axes) {
  if (axes.still_pairs > 0)
    to.offer([](axes_case& test_case) {
      test_case.config.encoding.rotary_dim -= 2 * test_case.config.axes.still_pairs;
      test_case.config.axes.still_pairs = 0;
    });
  for (std::size_t axis = 0; axis < axes.axis.size(); ++axis) {
    if (axes.axis[axis].turn.rule != spacing::of_base)
      to.offer([=](axes_case& test_case) { test_case.config.axes.axis[axis].turn = {}; });
    if (!axes.axis[axis].scaling.is<unscaled>())
      to.offer([=](axes_case& test_case) { test_case.config.axes.axis[axis].scaling = {}; });
  }
}

xpos_case draw_xpos_case(dice& from) {
  xpos_case test_case;
  const int pairs = draw_pairs(from, 4, 16);
  test_case.config = {.base = tables::any_base(from, pairs), .rotary_dim = 2 * pairs};
  test_case.config.scale_base = static_cast<int>(any_size(from, 0, 12));
  test_case.config.length = from.one_in(2) ? from.below(64) : from.below(std::int64_t{1} << 20);
  const std::int64_t reach = largest_drawn_exponent * test_case.config.scale_base;
  for (int i = 0; i < 3; ++i) {
    const std::int64_t steps =
        from.one_in(2) ? from.between(-reach, reach) : std::clamp(tables::any_position(from), -reach, reach);
    test_case.input.positions.push_back(from.one_in(8) && -xpos_offset(test_case.config) <= reach
                                            ? 0
                                            : steps - xpos_offset(test_case.config));
  }
  return test_case;
}

}  // namespace

rc::Gen<frequency_case> frequency_cases(const rope_scaling& rule) {
  return tables::generated<frequency_case>(
      [=](dice& from) {
        const drawn_rope drawn = draw_rope(from, rule, draw_pairs(from, 16, 32));
        return frequency_case{drawn.config, {}, drawn.kept};
      },
      [](const frequency_case& test_case) {
        tables::simpler_list<frequency_case> result(test_case);
        offer_simpler_rope(result, test_case.config, false, the_rope);
        return result.take();
      });
}

rc::Gen<cos_sin_case> cos_sin_cases(const rope_scaling& rule) {
  return tables::generated<cos_sin_case>(
      [=](dice& from) {
        const drawn_rope drawn = draw_rope(from, rule, draw_pairs(from, 4, 16));
        return cos_sin_case{drawn.config, tables::any_positions(from, 3), drawn.kept};
      },
      [](const cos_sin_case& test_case) {
        tables::simpler_list<cos_sin_case> result(test_case);
        offer_simpler_rope(result, test_case.config, false, the_rope);
        tables::offer_simpler_positions(result, test_case);
        return result.take();
      });
}

rc::Gen<axes_case> axes_cases(axes_kind kind) {
  return tables::generated<axes_case>([=](dice& from) { return draw_axes_case(from, kind); },
                                      [](const axes_case& test_case) {
                                        tables::simpler_list<axes_case> result(test_case);
                                        offer_simpler_rope(result, test_case.config.encoding, true, the_rope);
                                        offer_simpler_axes(result, test_case.config.axes);
                                        result.offer(narrow);
                                        tables::offer_simpler_positions(result, test_case);
                                        return result.take();
                                      });
}

rc::Gen<xpos_case> xpos_cases() {
  return tables::generated<xpos_case>(draw_xpos_case, [](const xpos_case& test_case) {
    tables::simpler_list<xpos_case> result(test_case);
    result.offer_each(tables::nearer_to(1, test_case.config.rotary_dim / 2),
                      [](xpos_case& tested, std::int64_t pairs) {
                        tested.config.rotary_dim = static_cast<int>(2 * pairs);
                      });
    result.offer_each(tables::simpler_numbers(test_case.config.base, 10000),
                      [](xpos_case& tested, double base) { tested.config.base = base; });
    result.offer_each(tables::nearer_to(0, test_case.config.length),
                      [](xpos_case& tested, std::int64_t length) { tested.config.length = length; });
    result.offer_each(
        tables::nearer_to(1, test_case.config.scale_base),
        [](xpos_case& tested, std::int64_t n) { tested.config.scale_base = static_cast<int>(n); });
    tables::offer_simpler_positions(result, test_case);
    return result.take();
  });
}

}  // namespace ropewalk::search
