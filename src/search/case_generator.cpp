#include "search/case_generator.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "ropewalk/config/position_range.hpp"
#include "search/number_bits.hpp"
#include "search/search.hpp"

namespace ropewalk::search {
namespace {

constexpr std::int64_t most_elements = 1024;       // of one tensor, unless one head alone has more
constexpr std::int64_t most_long_elements = 4608;  // where one axis is long

// Past the widths of vector loops, with and without something left over.
constexpr std::int64_t many_heads[] = {4, 5, 8, 9, 32};
constexpr std::int64_t many_tokens[] = {5, 8, 9, 17, 33};

std::int32_t to_position(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp(value, smallest_position, largest_position));
}

/// One of [0, 4096), 2^k + {-1, 0, 1}, random >> k; a quarter of them negative.
std::int32_t draw_position(dice& from) {
  std::int64_t position = 0;
  switch (from.below(3)) {
    case 0: position = from.below(4096); break;
    case 1: position = (std::int64_t{1} << from.below(32)) + from.between(-1, 1); break;
    default: position = static_cast<std::int64_t>(from.bits() >> 33) >> from.below(31); break;
  }
  return to_position(from.one_in(4) ? -position : position);
}

/// Often one of the two ends.
std::int32_t position_in_range(dice& from, int range) {
  const std::int64_t first = std::int64_t{1} << range, last = 2 * first - 1;
  std::int64_t position = from.between(first, last);
  if (from.one_in(4)) position = from.one_in(2) ? first : last;
  return to_position(from.one_in(2) ? -position : position);
}

std::int64_t elements_of_larger(const law_case& r) {
  return r.batch * r.tokens * std::max(r.query_heads, r.key_heads) * r.head_dim;
}

/// One axis is long, the others as short as the law lets them be.
void draw_long_axis(dice& from, const case_needs& needs, law_case& r) {
  r.tokens = needs.several_tokens ? 2 : 1;
  if (needs.key) r.key_heads = 1;
  std::int64_t* axis = &r.batch;
  std::int64_t index = from.below(std::size(many_heads));
  const std::int64_t* lengths = many_heads;  // of the batch, the first two
  switch (from.below(4)) {
    case 0: axis = &r.query_heads; break;
    case 1: axis = needs.as_many_key_heads ? &r.query_heads : &r.key_heads; break;
    case 2:
      axis = &r.tokens;
      lengths = many_tokens;
      break;
    default: index = from.below(2); break;
  }
  do {
    *axis = lengths[index];
    if (needs.as_many_key_heads) r.key_heads = r.query_heads;
  } while (--index >= 0 && elements_of_larger(r) > most_long_elements);
}

/// An addition has one tensor, and may know how many heads there are.
void fix_heads(const case_domain& domain, law_case& r) {
  if (domain.adds) r.key_heads = 0;
  if (domain.heads > 0) r.query_heads = domain.heads;
}

void draw_shape(dice& from, const case_domain& domain, law_case& r) {
  const case_needs& needs = domain.needs;
  if (needs.one_range) {
    const std::int64_t pairs = domain.rotary_dim / 2;
    constexpr std::int64_t enough =
        rotations_in_each_range * 9 / 8;  // a few are beyond the domain of the bounds
    r.tokens = (enough + pairs * cases_in_each_range - 1) / (pairs * cases_in_each_range);
    return;
  }
  if (from.one_in(4)) {
    draw_long_axis(from, needs, r);
    return fix_heads(domain, r);
  }
  r.batch = from.one_in(4) ? from.between(2, 3) : 1;
  r.tokens = from.between(needs.several_tokens ? 2 : 1, 4);
  r.query_heads = from.between(1, 3);
  if (needs.key || from.one_in(3)) r.key_heads = from.between(1, 2);
  if (needs.as_many_key_heads) r.key_heads = r.query_heads;
  while (r.batch > 1 && elements_of_larger(r) > most_elements) --r.batch;
  while (r.tokens > (needs.several_tokens ? 2 : 1) && elements_of_larger(r) > most_elements) --r.tokens;
  if (elements_of_larger(r) > most_elements)
    r.query_heads = r.key_heads = std::min<std::int64_t>(r.key_heads, 1);
  r.query_heads = std::max<std::int64_t>(r.query_heads, 1);
  fix_heads(domain, r);
}

void draw_positions(dice& from, const case_domain& domain, law_case& r) {
  const bool counted = from.one_in(4);  // as a prefill from position 0 has them
  for (std::int64_t row = 0; row < r.batch; ++row)
    for (std::int64_t token = 0; token < r.tokens; ++token) {
      std::int32_t position = counted ? static_cast<std::int32_t>(token) : draw_position(from);
      if (domain.needs.position_zero) position = 0;
      if (domain.needs.one_range) position = position_in_range(from, domain.range);
      r.positions.push_back(position);
    }
  if (r.batch > 1 && from.one_in(4))  // one row of positions for all
    for (std::size_t i = static_cast<std::size_t>(r.tokens); i < r.positions.size(); ++i)
      r.positions[i] = r.positions[i - static_cast<std::size_t>(r.tokens)];
}

void draw_memory(dice& from, law_case& r) {
  r.gap = from.one_in(3) ? from.between(1, 3) : 0;
  r.channel_step = from.one_in(8) ? 2 : 1;
  r.heads_first = from.one_in(4);
  r.in_place = from.one_in(2);
  if (from.one_in(4)) r.output_gap = from.between(1, 3);
  if (from.one_in(8)) r.reversed = static_cast<std::uint32_t>(from.between(1, 15));
}

void draw_environment(dice& from, law_case& r) {
  if (from.one_in(4))
    r.environment = from.one_in(2) ? caller_environment::flushing : caller_environment::upward;
}

/// Zeros but in a few channels, the same in every head: pairs that stand alone bring scores close to their
/// bound.
void keep_few_channels(dice& from, const case_domain& domain, int head_dim,
                       std::vector<std::uint64_t>& elements) {
  const std::int64_t half = domain.rotary_dim / 2, first = from.below(half);
  const std::int64_t kept[] = {first, first + half, 2 * first, 2 * first + 1};  // a pair of either layout
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (std::find(std::begin(kept), std::end(kept), static_cast<std::int64_t>(i) % head_dim) ==
        std::end(kept))
      elements[i] = 0;
}

/// Whether nearly every number, turned, is in the domain of the bounds.
bool is_usual_factor(const case_domain& domain) { return std::abs(domain.attention_exponent) < 3; }

/// The exponent from which on a number leaves the bounds' domain once it has been turned as often as the law
/// turns it.
int end_of_domain(const case_domain& domain) {
  const int turns = domain.needs.one_range ? 1 : 2;
  return largest_exponent_of(domain.dtype) - 2 - turns * std::max(domain.attention_exponent, 0);
}

/// A quarter of all tensors look like data, a quarter like data of another size; the others mix everything,
/// some with values that are not finite.
std::vector<std::uint64_t> draw_elements(dice& from, const case_domain& domain, std::int64_t count) {
  const bool is_scaled = from.one_in(2);
  const int usual = is_usual_factor(domain) ? 0 : -domain.attention_exponent;  // so that a |x| is about 1
  const int exponent = is_scaled && from.one_in(2) ? draw_exponent(from, domain.dtype) : usual;
  const auto numbers = domain.needs.every_bit_pattern ? number_domain::every_pattern : number_domain::finite;
  std::vector<std::uint64_t> r;
  for (std::int64_t i = 0; i < count; ++i)
    r.push_back(is_scaled ? draw_scaled_fraction(from, domain.dtype, exponent)
                          : draw_bits(from, domain.dtype, numbers));
  if (!is_usual_factor(domain) && !domain.needs.every_bit_pattern)
    for (std::uint64_t& bits : r) bits = with_exponent_below(domain.dtype, bits, end_of_domain(domain));
  if (domain.needs.every_bit_pattern && count > 0 && from.one_in(2))
    for (std::int64_t i = from.between(1, 3); i > 0; --i)
      r[static_cast<std::size_t>(from.below(count))] = draw_non_finite(from, domain.dtype);
  return r;
}

law_case draw_case(dice from, const case_domain& domain) {
  law_case r;
  r.dtype = domain.dtype;
  r.head_dim = domain.head_dim;
  if (!domain.adds && domain.needs.pass_through_channels && domain.head_dim == domain.rotary_dim)
    r.head_dim += from.one_in(2) ? 1 : 6;
  r.range = domain.range;
  draw_shape(from, domain, r);
  draw_memory(from, r);
  if (domain.is_hostile) draw_environment(from, r);
  if (!domain.needs.one_range && !domain.adds) {
    if (from.one_in(3)) r.flags |= ROPEWALK_BACKWARD;
    if (from.one_in(4) && !domain.needs.attention_factor) r.flags |= ROPEWALK_UNIT;
  }
  draw_positions(from, domain, r);
  r.shift = draw_position(from);
  r.power =
      static_cast<int>(from.between(1, domain.dtype == ROPEWALK_F16 ? 6 : 30)) * (from.one_in(2) ? 1 : -1);
  const std::int64_t tokens = r.batch * r.tokens * r.head_dim;
  r.query = draw_elements(from, domain, tokens * r.query_heads);
  r.key = draw_elements(from, domain, tokens * r.key_heads);
  if (domain.needs.key && from.one_in(2)) {
    dice other = from;  // the same channels in both
    keep_few_channels(from, domain, r.head_dim, r.query);
    keep_few_channels(other, domain, r.head_dim, r.key);
  }
  return r;
}

std::string axes_of(std::uint32_t bits) {
  constexpr const char* names[] = {"batch", "tokens", "heads", "channels"};
  std::string text;
  for (int axis = 0; axis < 4; ++axis)
    if ((bits >> axis & 1) != 0) text += (text.empty() ? "" : " and ") + std::string(names[axis]);
  return text;
}

}  // namespace

