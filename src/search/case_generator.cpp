#include "search/case_generator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>
#include <span>

#include <rapidcheck.h>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/number_bits.hpp"
#include "search/placed_positions.hpp"
#include "search/real_positions.hpp"
#include "search/search.hpp"
#include "search/size_cases.hpp"

namespace ropewalk::search {
namespace {

constexpr std::int64_t most_elements = 1024;        // of one tensor, unless a single head has more
constexpr std::int64_t most_long_elements = 4608;   // if one axis is long
constexpr std::int64_t most_wide_elements = 12288;  // if two axes are long

// Longer than vector loops, with and without a remainder.
constexpr std::int64_t many_rows[] = {4, 5, 9};
constexpr std::int64_t many_heads[] = {4, 5, 8, 9, 28, 32};
// Query heads per key head in published models: Gemma 2 has 2, StarCoder2 9, Falcon 16, 29 and 71.
constexpr std::int64_t grouped_heads[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 29, 48, 64, 71, 128};
constexpr std::int64_t many_tokens[] = {5, 8, 9, 17, 33, 65, 200};
// One case in so many, starting with first_prefill, has more tokens than kernels process at a time.
constexpr std::int64_t cases_per_prefill = 64, first_prefill = 12;
constexpr std::int64_t prefill_tokens[] = {65, 129, 200};
constexpr std::int64_t most_prefill_elements = 33280;

constexpr std::int64_t cases_per_real = 3;  // one case in so many has positions in binary64

std::int32_t to_position(std::int64_t value) {
  return static_cast<std::int32_t>(std::clamp(value, smallest_position, largest_position));
}

/// A power of two, or the length of a context of the model.
std::int64_t draw_edge(dice& from, const case_domain& domain) {
  const auto& lengths = domain.context_lengths;
  if (!lengths.empty() && from.one_in(4))
    return lengths[static_cast<std::size_t>(from.below(static_cast<std::int64_t>(lengths.size())))];
  return std::int64_t{1} << from.below(32);
}

/// One of [0, 4096), an edge + {-1, 0, 1}, random >> k; a quarter are negative.
std::int32_t draw_position(dice& from, const case_domain& domain) {
  std::int64_t position = 0;
  switch (from.below(3)) {
    case 0: position = from.below(4096); break;
    case 1: position = draw_edge(from, domain) + from.between(-1, 1); break;
    default: position = static_cast<std::int64_t>(from.bits() >> 33) >> from.below(31); break;
  }
  return to_position(from.one_in(4) ? -position : position);
}

/// A position of a range, often one of its ends.
std::int32_t draw_between(dice& from, position_range range) {
  const std::int64_t last = range.end - 1;
  if (from.one_in(4)) return to_position(from.one_in(2) ? range.begin : last);
  return to_position(from.between(range.begin, last));
}

/// The position if it lies within the limits, otherwise one drawn from the limits.
std::int32_t within(dice& from, position_range limits, std::int32_t position) {
  return position >= limits.begin && position < limits.end ? position : draw_between(from, limits);
}

/// A position in +-[2^range, 2^(range + 1)) and within the limits.
std::int32_t position_in_range(dice& from, int range, position_range limits) {
  const std::int64_t first = std::int64_t{1} << range, end = 2 * first;
  std::vector<position_range> parts;
  for (const position_range part : {position_range{first, end}, position_range{1 - end, 1 - first}}) {
    const position_range common{std::max(part.begin, limits.begin), std::min(part.end, limits.end)};
    if (common.begin < common.end) parts.push_back(common);
  }
  return draw_between(from,
                      parts[static_cast<std::size_t>(from.below(static_cast<std::int64_t>(parts.size())))]);
}

/// Positions that a case may have. They leave room for the position of a second rotation and for the sum, and
/// contain -p with each p if a law undoes a rotation without `backward`.
position_range first_positions(const case_domain& domain) {
  const served_calls& served = domain.served;
  if (domain.needs.opposite_positions && served.lacks(ROPEWALK_NO_BACKWARD)) return served.opposites();
  const auto [begin, end] = served.positions();
  if (!domain.needs.second_rotation || served.has_all_positions()) return {begin, end};
  if (begin > 0) return {begin, end - begin};
  if (end <= 0) return {begin - (end - 1), end};
  return {begin / 2, (end + 1) / 2};
}

/// A second position that is served, as are its sums with all first positions.
std::int32_t draw_shift(dice& from, const case_domain& domain, const double* first, const double* last) {
  const served_calls& served = domain.served;
  if (served.has_all_positions()) return draw_position(from, domain);
  const auto [begin, end] = served.positions();
  const auto [smallest, largest] = std::minmax_element(first, last);
  const position_range limits{std::max(begin, begin - static_cast<std::int64_t>(*smallest)),
                              std::min(end, end - static_cast<std::int64_t>(*largest))};
  return within(from, limits, draw_position(from, domain));
}

std::int64_t elements_of_larger(const law_case& test_case) {
  return test_case.batch * test_case.tokens * std::max(test_case.query_heads, test_case.key_heads) *
         test_case.head_dim;
}

/// An axis of a case that may be long, and the lengths to choose from.
struct long_axis {
  std::int64_t law_case::*length;
  std::span<const std::int64_t> lengths;
};

std::vector<long_axis> long_axes(const case_needs& needs) {
  std::vector<long_axis> axes{
      {&law_case::batch, many_rows}, {&law_case::tokens, many_tokens}, {&law_case::query_heads, many_heads}};
  if (!needs.as_many_key_heads) axes.push_back({&law_case::key_heads, many_heads});
  return axes;
}

/// Draws an axis length, and shortens it until the case has at most `most` elements.
void lengthen(dice& from, const case_needs& needs, const long_axis& axis, std::int64_t most,
              law_case& test_case) {
  std::int64_t index = from.below(static_cast<std::int64_t>(axis.lengths.size()));
  do {
    test_case.*axis.length = axis.lengths[static_cast<std::size_t>(index)];
    if (needs.as_many_key_heads) test_case.key_heads = test_case.query_heads;
  } while (--index >= 0 && elements_of_larger(test_case) > most);
}

/// Makes one or two axes long, and the others as short as the law allows.
void draw_long_axes(dice& from, const case_needs& needs, int count, law_case& test_case) {
  test_case.tokens = needs.several_tokens ? 2 : 1;
  if (needs.key) test_case.key_heads = 1;
  std::vector<long_axis> axes = long_axes(needs);
  for (int i = 0; i < count; ++i) {
    const auto chosen = from.below(static_cast<std::int64_t>(axes.size()));
    lengthen(from, needs, axes[static_cast<std::size_t>(chosen)],
             count == 1 ? most_long_elements : most_wide_elements, test_case);
    axes.erase(axes.begin() + chosen);
  }
}

/// Uses the model's head counts, with one or two tokens.
void draw_model_heads(dice& from, const case_domain& domain, law_case& test_case) {
  test_case.tokens = domain.needs.several_tokens ? 2 : 1;
  test_case.query_heads = domain.model_heads;
  test_case.key_heads = domain.model_key_heads;
  if (domain.needs.as_many_key_heads) test_case.key_heads = test_case.query_heads;
  if (!domain.needs.key && from.one_in(2)) test_case.key_heads = 0;
  while (test_case.query_heads > 1 && elements_of_larger(test_case) > most_wide_elements) {
    test_case.query_heads = (test_case.query_heads + 1) / 2;
    test_case.key_heads = std::min(test_case.key_heads, test_case.query_heads);
  }
}

/// Uses a published ratio of query to key heads that fits, with one or two key heads.
void draw_grouped_heads(dice& from, const case_domain& domain, law_case& test_case) {
  test_case.tokens = domain.needs.several_tokens ? 2 : 1;
  const std::int64_t most = most_wide_elements / (test_case.tokens * test_case.head_dim);
  const std::int64_t fitting =
      std::upper_bound(std::begin(grouped_heads), std::end(grouped_heads), most) - grouped_heads;
  test_case.query_heads = fitting == 0 ? 1 : grouped_heads[from.below(fitting)];
  test_case.key_heads = 1;
  if (from.one_in(2) && 2 * elements_of_larger(test_case) <= most_wide_elements)
    test_case.query_heads *= 2, test_case.key_heads = 2;
  if (domain.needs.as_many_key_heads) test_case.key_heads = test_case.query_heads;
}

/// Makes the case a long prefill: one head, and as many tokens as fit, but at least the first of
/// prefill_tokens.
void draw_prefill(dice& from, const case_domain& domain, law_case& test_case) {
  test_case.key_heads = domain.needs.key || from.one_in(2) ? 1 : 0;
  test_case.tokens = prefill_tokens[from.below(std::size(prefill_tokens))];
  test_case.tokens =
      std::min(test_case.tokens, std::max(prefill_tokens[0], most_prefill_elements / test_case.head_dim));
}

/// Removes the key of an addition, and sets the head count if the encoding fixes it.
void fix_heads(const case_domain& domain, law_case& test_case) {
  if (domain.adds) test_case.key_heads = 0;
  if (domain.heads > 0) test_case.query_heads = domain.heads;
}

void draw_shape(dice& from, const case_domain& domain, law_case& test_case) {
  const case_needs& needs = domain.needs;
  if (needs.one_range) {
    const std::int64_t pairs = domain.rotary_dim / 2;
    // One eighth more, since some rotations lie outside the domain of the bounds.
    constexpr std::int64_t enough = rotations_in_each_range * 9 / 8;
    test_case.tokens = (enough + pairs * cases_in_each_range - 1) / (pairs * cases_in_each_range);
    // Every second case of a range has a key as well.
    if (domain.number / position_ranges % 2 == 1 && !domain.adds && !domain.served.lacks(ROPEWALK_NO_KEY)) {
      test_case.tokens = (test_case.tokens + 1) / 2;
      test_case.key_heads = 1;
    }
    return;
  }
  if (!needs.few_elements && domain.number % cases_per_prefill == first_prefill) {
    draw_prefill(from, domain, test_case);
    return fix_heads(domain, test_case);
  }
  const std::int64_t kind = needs.few_elements ? 16 : from.below(16);
  if (kind < 4) {
    if (kind < 2)
      draw_long_axes(from, needs, from.one_in(4) ? 2 : 1, test_case);
    else if (kind == 2)
      draw_model_heads(from, domain, test_case);
    else
      draw_grouped_heads(from, domain, test_case);
    return fix_heads(domain, test_case);
  }
  test_case.batch = from.one_in(4) ? from.between(2, 3) : 1;
  test_case.tokens = from.between(needs.several_tokens ? 2 : 1, 4);
  test_case.query_heads = from.between(1, 3);
  if (needs.key || from.one_in(3)) test_case.key_heads = from.between(1, 2);
  if (needs.as_many_key_heads) test_case.key_heads = test_case.query_heads;
  while (test_case.batch > 1 && elements_of_larger(test_case) > most_elements) --test_case.batch;
  while (test_case.tokens > (needs.several_tokens ? 2 : 1) && elements_of_larger(test_case) > most_elements)
    --test_case.tokens;
  if (elements_of_larger(test_case) > most_elements)
    test_case.query_heads = test_case.key_heads = std::min<std::int64_t>(test_case.key_heads, 1);
  test_case.query_heads = std::max<std::int64_t>(test_case.query_heads, 1);
  fix_heads(domain, test_case);
}

/// Uses one of the kernel's listed shapes, if any. Removes the key if keys are not served.
void take_served_shape(dice& from, const case_domain& domain, law_case& test_case) {
  const auto any_of_them = [&](const auto& list) {
    return list[static_cast<std::size_t>(from.below(static_cast<std::int64_t>(list.size())))];
  };
  std::vector<std::array<std::int64_t, 4>> fitting;
  for (const auto& shape : domain.served.shapes())
    if (shape[3] == test_case.head_dim && served_calls::is_drawn(shape)) fitting.push_back(shape);
  if (!fitting.empty()) {
    const std::array<std::int64_t, 4> chosen = any_of_them(fitting);
    test_case.batch = chosen[0], test_case.tokens = chosen[1], test_case.query_heads = chosen[2];
    std::erase_if(fitting, [&](const auto& item) { return item[0] != chosen[0] || item[1] != chosen[1]; });
    if (test_case.key_heads > 0)
      test_case.key_heads = domain.needs.as_many_key_heads ? test_case.query_heads : any_of_them(fitting)[2];
  }
  if (domain.served.lacks(ROPEWALK_NO_KEY)) test_case.key_heads = 0;
}

/// Gives some plans a short range of expected positions, so that calls have positions inside and outside it.
void draw_table(dice& from, const case_domain& domain, law_case& test_case) {
  if (domain.needs.one_range || !from.one_in(4)) return;
  const std::int64_t first = domain.needs.position_zero
                                 ? from.between(-2, 1)
                                 : within(from, domain.served.positions(), draw_position(from, domain));
  test_case.table.begin = std::min(first, largest_position);
  test_case.table.end = std::min(first + from.between(1, 48), largest_position + 1);
}

/// If the plan has a range of expected positions, draws half of the positions at its ends or between them.
std::int32_t draw_told_position(dice& from, const case_domain& domain, const law_case& test_case) {
  if (test_case.table.begin == test_case.table.end || from.one_in(2)) return draw_position(from, domain);
  const std::int64_t ends[] = {test_case.table.begin - 1, test_case.table.begin, test_case.table.end - 1,
                               test_case.table.end};
  if (from.one_in(2)) return to_position(ends[from.below(std::size(ends))]);
  return to_position(from.between(test_case.table.begin, test_case.table.end - 1));
}

/// Draws the position row that turns each pair: the model's own, or up to four rows
/// in runs, alternating, or in any order.
void draw_axes(dice& from, const case_domain& domain, law_case& test_case) {
  if (is_text(domain.axes)) return;
  const int pairs = domain.rotary_dim / 2;
  const bool is_own = from.one_in(2) || domain.has_own_axes_alone;
  test_case.axes = is_own ? axis_count(domain.axes) : static_cast<int>(from.between(1, domain.served.axes()));
  const std::int64_t order = from.below(3);
  const rope encoding{.rotary_dim = domain.rotary_dim};
  for (int pair = 0; pair < pairs; ++pair) {
    const auto any = static_cast<int>(from.below(test_case.axes));
    test_case.axis.push_back(is_own       ? axis_of(pair, domain.axes, encoding).axis
                             : order == 0 ? pair * test_case.axes / pairs
                             : order == 1 ? pair % test_case.axes
                                          : any);
  }
}

/// Leaves the positions of several axes unchanged, or copies the first axis to all others, or to all but one.
void draw_likeness_of_axes(dice& from, law_case& test_case) {
  if (test_case.axes == 1 || !from.one_in(2)) return;
  const std::size_t row = test_case.positions.size() / static_cast<std::size_t>(test_case.axes);
  const std::int64_t other =
      from.below(2 * test_case.axes);  // the axis that differs; no such axis half of the time
  for (std::size_t i = row; i < test_case.positions.size(); ++i)
    if (static_cast<std::int64_t>(i / row) != other) test_case.positions[i] = test_case.positions[i % row];
}

void draw_positions(dice& from, const case_domain& domain, law_case& test_case) {
  const bool counted = from.one_in(4);  // as in a prefill from position 0
  const position_range limits = first_positions(domain);
  for (std::int64_t row = 0; row < test_case.axes * test_case.batch; ++row)
    for (std::int64_t token = 0; token < test_case.tokens; ++token) {
      std::int32_t position =
          counted ? static_cast<std::int32_t>(token) : draw_told_position(from, domain, test_case);
      if (domain.needs.position_zero) position = 0;
      test_case.positions.push_back(domain.needs.one_range
                                        ? position_in_range(from, domain.range, domain.served.positions())
                                        : within(from, limits, position));
    }
  draw_likeness_of_axes(from, test_case);
  if (test_case.batch > 1 && from.one_in(4)) {  // the same positions in every batch row
    const std::int64_t row = test_case.batch * test_case.tokens;
    for (std::size_t i = 0; i < test_case.positions.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      test_case.positions[i] =
          test_case.positions[static_cast<std::size_t>(at / row * row + at % test_case.tokens)];
    }
  }
  if (from.one_in(4)) {
    constexpr std::int64_t steps[] = {2, 3, -1, -2};
    test_case.position_step = steps[from.below(std::size(steps))];
  }
}

tensor_layout draw_layout(dice& from) {
  tensor_layout layout;
  layout.gap = from.one_in(3) ? from.between(1, 3) : 0;
  layout.channel_step = from.one_in(8) ? 2 : 1;
  layout.heads_first = from.one_in(4);
  if (from.one_in(8)) layout.reversed = static_cast<std::uint32_t>(from.between(1, 15));
  if (from.one_in(4)) layout.unaligned = static_cast<int>(from.between(1, 15));
  return layout;
}

/// The layout of another tensor: that of the first, the same with a wider gap, or an independent one.
tensor_layout draw_layout_like(dice& from, tensor_layout first) {
  if (from.one_in(3)) return draw_layout(from);
  if (from.one_in(3)) first.gap += from.between(1, 3);
  return first;
}

/// Makes query and key parts of one row per token, as a fused projection does. Half of the time values follow
/// the key.
void draw_fused_rows(dice& from, law_case& test_case) {
  const std::int64_t values = from.one_in(2) ? test_case.key_heads : 0;
  test_case.query_in.row_gap = (test_case.key_heads + values) * test_case.head_dim;
  test_case.key_in.row_gap = (test_case.query_heads + values) * test_case.head_dim;
}

/// Makes query and key views of one tensor, in whose rows the key's heads follow the query's.
void make_fused(law_case& test_case) {
  test_case.fused = test_case.key_heads > 0;
  if (test_case.fused)
    test_case.query_in.row_gap -= test_case.key_heads * test_case.head_dim;  // now the key's heads are there
}

void draw_memory(dice& from, const served_calls& served, law_case& test_case) {
  if (from.one_in(4)) {
    draw_fused_rows(from, test_case);
    if (!from.one_in(3)) make_fused(test_case);
  } else {
    test_case.query_in = draw_layout(from);
    test_case.key_in = draw_layout_like(from, test_case.query_in);
  }
  test_case.query_out = draw_layout_like(from, test_case.query_in);
  test_case.key_out = draw_layout_like(from, test_case.key_in);
  test_case.in_place = from.one_in(2) && !served.lacks(ROPEWALK_NO_IN_PLACE);
  test_case.key_otherwise =
      test_case.key_heads > 0 && !test_case.fused && from.one_in(4) && !served.lacks(ROPEWALK_NO_IN_PLACE);
  test_case.shares_heads = !test_case.in_place && from.one_in(8) && !served.lacks(ROPEWALK_NO_STRIDES);
  for (tensor_layout law_case::*layout :
       {&law_case::query_in, &law_case::key_in, &law_case::query_out, &law_case::key_out}) {
    const int unaligned = (test_case.*layout).unaligned, size = size_of(test_case.dtype);
    if (served.lacks(ROPEWALK_NO_STRIDES)) test_case.*layout = {}, test_case.fused = false;
    (test_case.*layout).unaligned = served.lacks(ROPEWALK_NO_UNALIGNED) ? unaligned / size * size : unaligned;
  }
}

/// Copies the first head of each token to its other heads.
void make_heads_equal(const law_case& test_case, std::int64_t heads, std::vector<std::uint64_t>& elements) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto channel = static_cast<std::size_t>(test_case.head_dim);
    const std::size_t token = static_cast<std::size_t>(heads) * channel;
    elements[i] = elements[i / token * token + i % channel];
  }
}

