// Cases of tables of rotary embeddings: every scaling rule with drawn parameters, several axes, xPos.

#include <array>

#include "search/table_draws.hpp"

namespace ropewalk::search {
namespace {

using tables::any_size;

/// Largest exponent of xPos's scale that is drawn, so that norms and products stay within every format.
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

/// Draws an encoding under the rule that `which` holds, at a length near
/// which its table may change, or at any.
drawn_rope draw_rope(dice& from, const rope_scaling& which, int pairs) {
  const bool grows = which.visit([](const auto& rule) { return growing_base<decltype(rule)>; });
  if (grows) pairs = std::max(pairs, 2);
  drawn_rope r{{.base = tables::any_base(from, pairs), .rotary_dim = 2 * pairs}};
  const double original = any_size(from, 1, 24), longest = original * (1 + any_size(from, -8, 5));
  r.config.seq_len =
      from.one_in(2) ? static_cast<std::int64_t>(from.bits() >> 33) >> from.below(31)
                     : std::max<std::int64_t>(0, static_cast<std::int64_t>(original) + from.between(-1, 1));
  rule_numbers numbers{from, pairs, original, longest};
  r.config.scaling = which.visit([&](const auto& rule) -> rope_scaling { return numbers.any(rule); });
  r.kept = numbers.kept;
  return r;
}

/// Offers a rule without its optional parameters, and with simpler required ones.
void offer_simpler_rule(auto offer, const unscaled&) { (void)offer; }
void offer_simpler_rule(auto offer, const linear& rule) {
  for (const double factor : tables::simpler_numbers(rule.factor, 1))
    offer([=](linear& one) { one.factor = factor; });
}
void offer_simpler_rule(auto offer, const dynamic& rule) {
  for (const double factor : tables::simpler_numbers(rule.factor, 1))
    offer([=](dynamic& one) { one.factor = factor; });
  for (const double length : tables::simpler_numbers(rule.max_position_embeddings, 4096))
    offer([=](dynamic& one) { one.max_position_embeddings = length; });
}
void offer_simpler_rule(auto offer, const ntk& rule) {
  for (const double factor : tables::simpler_numbers(rule.factor, 1))
    offer([=](ntk& one) { one.factor = factor; });
}
void offer_simpler_rule(auto offer, const proportional& rule) {
  for (const double factor : tables::simpler_numbers(rule.factor, 1))
    offer([=](proportional& one) { one.factor = factor; });
  for (const std::int64_t pairs : tables::nearer_to(1, rule.live_pairs))
    offer([=](proportional& one) { one.live_pairs = static_cast<int>(pairs); });
}
void offer_simpler_rule(auto offer, const llama3& rule) {
  for (double llama3::*number : {&llama3::factor, &llama3::low_freq_factor, &llama3::high_freq_factor,
                                 &llama3::original_max_position_embeddings})
    for (const double simpler : tables::simpler_numbers(rule.*number, 1))
      offer([=](llama3& one) { one.*number = simpler; });
}
void offer_simpler_rule(auto offer, const yarn& rule) {
  for (const double factor : tables::simpler_numbers(rule.factor.value_or(3), 2))
    offer([=](yarn& one) { one.factor = factor; });
  for (given<double> yarn::*number : {&yarn::mscale, &yarn::mscale_all_dim, &yarn::attention_factor})
    offer([=](yarn& one) { one.*number = {}; });
  offer([](yarn& one) { one.truncate = true; });
  offer([](yarn& one) { one.beta_fast = 32, one.beta_slow = 1; });
  for (double yarn::*number : {&yarn::beta_fast, &yarn::beta_slow, &yarn::original_max_position_embeddings})
    for (const double simpler : tables::simpler_numbers(rule.*number, 1))
      offer([=](yarn& one) { one.*number = simpler; });
}
void offer_simpler_rule(auto offer, const longrope& rule) {
  for (given<double> longrope::*number : {&longrope::factor, &longrope::attention_factor})
    offer([=](longrope& one) { one.*number = {}; });
  offer([](longrope& one) { one.short_mscale = {}, one.long_mscale = {}; });
  for (const double length : tables::simpler_numbers(rule.original_max_position_embeddings, 4096))
    offer([=](longrope& one) { one.original_max_position_embeddings = length; });
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

/// Offers no rule, fewer pairs, the usual base and simpler numbers;
/// rope_of(case) is the encoding that is changed.
template <class Case, class Rope>
void offer_simpler_rope(tables::simpler_list<Case>& to, const rope& given, bool keeps_width, Rope rope_of) {
  to.offer([&](Case& one) { rope_of(one).scaling = {}; });
  if (!keeps_width)
    to.offer_each(tables::nearer_to(1, pair_count(given)), [&](Case& one, std::int64_t pairs) {
      rope_of(one).rotary_dim = static_cast<int>(2 * pairs);
      cut_lists(rope_of(one).scaling, static_cast<int>(pairs));
    });
  to.offer_each(tables::simpler_numbers(given.base, 10000),
                [&](Case& one, double base) { rope_of(one).base = base; });
  to.offer_each(tables::nearer_to(0, given.seq_len),
                [&](Case& one, std::int64_t length) { rope_of(one).seq_len = length; });
  given.scaling.visit([&]<class Rule>(const Rule& rule) {
    offer_simpler_rule(
        [&](auto change) {
          to.offer([&](Case& one) {
            rope_of(one).scaling.visit([&](auto& other) {
              if constexpr (std::is_same_v<std::remove_cvref_t<decltype(other)>, Rule>) change(other);
            });
          });
        },
        rule);
  });
}

}  // namespace

void validate_case(const frequency_case& of) { validate(of.config); }
void validate_case(const cos_sin_case& of) { validate(of.config); }
void validate_case(const axes_case& of) { validate(of.config.axes, of.config.encoding); }

void validate_case(const xpos_case& of) {
  validate(of.config);
  for (const std::int64_t position : of.given.positions) {
    const std::int64_t steps = position + xpos_offset(of.config);
    require((steps < 0 ? -steps : steps) <= largest_drawn_exponent * of.config.scale_base, "position",
            static_cast<double>(position), "a position near the middle");
  }
}

namespace {

rope& rope_of(frequency_case& of) { return of.config; }
rope& rope_of(cos_sin_case& of) { return of.config; }
rope& rope_of(axes_case& of) { return of.config.encoding; }

constexpr auto the_rope = [](auto& of) -> rope& { return rope_of(of); };

/// A number of pairs: up to `usual` in most cases, up to `most` in one of eight.
int draw_pairs(dice& from, int usual, int most) {
  return static_cast<int>(from.between(1, from.one_in(8) ? most : usual));
}

/// Draws sections that an M-RoPE rule allows.
std::array<int, 3> draw_sections(dice& from, axis_rule rule, int pairs) {
  const bool interleaves = rule == axis_rule::mrope_interleaved;
  const auto height = static_cast<int>(from.between(0, interleaves ? (pairs + 1) / 3 : pairs));
  const auto width = static_cast<int>(from.between(0, interleaves ? pairs / 3 : pairs - height));
  return {pairs - height - width, height, width};
}

axes_case draw_axes_case(dice& from, axis_rule rule) {
  axes_case r;
  r.config.axes.rule = rule;
  const bool is_mrope_rule = is_mrope(r.config.axes);
  int pairs = draw_pairs(from, 4, 16);
  if (!is_mrope_rule) pairs = 2 * ((pairs + 1) / 2);
  rope_scaling scaling{};
  if (is_mrope_rule && from.one_in(2))
    visit_type(scaling_rules{}, static_cast<int>(from.below(scaling_rules::size)),
               [&]<class Rule>() { scaling = Rule{}; });
  const drawn_rope drawn = draw_rope(from, scaling, pairs);
  r.config.encoding = drawn.config;
  r.kept = drawn.kept;
  if (is_mrope_rule) r.config.axes.mrope_section = draw_sections(from, rule, pair_count(drawn.config));
  r.given = tables::any_positions(from, 3);
  return r;
}

/// Removes one pair from the last section that is not empty; two pairs where the rule has no sections.
void narrow(axes_case& of) {
  for (int i = 2; i >= 0; --i) {
    int& section = of.config.axes.mrope_section[static_cast<std::size_t>(i)];
    if (section == 0) continue;
    --section;
    break;
  }
  of.config.encoding.rotary_dim -= is_mrope(of.config.axes) ? 2 : 4;
  cut_lists(of.config.encoding.scaling, pair_count(of.config.encoding));
}

xpos_case draw_xpos_case(dice& from) {
  xpos_case r;
  const int pairs = draw_pairs(from, 4, 16);
  r.config = {.base = tables::any_base(from, pairs), .rotary_dim = 2 * pairs};
  r.config.scale_base = static_cast<int>(any_size(from, 0, 12));
  r.config.length = from.one_in(2) ? from.below(64) : from.below(std::int64_t{1} << 20);
  const std::int64_t reach = largest_drawn_exponent * r.config.scale_base;
  for (int i = 0; i < 3; ++i) {
    const std::int64_t steps =
        from.one_in(2) ? from.between(-reach, reach) : std::clamp(tables::any_position(from), -reach, reach);
    r.given.positions.push_back(
        from.one_in(8) && -xpos_offset(r.config) <= reach ? 0 : steps - xpos_offset(r.config));
  }
  return r;
}

}  // namespace

rc::Gen<frequency_case> frequency_cases(const rope_scaling& rule) {
  return tables::generated<frequency_case>(
      [=](dice& from) {
        const drawn_rope drawn = draw_rope(from, rule, draw_pairs(from, 16, 32));
        return frequency_case{drawn.config, {}, drawn.kept};
      },
      [](const frequency_case& given) {
        tables::simpler_list<frequency_case> r(given);
        offer_simpler_rope(r, given.config, false, the_rope);
        return r.take();
      });
}

rc::Gen<cos_sin_case> cos_sin_cases(const rope_scaling& rule) {
  return tables::generated<cos_sin_case>(
      [=](dice& from) {
        const drawn_rope drawn = draw_rope(from, rule, draw_pairs(from, 4, 16));
        return cos_sin_case{drawn.config, tables::any_positions(from, 3), drawn.kept};
      },
      [](const cos_sin_case& given) {
        tables::simpler_list<cos_sin_case> r(given);
        offer_simpler_rope(r, given.config, false, the_rope);
        tables::offer_simpler_positions(r, given);
        return r.take();
      });
}

rc::Gen<axes_case> axes_cases(axis_rule rule) {
  return tables::generated<axes_case>([=](dice& from) { return draw_axes_case(from, rule); },
                                      [](const axes_case& given) {
                                        tables::simpler_list<axes_case> r(given);
                                        offer_simpler_rope(r, given.config.encoding, true, the_rope);
                                        r.offer(narrow);
                                        tables::offer_simpler_positions(r, given);
                                        return r.take();
                                      });
}

rc::Gen<xpos_case> xpos_cases() {
  return tables::generated<xpos_case>(draw_xpos_case, [](const xpos_case& given) {
    tables::simpler_list<xpos_case> r(given);
    r.offer_each(tables::nearer_to(1, given.config.rotary_dim / 2), [](xpos_case& one, std::int64_t pairs) {
      one.config.rotary_dim = static_cast<int>(2 * pairs);
    });
    r.offer_each(tables::simpler_numbers(given.config.base, 10000),
                 [](xpos_case& one, double base) { one.config.base = base; });
    r.offer_each(tables::nearer_to(0, given.config.length),
                 [](xpos_case& one, std::int64_t length) { one.config.length = length; });
    r.offer_each(tables::nearer_to(1, given.config.scale_base),
                 [](xpos_case& one, std::int64_t n) { one.config.scale_base = static_cast<int>(n); });
    tables::offer_simpler_positions(r, given);
    return r.take();
  });
}

}  // namespace ropewalk::search
