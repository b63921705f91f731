#include "search/size_cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>

#include "ropewalk/law/kernel/case_elements.hpp"
#include "ropewalk/law/kernel/mapped_tensor.hpp"

namespace ropewalk::search {
namespace {

// Sizes at which kernels may take another code path.
constexpr std::int64_t many = std::int64_t{1} << 14;
constexpr std::int64_t very_many = std::int64_t{1} << 16;
constexpr std::int64_t most_heads = std::int64_t{1} << 20;  // only if the user sets a number of cases
constexpr int usual_head_dims[] = {40, 64, 72, 80, 96, 128, 192, 256, 512};
constexpr std::int64_t far_apart = std::int64_t{1} << 31;            // elements: one more than an int holds
constexpr std::int64_t most_shape_elements = std::int64_t{1} << 26;  // of a shape in the kernel's list
constexpr std::size_t most_shapes = 8;
constexpr int drawn_extents = 12;  // three of each dimension: tokens, batch rows, query heads, key heads

enum class variation {
  none,
  far_view,
  far_positions,
  sequences,
  counted,
  page_crossed,
  page_filled,
  each_position,
  power_of_two
};

/// A shape, and the variation drawn for it.
struct size_outline {
  law_case shape;
  variation varied = variation::none;
};

/// The smallest gap with which the query spans at least `reach` elements.
std::int64_t gap_for(const law_case& test_case, std::int64_t reach) {
  const auto reach_with = [&](std::int64_t gap) {
    return ropewalk::detail::reach_of(placed(test_case, test_case.query_heads, {.gap = gap}));
  };
  const std::int64_t without = reach_with(0), each = reach_with(1) - without;
  return (reach - without + each - 1) / each;
}

class outlines {
 public:
  explicit outlines(const case_domain& domain) : domain_(domain) {
    if (!domain.served.shapes().empty()) {
      add_listed_shapes();
      usual_ = static_cast<std::int64_t>(all_.size());
      return;
    }
    add({1, 1, 3}, 0, 0, variation::far_view);
    // Shapes with many heads come early, so that short searches include some.
    const int narrow = narrow_head_dim(8), wide = narrow_head_dim(128) > 0 ? narrow_head_dim(64) : 0;
    add({1, many / 64 + 1, 64}, wide, 8);
    add({1, 3, 272}, narrow, 0);
    add({1, very_many + 5, 1}, narrow, 1);
    add({1, 700, 1}, narrow, 0, variation::sequences);
    add({1, 700, 1}, narrow, 0, variation::counted);
    add({1, 3, 1}, 0, 1, variation::far_view);
    add({3, 1, 1}, 0, 0, variation::far_view);
    add({2, 3, 2}, 0, 1, variation::far_view);
    for (const int head_dim : usual_head_dims) add({1, 3, 5}, usual_rotary_dim(head_dim), 2);
    add({1, 5, 2}, 0, 0, variation::far_positions);
    add({0, 3, 2}, 0, 1);
    add({2, 0, 2}, 0, 1);
    add({1, 3, 0}, 0, 1);
    add({1, 9, 3}, 0, 1, variation::sequences);
    add({1, 5, 3}, 0, 1, variation::page_crossed);
    add({1, 5, 3}, 0, 1, variation::page_filled);
    add({17, 1, 3}, 0, 2);
    add({many / 4 + 1, 4, 1}, narrow, 0);
    add({1, very_many / 128 + 1, 128}, narrow_head_dim(40), 8);
    for (int i = 0; i < drawn_extents && domain.context > 0; ++i)
      add({1, 1, 1}, narrow, 1, variation::power_of_two);
    if (const std::int64_t positions =
            positions_at_once(served_part_of(domain.context, domain.served), domain.head_dim);
        positions > 0)
      add({1, positions, 1}, 0, 0, variation::each_position);
    usual_ = static_cast<std::int64_t>(all_.size());
    add({1, most_heads / 128 + 1, 128}, narrow_head_dim(usual_head_dims[0]), 0);
  }