void draw_environment(dice& from, law_case& test_case) {
  if (from.one_in(4))
    test_case.environment = from.one_in(2) ? caller_environment::flushing : caller_environment::upward;
}

/// Zeroes all but a few channels, the same ones in every head. Isolated pairs bring scores close to their
/// bound.
void keep_few_channels(dice& from, const case_domain& domain, int head_dim,
                       std::vector<std::uint64_t>& elements) {
  const std::int64_t half = domain.rotary_dim / 2, first = from.below(half);
  const std::int64_t begin = domain.rotary_begin;
  // One pair per pairing.
  const std::int64_t kept[] = {begin + first, begin + first + half, begin + 2 * first, begin + 2 * first + 1};
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (std::find(std::begin(kept), std::end(kept), static_cast<std::int64_t>(i) % head_dim) ==
        std::end(kept))
      elements[i] = 0;
}

/// Whether nearly every number stays in the domain of the bounds after a rotation.
bool is_usual_factor(const case_domain& domain) { return std::abs(domain.attention_exponent) < 3; }

/// The exponent at which a number leaves the domain of the bounds under as many rotations as a law may make:
/// one for extrapolation, otherwise two.
int end_of_domain(const case_domain& domain) {
  const int turns = domain.needs.one_range ? 1 : 2;
  return largest_exponent_of(domain.dtype) - 2 - turns * std::max(domain.attention_exponent, 0);
}