case_domain domain_of(const law<held_rotation>& of, const held_rotation& kernel, ropewalk_dtype dtype) {
  return {of.needs,
          dtype,
          kernel.layout().head_dim,
          kernel.encoding().rotary_dim,
          of.needs.one_range ? 0 : -1,
          std::ilogb(kernel.nearest_attention()),
          false,
          0,
          promises_bits(kernel.promised()) && !of.needs.environments};
}

case_domain domain_of(const law<held_addition>& of, const held_addition& kernel, ropewalk_dtype dtype) {
  const addition_truth& truth = kernel.truth();
  return {of.needs,
          dtype,
          truth.width(),
          truth.added(),
          -1,
          0,
          true,
          truth.heads(),
          promises_bits(kernel.promised()) && !of.needs.environments};
}

rc::Gen<law_case> cases(const case_domain& domain) {
  return [=](const rc::Random& random, int) {
    return rc::shrinkable::shrinkRecur(draw_case(dice(random), domain),
                                       [=](const law_case& given) { return simpler_cases(domain, given); });
  };
}

std::string text_of(const law_case& given) {
  std::string text =
      fmt::format("[{}, {}, {}, {}]", given.batch, given.tokens, given.query_heads, given.head_dim);
  if (given.key_heads > 0) text += fmt::format(", {} key heads", given.key_heads);
  text += fmt::format(" {} at positions", name_of(given.dtype));
  for (const std::int32_t position : given.positions) text += fmt::format(" {}", position);
  if (given.gap > 0) text += fmt::format(", {} unused elements after each head", given.gap);
  if (given.channel_step != 1) text += fmt::format(", channels {} elements apart", given.channel_step);
  if (given.heads_first) text += ", heads before tokens in memory";
  if (given.reversed != 0) text += ", backward in memory along " + axes_of(given.reversed);
  if (given.in_place)
    text += ", in place";
  else if (given.output_gap > 0)
    text += fmt::format(", {} more in the output", given.output_gap);
  if ((given.flags & ROPEWALK_BACKWARD) != 0) text += ", backward";
  if ((given.flags & ROPEWALK_UNIT) != 0) text += ", unit";
  if (given.environment == caller_environment::flushing) text += ", the caller flushes subnormals to zero";
  if (given.environment == caller_environment::upward) text += ", the caller rounds upward";
  return text;
}

}  // namespace ropewalk::search

namespace ropewalk {

void showValue(const law_case& given, std::ostream& to) { to << search::text_of(given); }

}  // namespace ropewalk