  const std::vector<size_outline>& all() const { return all_; }
  std::int64_t usual() const { return usual_; }

 private:
  struct extents {
    std::int64_t batch, tokens, heads;
  };

  /// Adds a size if the kernel serves it. rotary_dim is as in law_case.
  void add(extents shape, int rotary_dim, std::int64_t key_heads, variation varied = variation::none) {
    size_outline outline{{}, varied};
    law_case& c = outline.shape;
    c.dtype = domain_.dtype;
    c.batch = shape.batch, c.tokens = shape.tokens, c.query_heads = shape.heads;
    c.key_heads = domain_.served.lacks(ROPEWALK_NO_KEY) ? 0 : key_heads;
    c.head_dim = rotary_dim == 0 ? domain_.head_dim : rotary_dim;
    c.rotary_dim = rotary_dim;
    const served_calls& served = domain_.served;
    const bool is_served = !(varied == variation::far_view && served.lacks(ROPEWALK_NO_STRIDES)) &&
                           !((varied == variation::sequences || varied == variation::counted) &&
                             served.lacks(ROPEWALK_NO_SEQUENCES));
    if (is_served && served.allow(c)) all_.push_back(std::move(outline));
  }

  void add_listed_shapes() {
    auto shapes = domain_.served.shapes();
    const auto heads_in = [](const auto& shape) { return shape[0] * shape[1] * shape[2]; };
    std::erase_if(shapes, [&](const auto& shape) {
      return shape[3] > largest_head_dim || shape[3] % 2 != 0 ||
             served_calls::elements_of(shape) > most_shape_elements;
    });
    std::stable_sort(shapes.begin(), shapes.end(),
                     [&](const auto& a, const auto& b) { return heads_in(a) > heads_in(b); });
    for (std::size_t i = 0; i < std::min(shapes.size(), most_shapes); ++i) {
      const int head_dim = static_cast<int>(shapes[i][3]);
      add({shapes[i][0], shapes[i][1], shapes[i][2]}, head_dim == domain_.head_dim ? 0 : head_dim, 0);
    }
  }

  /// The rotary_dim for a usual head_dim: all of it, or the encoding's own (0) if that is a part of such a
  /// head. A kernel that serves only one head_dim may serve only one rotary_dim.
  int usual_rotary_dim(int head_dim) const {
    return head_dim == domain_.head_dim && domain_.rotary_dim < head_dim ? 0 : head_dim;
  }

  /// A small served head_dim, so that calls with many heads are fast: `wanted`, or another one below the
  /// encoding's; 0 (the encoding's own) if there is none.
  int narrow_head_dim(int wanted) const {
    if (domain_.head_dim <= wanted) return 0;
    if (domain_.served.serves_head_dim(wanted)) return wanted;
    for (const int head_dim : usual_head_dims)
      if (head_dim < domain_.head_dim && domain_.served.serves_head_dim(head_dim)) return head_dim;
    return 0;
  }