/// Draws the elements of a tensor. A quarter of all tensors look like data, a quarter like data of another
/// scale. The others mix everything, some with values that are not finite.
std::vector<std::uint64_t> draw_elements(dice& from, const case_domain& domain, std::int64_t count) {
  const bool is_scaled = from.one_in(2);
  // Then a |x| is about 1, with the attention factor a.
  const int usual = is_usual_factor(domain) ? 0 : -domain.attention_exponent;
  const int exponent = is_scaled && from.one_in(2) ? draw_exponent(from, domain.dtype) : usual;
  const auto numbers = domain.needs.every_bit_pattern ? number_domain::every_pattern : number_domain::finite;
  std::vector<std::uint64_t> elements;
  for (std::int64_t i = 0; i < count; ++i)
    elements.push_back(is_scaled ? draw_scaled_fraction(from, domain.dtype, exponent)
                                 : draw_bits(from, domain.dtype, numbers));
  if (!is_usual_factor(domain) && !domain.needs.every_bit_pattern)
    for (std::uint64_t& bits : elements)
      bits = with_exponent_below(domain.dtype, bits, end_of_domain(domain));
  if (domain.needs.every_bit_pattern && count > 0 && from.one_in(2))
    for (std::int64_t i = from.between(1, 3); i > 0; --i)
      elements[static_cast<std::size_t>(from.below(count))] = draw_non_finite(from, domain.dtype);
  return elements;
}

