#include "search/case_generator.hpp"

#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "ropewalk/config/position_range.hpp"
#include "search/number_bits.hpp"
#include "search/search.hpp"

namespace ropewalk::search {
namespace {

constexpr std::int64_t most_elements = 1024;  // of one tensor, unless one head alone has more

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

void draw_shape(dice& from, const case_domain& domain, law_case& r) {
  const case_needs& needs = domain.needs;
  if (needs.one_range) {
    const std::int64_t pairs = domain.rotary_dim / 2;
    constexpr std::int64_t enough =
        rotations_in_each_range * 9 / 8;  // a few are beyond the domain of the bounds
    r.tokens = (enough + pairs * cases_in_each_range - 1) / (pairs * cases_in_each_range);
    return;
  }
  r.batch = from.one_in(4) ? from.between(2, 3) : 1;
  r.tokens = from.between(needs.several_tokens ? 2 : 1, 4);
  r.query_heads = from.between(1, 3);
  if (needs.key || from.one_in(3)) r.key_heads = from.between(1, 2);
  if (needs.as_many_key_heads) r.key_heads = r.query_heads;
  const auto elements = [&] {
    return r.batch * r.tokens * std::max(r.query_heads, r.key_heads) * r.head_dim;
  };
  while (r.batch > 1 && elements() > most_elements) --r.batch;
  while (r.tokens > (needs.several_tokens ? 2 : 1) && elements() > most_elements) --r.tokens;
  if (elements() > most_elements) r.query_heads = r.key_heads = std::min<std::int64_t>(r.key_heads, 1);
  r.query_heads = std::max<std::int64_t>(r.query_heads, 1);
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

/// A quarter of all tensors look like data, a quarter like data of another size; the others mix everything,
/// some with values that are not finite.
std::vector<std::uint64_t> draw_elements(dice& from, const case_domain& domain, std::int64_t count) {
  const bool is_scaled = from.one_in(2);
  const int exponent = is_scaled && from.one_in(2) ? draw_exponent(from, domain.dtype) : 0;
  const auto numbers = domain.needs.every_bit_pattern ? number_domain::every_pattern : number_domain::finite;
  std::vector<std::uint64_t> r;
  for (std::int64_t i = 0; i < count; ++i)
    r.push_back(is_scaled ? draw_scaled_fraction(from, domain.dtype, exponent)
                          : draw_bits(from, domain.dtype, numbers));
  if (domain.needs.every_bit_pattern && count > 0 && from.one_in(2))
    for (std::int64_t i = from.between(1, 3); i > 0; --i)
      r[static_cast<std::size_t>(from.below(count))] = draw_non_finite(from, domain.dtype);
  return r;
}

law_case draw_case(dice from, const case_domain& domain) {
  law_case r;
  r.dtype = domain.dtype;
  r.head_dim = domain.head_dim;
  if (domain.needs.pass_through_channels && domain.head_dim == domain.rotary_dim)
    r.head_dim += from.one_in(2) ? 1 : 6;
  r.range = domain.range;
  draw_shape(from, domain, r);
  r.gap = from.one_in(3) ? from.between(1, 3) : 0;
  r.channel_step = from.one_in(8) ? 2 : 1;
  r.heads_first = from.one_in(4);
  r.in_place = from.one_in(2);
  if (!domain.needs.one_range) {
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

// Simpler cases, each made by one small edit of the case it came from.

struct axis_cut {  // keep entries [first, first + kept) of one axis
  std::int64_t first;
  std::int64_t kept;
};

/// Elements of [outer][length][inner], cut along the middle axis.
template <class Element>
std::vector<Element> cut(const std::vector<Element>& from, std::int64_t outer, std::int64_t length,
                         std::int64_t inner, axis_cut keep) {
  std::vector<Element> r;
  for (std::int64_t i = 0; i < outer; ++i) {
    const auto begin = from.begin() + (i * length + keep.first) * inner;
    r.insert(r.end(), begin, begin + keep.kept * inner);
  }
  return r;
}

law_case with_rows(law_case c, axis_cut keep) {
  c.positions = cut(c.positions, 1, c.batch, c.tokens, keep);
  c.query = cut(c.query, 1, c.batch, c.tokens * c.query_heads * c.head_dim, keep);
  c.key = cut(c.key, 1, c.batch, c.tokens * c.key_heads * c.head_dim, keep);
  c.batch = keep.kept;
  return c;
}

law_case with_tokens(law_case c, axis_cut keep) {
  c.positions = cut(c.positions, c.batch, c.tokens, 1, keep);
  c.query = cut(c.query, c.batch, c.tokens, c.query_heads * c.head_dim, keep);
  c.key = cut(c.key, c.batch, c.tokens, c.key_heads * c.head_dim, keep);
  c.tokens = keep.kept;
  return c;
}

law_case with_query_heads(law_case c, axis_cut keep) {
  c.query = cut(c.query, c.batch * c.tokens, c.query_heads, c.head_dim, keep);
  c.query_heads = keep.kept;
  return c;
}

law_case with_key_heads(law_case c, axis_cut keep) {
  c.key = cut(c.key, c.batch * c.tokens, c.key_heads, c.head_dim, keep);
  c.key_heads = keep.kept;
  return c;
}

void offer_halves(std::vector<law_case>& r, const law_case& given, std::int64_t length,
                  law_case (*keep)(law_case, axis_cut)) {
  if (length < 2) return;
  const std::int64_t half = (length + 1) / 2;
  r.push_back(keep(given, {0, half}));
  r.push_back(keep(given, {length - half, half}));
}

std::vector<law_case> smaller_shapes(const case_needs& needs, const law_case& given) {
  std::vector<law_case> r;
  offer_halves(r, given, given.batch, with_rows);
  offer_halves(r, given, given.tokens, with_tokens);
  if (needs.as_many_key_heads) {
    for (std::int64_t head = 0; given.query_heads > 1 && head < given.query_heads; ++head)
      r.push_back(with_key_heads(with_query_heads(given, {head, 1}), {head, 1}));
  } else {
    offer_halves(r, given, given.query_heads, with_query_heads);
    offer_halves(r, given, given.key_heads, with_key_heads);
  }
  if (given.key_heads > 0 && !needs.key) r.push_back(with_key_heads(given, {0, 0}));
  const auto offer = [&](auto change) {
    law_case simpler = given;
    change(simpler);
    if (simpler != given) r.push_back(std::move(simpler));
  };
  offer([](law_case& c) { c.gap = 0; });
  offer([](law_case& c) { c.channel_step = 1; });
  offer([](law_case& c) { c.heads_first = false; });
  offer([](law_case& c) { c.in_place = false; });
  offer([](law_case& c) { c.flags &= ~ROPEWALK_UNIT; });
  offer([](law_case& c) { c.flags &= ~ROPEWALK_BACKWARD; });
  offer([](law_case& c) { c.power = c.power > 0 ? 1 : -1; });
  return r;
}

struct element_edit {
  bool in_key;
  std::size_t first;
  std::size_t count;
  std::uint64_t bits;
};

law_case edited(law_case given, const element_edit& edit) {
  auto& elements = edit.in_key ? given.key : given.query;
  std::fill_n(elements.begin() + static_cast<std::ptrdiff_t>(edit.first), edit.count, edit.bits);
  return given;
}

/// Zeros over halves, quarters, ... of a tensor where something is not zero.
void offer_zeros(std::vector<element_edit>& r, const std::vector<std::uint64_t>& elements, bool in_key) {
  for (std::size_t size = elements.size(); size > 1; size = (size + 1) / 2) {
    for (std::size_t first = 0; first < elements.size(); first += size) {
      const std::size_t count = std::min(size, elements.size() - first);
      const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(first);
      if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(count),
                      [](std::uint64_t bits) { return bits != 0; }))
        r.push_back({in_key, first, count, 0});
    }
    if (size == 2) break;
  }
}

void offer_simpler_numbers(std::vector<element_edit>& r, const std::vector<std::uint64_t>& elements,
                           bool in_key, ropewalk_dtype dtype) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (const std::uint64_t bits : simpler_bits(dtype, elements[i])) r.push_back({in_key, i, 1, bits});
}

std::int64_t simplest_position(const case_domain& domain, std::int64_t position) {
  if (!domain.needs.one_range) return 0;
  const std::int64_t first = std::int64_t{1} << domain.range;
  return position < 0 ? -first : first;
}

rc::Seq<law_case> with_smaller_positions(const case_domain& domain, const law_case& given) {
  if (domain.needs.position_zero) return {};
  const std::size_t count = given.positions.size();
  auto each = rc::seq::join(rc::seq::map(rc::seq::range<std::size_t>(0, count), [=](std::size_t i) {
    const std::int64_t position = given.positions[i];
    return rc::seq::map(rc::shrink::towards<std::int64_t>(position, simplest_position(domain, position)),
                        [=](std::int64_t smaller) {
                          law_case r = given;
                          r.positions[i] = static_cast<std::int32_t>(smaller);
                          return r;
                        });
  }));
  auto shifts = rc::seq::map(rc::shrink::towards<std::int64_t>(given.shift, 0), [=](std::int64_t smaller) {
    law_case r = given;
    r.shift = static_cast<std::int32_t>(smaller);
    return r;
  });
  return rc::seq::concat(std::move(each), std::move(shifts));
}

}  // namespace

case_domain domain_of(const law& of, const held_kernel& kernel, ropewalk_dtype dtype) {
  return {of.needs, dtype, kernel.layout().head_dim, kernel.encoding().rotary_dim,
          of.needs.one_range ? 0 : -1};
}

rc::Seq<law_case> simpler_cases(const case_domain& domain, const law_case& given) {
  std::vector<element_edit> edits;
  offer_zeros(edits, given.query, false);
  offer_zeros(edits, given.key, true);
  offer_simpler_numbers(edits, given.query, false, given.dtype);
  offer_simpler_numbers(edits, given.key, true, given.dtype);
  return rc::seq::concat(rc::seq::fromContainer(smaller_shapes(domain.needs, given)),
                         with_smaller_positions(domain, given),
                         rc::seq::map(rc::seq::fromContainer(std::move(edits)),
                                      [given](const element_edit& edit) { return edited(given, edit); }));
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
  if (given.in_place) text += ", in place";
  if ((given.flags & ROPEWALK_BACKWARD) != 0) text += ", backward";
  if ((given.flags & ROPEWALK_UNIT) != 0) text += ", unit";
  return text;
}

}  // namespace ropewalk::search

namespace ropewalk {

void showValue(const law_case& given, std::ostream& to) { to << search::text_of(given); }

}  // namespace ropewalk