  const case_domain& domain_;
  std::vector<size_outline> all_;
  std::int64_t usual_ = 0;
};

/// Positions that rise by 1 from any start, and wrap from the last served position to the first.
void draw_rising_positions(dice& from, const case_domain& domain, law_case& test_case) {
  const auto [begin, end] = domain.served.positions();
  const std::int64_t all = end - begin;
  std::int64_t first = from.one_in(3) ? 0 : static_cast<std::int64_t>(from.bits() >> 33) >> from.below(31);
  if (from.one_in(4)) first = -first;
  if (!domain.served.has_position(first)) first = begin + static_cast<std::int64_t>(from.bits() >> 1) % all;
  first -= begin;
  constexpr std::int64_t row_step = 977;
  for (std::int64_t row = 0; row < test_case.batch; ++row)
    for (std::int64_t token = 0; token < test_case.tokens; ++token)
      test_case.positions.push_back(static_cast<double>(begin + (first + row * row_step + token) % all));
}

/// One extent at a power of two or one above it, the others small.
void draw_extents(dice& from, std::int64_t number, law_case& test_case) {
  constexpr std::int64_t largest_power = 16;
  std::int64_t* const extents[] = {&test_case.tokens, &test_case.batch, &test_case.query_heads,
                                   &test_case.key_heads};
  for (std::int64_t* const extent : extents)
    if (*extent > 0) *extent = from.between(1, 3);
  std::int64_t& large = *extents[number % std::ssize(extents)];
  if (large > 0) large = (std::int64_t{1} << from.between(1, largest_power)) + from.below(2);
}

/// Each position of the context once, or of a part of it, often the last part: rising, or in a permuted
/// order.
void draw_each_position(dice& from, const case_domain& domain, law_case& test_case) {
  const position_range all = served_part_of(domain.context, domain.served);
  const std::int64_t others = all.end - all.begin - test_case.tokens;
  const bool is_at_end = others == 0 || from.one_in(2);
  const std::int64_t first = all.begin + (is_at_end ? others : from.below(others + 1));
  std::int64_t step = 1;
  if (!from.one_in(3)) do
      step = from.between(1, test_case.tokens);
    while (std::gcd(step, test_case.tokens) != 1);
  test_case.positions.clear();
  for (std::int64_t token = 0; token < test_case.tokens; ++token)
    test_case.positions.push_back(static_cast<double>(first + token * step % test_case.tokens));
}

/// Sequences of zero, one and several tokens, in any order. Positions are counted, if the kernel serves that,
/// on request and in half of the other cases.
void draw_sequences(dice& from, const case_domain& domain, bool are_counted, law_case& test_case) {
  test_case.sequence_offset = {0};
  for (std::int64_t end = 0; end < test_case.tokens;) {
    end = std::min(end + from.below(3) * from.between(1, 2), test_case.tokens);
    test_case.sequence_offset.push_back(end);
  }
  for (int empty = 0; empty < 2; ++empty) {
    const auto at = from.below(static_cast<std::int64_t>(test_case.sequence_offset.size()));
    test_case.sequence_offset.insert(test_case.sequence_offset.begin() + at,
                                     test_case.sequence_offset[static_cast<std::size_t>(at)]);
  }
  are_counted = from.one_in(2) || are_counted;
  if (!are_counted || !domain.served.has_position(0) || !domain.served.has_position(test_case.tokens - 1))
    return;
  test_case.counted = true;
  for (std::size_t i = 0; i + 1 < test_case.sequence_offset.size(); ++i)
    for (std::int64_t token = test_case.sequence_offset[i]; token < test_case.sequence_offset[i + 1]; ++token)
      test_case.positions[static_cast<std::size_t>(token)] =
          static_cast<double>(token - test_case.sequence_offset[i]);
}

/// Makes every tensor, or only the input or the output, span more elements than 31 or 32 bits can index.
void draw_far_view(dice& from, law_case& test_case) {
  const std::int64_t reach = far_apart * from.between(1, 2) + test_case.head_dim + from.below(64);
  tensor_layout far{.gap = gap_for(test_case, reach), .heads_first = from.one_in(4)};
  if (from.one_in(3)) far.reversed = static_cast<std::uint32_t>(from.between(1, 7));
  const std::int64_t alone = test_case.in_place ? 2 : from.below(4);
  if (alone != 1) test_case.query_in = test_case.key_in = far;
  if (alone != 0) test_case.query_out = test_case.key_out = far;
}

/// Places each tensor so that its first head crosses the end of a page, or its last head ends there.
void draw_place_in_page(dice& from, const case_domain& domain, bool is_crossed, law_case& test_case) {
  const std::int64_t size = size_of(test_case.dtype), head = test_case.head_dim * size;
  const bool is_aligned = domain.served.lacks(ROPEWALK_NO_UNALIGNED) || from.one_in(2);
  const auto place = [&](tensor_layout& layout, std::int64_t heads) {
    std::int64_t before_end = from.between(1, std::min(head, page_bytes) - 1);
    if (is_aligned) before_end = std::max<std::int64_t>(before_end / size, 1) * size;
    if (!is_crossed) before_end = test_case.batch * test_case.tokens * heads * head % page_bytes;
    layout.unaligned = static_cast<int>((page_bytes - before_end) % page_bytes);
  };
  for (tensor_layout* layout : {&test_case.query_in, &test_case.query_out})
    place(*layout, test_case.query_heads);
  for (tensor_layout* layout : {&test_case.key_in, &test_case.key_out}) place(*layout, test_case.key_heads);
}

void draw_flags(dice& from, const case_domain& domain, law_case& test_case) {
  if (from.one_in(3) && !domain.served.lacks(ROPEWALK_NO_BACKWARD)) test_case.flags |= ROPEWALK_BACKWARD;
  if (from.one_in(4) && !domain.served.lacks(ROPEWALK_NO_UNIT)) test_case.flags |= ROPEWALK_UNIT;
  if (domain.is_hostile && from.one_in(4))
    test_case.environment = from.one_in(2) ? caller_environment::flushing : caller_environment::upward;
}

}  // namespace

position_range served_part_of(std::int64_t context, const served_calls& served) {
  const auto [first, last] = served.positions();
  const std::int64_t begin = std::max<std::int64_t>(first, 0);
  return {begin, std::max(std::min(last, context), begin)};
}

std::int64_t positions_at_once(position_range served, int head_dim) {
  constexpr std::int64_t most_at_once = std::int64_t{1} << 25;  // elements
  return std::min({served.end - served.begin, most_positions_at_once, most_at_once / head_dim});
}

size_counts count_sizes(const case_domain& domain) {
  const outlines outlines(domain);
  return {static_cast<std::int64_t>(outlines.all().size()), outlines.usual()};
}

law_case draw_size(dice from, const case_domain& domain, std::int64_t number) {
  const outlines outlines(domain);
  const auto all = static_cast<std::int64_t>(outlines.all().size());
  const size_outline& outline =
      outlines.all()[static_cast<std::size_t>(number < all ? number : number % outlines.usual())];
  law_case size = outline.shape;
  if (outline.varied == variation::power_of_two) draw_extents(from, number, size);
  const bool is_largest = size.batch * size.tokens * size.query_heads >= most_heads;
  size.in_place = !domain.served.lacks(ROPEWALK_NO_IN_PLACE) && (is_largest || from.one_in(2));
  size.fill = from.bits() | 1;
  draw_flags(from, domain, size);
  draw_rising_positions(from, domain, size);
  switch (outline.varied) {
    case variation::none:
    case variation::power_of_two: break;
    case variation::far_view: draw_far_view(from, size); break;
    case variation::far_positions:
      size.position_step = (far_apart / (size.tokens - 1) + 1 + from.below(64)) * (from.one_in(2) ? 1 : -1);
      break;
    case variation::sequences: draw_sequences(from, domain, false, size); break;
    case variation::counted: draw_sequences(from, domain, true, size); break;
    case variation::each_position:
      size.flags = 0;
      draw_each_position(from, domain, size);
      break;
    case variation::page_crossed: draw_place_in_page(from, domain, true, size); break;
    case variation::page_filled: draw_place_in_page(from, domain, false, size); break;
  }
  return size;
}

namespace {

/// Smaller numbers to try instead, the smallest first.
std::vector<std::int64_t> smaller_than(std::int64_t number, std::int64_t least) {
  std::vector<std::int64_t> smaller;
  for (std::int64_t less = number - least; less > 0; less /= 2) smaller.push_back(number - less);
  return smaller;
}

/// Cuts a case to its first batch rows and tokens.
law_case with_extents(law_case c, std::int64_t batch, std::int64_t tokens) {
  std::vector<double> positions;
  for (std::int64_t row = 0; row < batch; ++row)
    for (std::int64_t token = 0; token < tokens; ++token) positions.push_back(position_of(c, row, token));
  c.positions = std::move(positions);
  c.batch = batch;
  c.tokens = tokens;
  return c;
}

/// Removes the first tokens of a case with one batch row. domain  axes == 1
law_case without_tokens(law_case c, std::int64_t tokens) {
  c.positions.erase(c.positions.begin(), c.positions.begin() + tokens);
  c.tokens -= tokens;
  return c;
}

template <class Offer>
void offer_smaller_layouts(const law_case& test_case, Offer offer) {
  for (const bool is_input : {true, false}) {
    const auto both = [&](law_case& c, auto change) {
      change(is_input ? c.query_in : c.query_out);
      change(is_input ? c.key_in : c.key_out);
    };
    const tensor_layout& layout = is_input ? test_case.query_in : test_case.query_out;
    offer([&](law_case& c) { both(c, [](tensor_layout& first) { first = {}; }); });
    for (const std::int64_t gap : smaller_than(layout.gap, 0))
      offer([&](law_case& c) { both(c, [&](tensor_layout& first) { first.gap = gap; }); });
    offer([&](law_case& c) { both(c, [](tensor_layout& first) { first.reversed = 0; }); });
    offer([&](law_case& c) { both(c, [](tensor_layout& first) { first.heads_first = false; }); });
    offer([&](law_case& c) { both(c, [](tensor_layout& first) { first.unaligned = 0; }); });
  }
}

template <class Offer>
void offer_smaller_heads(const case_domain& domain, const law_case& test_case, Offer offer) {
  if (test_case.rotary_dim == 0) return;
  offer([&](law_case& c) { c.rotary_dim = 0, c.head_dim = domain.head_dim; });
  for (const int head_dim : usual_head_dims)
    if (head_dim < test_case.rotary_dim && domain.served.serves_head_dim(head_dim))
      offer([&](law_case& c) { c.rotary_dim = c.head_dim = head_dim; });
}

}  // namespace

std::vector<law_case> simpler_sizes(const case_domain& domain, const law_case& test_case) {
  constexpr std::int64_t most_listed = 1024;
  std::vector<law_case> sizes;
  const auto offer = [&](auto change) {
    law_case simpler = test_case;
    change(simpler);
    if (simpler != test_case) sizes.push_back(std::move(simpler));
  };
  if (test_case.sequence_offset.empty()) {
    for (const std::int64_t batch : smaller_than(test_case.batch, 1))
      sizes.push_back(with_extents(test_case, batch, test_case.tokens));
    const bool is_of_positions = test_case.rotary_dim == 0 && test_case.batch == 1 &&
                                 test_case.query_heads == 1 && test_case.key_heads == 0;
    if (is_of_positions && test_case.tokens > 1) {
      sizes.push_back(with_extents(test_case, 1, test_case.tokens / 2));
      sizes.push_back(without_tokens(test_case, test_case.tokens / 2));
    }
    if (!is_of_positions || test_case.tokens <= many)  // each try with more is slow
      for (const std::int64_t tokens : smaller_than(test_case.tokens, 1))
        sizes.push_back(with_extents(test_case, test_case.batch, tokens));
  }
  for (const std::int64_t heads : smaller_than(test_case.query_heads, 1))
    offer([&](law_case& c) { c.query_heads = heads; });
  for (const std::int64_t heads : smaller_than(test_case.key_heads, 0))
    offer([&](law_case& c) { c.key_heads = heads; });
  offer_smaller_heads(domain, test_case, offer);
  offer_smaller_layouts(test_case, offer);
  for (const std::int64_t step : smaller_than(std::abs(test_case.position_step), 1))
    offer([&](law_case& c) { c.position_step = step; });
  offer([](law_case& c) { c.sequence_offset.clear(), c.counted = false; });
  offer([](law_case& c) { c.counted = false; });
  offer([](law_case& c) { c.in_place = false; });
  offer([](law_case& c) { c.environment = caller_environment::usual; });
  offer([](law_case& c) { c.flags &= ~ROPEWALK_UNIT; });
  offer([](law_case& c) { c.flags &= ~ROPEWALK_BACKWARD; });
  if (test_case.batch * test_case.tokens * (test_case.query_heads + test_case.key_heads) *
          test_case.head_dim <=
      most_listed)
    sizes.push_back(with_listed_elements(test_case));
  return sizes;
}

}  // namespace ropewalk::search