law_case draw_case(dice from, const case_domain& domain) {
  if (domain.needs.sizes) return draw_size(from, domain, domain.number);
  law_case test_case;
  test_case.dtype = domain.dtype;
  test_case.head_dim = domain.head_dim;
  if (domain.needs.pass_through_channels && domain.head_dim == domain.rotary_dim &&
      !domain.wider_head_dims.empty())
    test_case.head_dim = domain.wider_head_dims[static_cast<std::size_t>(
        from.below(static_cast<std::int64_t>(domain.wider_head_dims.size())))];
  test_case.range = domain.range;
  draw_shape(from, domain, test_case);
  take_served_shape(from, domain, test_case);
  draw_memory(from, domain.served, test_case);
  if (domain.is_hostile) draw_environment(from, test_case);
  if (!domain.needs.one_range && !domain.adds) {
    if (from.one_in(3)) test_case.flags |= ROPEWALK_BACKWARD;
    if (from.one_in(4) && !domain.needs.attention_factor) test_case.flags |= ROPEWALK_UNIT;
    if (domain.served.lacks(ROPEWALK_NO_BACKWARD)) test_case.flags &= ~ROPEWALK_BACKWARD;
    if (domain.served.lacks(ROPEWALK_NO_UNIT)) test_case.flags &= ~ROPEWALK_UNIT;
  }
  draw_axes(from, domain, test_case);
  draw_table(from, domain, test_case);
  draw_positions(from, domain, test_case);
  const std::int64_t row = test_case.batch * test_case.tokens;
  for (int axis = 0; domain.needs.second_rotation && axis < test_case.axes; ++axis) {
    const double* first = test_case.positions.data() + axis * row;
    test_case.shift[static_cast<std::size_t>(axis)] = draw_shift(from, domain, first, first + row);
  }
  dice apart = from;  // the rest of the case does not depend on such positions
  if (!draw_placed_positions(apart, domain, test_case) && domain.has_real_positions &&
      apart.one_in(cases_per_real))
    draw_real_positions(apart, domain, test_case);
  test_case.power =
      static_cast<int>(from.between(1, domain.dtype == ROPEWALK_F16 ? 6 : 30)) * (from.one_in(2) ? 1 : -1);
  const std::int64_t tokens = test_case.batch * test_case.tokens * test_case.head_dim;
  test_case.query = draw_elements(from, domain, tokens * test_case.query_heads);
  test_case.key = draw_elements(from, domain, tokens * test_case.key_heads);
  if (domain.needs.key && from.one_in(2)) {
    dice other = from;  // draws the same channels for the key
    keep_few_channels(from, domain, test_case.head_dim, test_case.query);
    keep_few_channels(other, domain, test_case.head_dim, test_case.key);
  }
  if (test_case.shares_heads) {
    make_heads_equal(test_case, test_case.query_heads, test_case.query);
    make_heads_equal(test_case, test_case.key_heads, test_case.key);
  }
  return test_case;
}

/// Original and full context lengths of the kernel's model that are no powers of two.
std::vector<std::int64_t> context_lengths_of(const checked_rotation& kernel) {
  const auto original = static_cast<std::int64_t>(original_length_of(kernel.encoding().scaling));
  std::vector<std::int64_t> lengths;
  for (const std::int64_t length : {original, kernel.model().max_positions})
    if (length > 0 && !std::has_single_bit(static_cast<std::uint64_t>(length))) lengths.push_back(length);
  return lengths;
}

}  // namespace

case_domain with_needs(case_domain domain, const case_needs& needs) {
  domain.needs = needs;
  domain.range = needs.one_range ? 0 : -1;
  domain.is_hostile = domain.is_hostile && !needs.environments;
  domain.has_real_positions = domain.has_real_positions && !needs.whole_positions && !needs.sizes;
  return domain;
}

std::vector<case_needs> needs_in_turn(const case_domain& domain) {
  std::vector<case_needs> needs;
  const auto add = [&](const auto& laws) {
    for (const auto& law : laws)
      if (!law.needs.sizes) needs.push_back(law.needs);
  };
  domain.adds ? add(addition_laws::all) : add(rotation_laws::all);
  return needs;
}

case_domain domain_of(const law<checked_rotation>& law, const checked_rotation& kernel,
                      ropewalk_dtype dtype) {
  case_domain domain;
  domain.dtype = dtype;
  domain.head_dim = kernel.layout().head_dim;
  domain.rotary_dim = kernel.encoding().rotary_dim;
  domain.rotary_begin = kernel.layout().rotary_begin;
  domain.attention_exponent = std::ilogb(kernel.nearest_attention());
  const std::optional<checked_rotation> other = kernel.same_as();
  domain.is_hostile = kernel.is_asked_everywhere() && (!other || other->is_asked_everywhere());
  if (kernel.model().query_heads > 0) domain.model_heads = kernel.model().query_heads;
  if (kernel.model().key_heads > 0) domain.model_key_heads = kernel.model().key_heads;
  domain.context = kernel.context();
  domain.context_lengths = context_lengths_of(kernel);
  domain.axes = kernel.model().axes;
  domain.has_own_axes_alone = kernel.has_own_axes_alone();
  domain.calls = kernel.model().calls;
  domain.served = kernel.served();
  domain.has_real_positions = kernel.served().serves_real_positions();
  domain.wider_head_dims = kernel.wider_head_dims();
  return with_needs(std::move(domain), law.needs);
}

case_domain domain_of(const law<checked_addition>& law, const checked_addition& kernel,
                      ropewalk_dtype dtype) {
  case_domain domain;
  domain.dtype = dtype;
  domain.head_dim = kernel.truth().width();
  domain.rotary_dim = kernel.truth().added();
  domain.adds = true;
  domain.heads = kernel.truth().heads();
  domain.served = kernel.served();
  domain.has_real_positions = kernel.serves_real_positions();
  const std::optional<checked_addition> other = kernel.same_as();
  domain.is_hostile = kernel.is_asked_everywhere() && (!other || other->is_asked_everywhere());
  return with_needs(std::move(domain), law.needs);
}

rc::Gen<law_case> cases(const case_domain& domain) {
  return [=](const rc::Random& random, int) {
    return rc::shrinkable::shrinkRecur(draw_case(dice(random), domain), [=](const law_case& test_case) {
      return simpler_cases(domain, test_case);
    });
  };
}

}  // namespace ropewalk::search
