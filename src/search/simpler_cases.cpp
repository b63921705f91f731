// Simpler cases; each comes from the original by one small edit.

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "search/case_generator.hpp"
#include "search/number_bits.hpp"
#include "search/real_positions.hpp"
#include "search/size_cases.hpp"

namespace ropewalk::search {
namespace {

struct axis_cut {  // keep entries [first, first + kept) of one axis
  std::int64_t first;
  std::int64_t kept;
};

/// Cuts elements of [outer][length][inner] along the middle axis.
template <class Element>
std::vector<Element> cut(const std::vector<Element>& from, std::int64_t outer, std::int64_t length,
                         std::int64_t inner, axis_cut keep) {
  std::vector<Element> result;
  for (std::int64_t i = 0; i < outer; ++i) {
    const auto begin = from.begin() + (i * length + keep.first) * inner;
    result.insert(result.end(), begin, begin + keep.kept * inner);
  }
  return result;
}

law_case with_rows(law_case c, axis_cut keep) {
  c.positions = cut(c.positions, c.axes, c.batch, c.tokens, keep);
  c.query = cut(c.query, 1, c.batch, c.tokens * c.query_heads * c.head_dim, keep);
  c.key = cut(c.key, 1, c.batch, c.tokens * c.key_heads * c.head_dim, keep);
  c.batch = keep.kept;
  return c;
}

law_case with_tokens(law_case c, axis_cut keep) {
  c.positions = cut(c.positions, c.axes * c.batch, c.tokens, 1, keep);
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
  if (c.key_heads == 0) c.fused = c.key_otherwise = false;
  return c;
}

/// Cuts query and key heads in the same way.
law_case with_heads(law_case c, axis_cut keep) {
  return with_key_heads(with_query_heads(std::move(c), keep), keep);
}

void offer_halves(std::vector<law_case>& test_cases, const law_case& test_case, std::int64_t length,
                  law_case (*keep)(law_case, axis_cut)) {
  if (length < 2) return;
  const std::int64_t half = (length + 1) / 2;
  test_cases.push_back(keep(test_case, {0, half}));
  test_cases.push_back(keep(test_case, {length - half, half}));
  if (half < length - 1) test_cases.push_back(keep(test_case, {0, length - 1}));
}

/// Keeps only the first axis, which then turns every pair.
void without_axes(law_case& c) {
  c.positions.resize(c.positions.size() / static_cast<std::size_t>(c.axes));
  c.axes = 1;
  c.axis.clear();
  std::fill(c.shift.begin() + 1, c.shift.end(), 0);
}

std::vector<law_case> smaller_shapes(const case_domain& domain, const law_case& test_case) {
  const case_needs& needs = domain.needs;
  std::vector<law_case> shapes;
  if (test_case.sequence_offset.empty()) {
    offer_halves(shapes, test_case, test_case.batch, with_rows);
    offer_halves(shapes, test_case, test_case.tokens, with_tokens);
  }
  if (needs.as_many_key_heads) {
    offer_halves(shapes, test_case, test_case.query_heads, with_heads);
  } else if (domain.heads == 0) {
    offer_halves(shapes, test_case, test_case.query_heads, with_query_heads);
    offer_halves(shapes, test_case, test_case.key_heads, with_key_heads);
  }
  if (test_case.key_heads > 0 && !needs.key) shapes.push_back(with_key_heads(test_case, {0, 0}));
  const auto offer = [&](auto change) {
    law_case simpler = test_case;
    change(simpler);
    if (simpler != test_case) shapes.push_back(std::move(simpler));
  };
  for (tensor_layout law_case::*layout :
       {&law_case::query_in, &law_case::key_in, &law_case::query_out, &law_case::key_out}) {
    offer([&](law_case& c) { (c.*layout) = {}; });
    offer([&](law_case& c) { (c.*layout).gap = 0; });
    offer([&](law_case& c) { (c.*layout).row_gap = 0; });
    offer([&](law_case& c) { (c.*layout).channel_step = 1; });
    offer([&](law_case& c) { (c.*layout).heads_first = false; });
    offer([&](law_case& c) { (c.*layout).reversed = 0; });
    offer([&](law_case& c) { (c.*layout).unaligned = 0; });
  }
  offer([](law_case& c) { c.fused = false; });
  offer([](law_case& c) { c.key_otherwise = false; });
  offer([](law_case& c) { c.in_place = false; });
  offer([](law_case& c) { c.shares_heads = false; });
  offer([](law_case& c) { c.position_step = 1; });
  offer([](law_case& c) { c.table = {}; });
  offer(without_axes);
  if (test_case.has_real_positions && domain.range != 0)
    offer([](law_case& c) { c = with_whole_positions(std::move(c)); });
  offer([](law_case& c) { c.environment = caller_environment::usual; });
  offer([](law_case& c) { c.flags &= ~ROPEWALK_UNIT; });
  offer([](law_case& c) { c.flags &= ~ROPEWALK_BACKWARD; });
  offer([](law_case& c) { c.power = c.power > 0 ? 1 : -1; });
  return shapes;
}

struct element_edit {
  bool in_key;
  std::size_t first;
  std::size_t count;
  std::uint64_t bits;
};

law_case edited(law_case test_case, const element_edit& edit) {
  auto& elements = edit.in_key ? test_case.key : test_case.query;
  std::fill_n(elements.begin() + static_cast<std::ptrdiff_t>(edit.first), edit.count, edit.bits);
  return test_case;
}

/// Offers zeros over halves, quarters, ... of a tensor that has nonzero elements.
void offer_zeros(std::vector<element_edit>& edits, const std::vector<std::uint64_t>& elements, bool in_key) {
  for (std::size_t size = elements.size(); size > 1; size = (size + 1) / 2) {
    for (std::size_t first = 0; first < elements.size(); first += size) {
      const std::size_t count = std::min(size, elements.size() - first);
      const auto begin = elements.begin() + static_cast<std::ptrdiff_t>(first);
      if (std::any_of(begin, begin + static_cast<std::ptrdiff_t>(count),
                      [](std::uint64_t bits) { return bits != 0; }))
        edits.push_back({in_key, first, count, 0});
    }
    if (size == 2) break;
  }
}

void offer_simpler_numbers(std::vector<element_edit>& edits, const std::vector<std::uint64_t>& elements,
                           bool in_key, ropewalk_dtype dtype) {
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (const std::uint64_t bits : simpler_bits(dtype, elements[i])) edits.push_back({in_key, i, 1, bits});
}

double simplest_position(const case_domain& domain, double position) {
  if (!domain.needs.one_range) return 0;
  const double first = std::ldexp(1, domain.range);
  return position < 0 ? -first : first;
}

/// Simpler positions to try instead.
rc::Seq<double> simpler_positions(const case_domain& domain, bool is_real, double position, double simplest) {
  if (is_real) return rc::seq::fromContainer(simpler_real_positions(domain, position));
  return rc::seq::map(rc::shrink::towards<std::int64_t>(static_cast<std::int64_t>(position),
                                                        static_cast<std::int64_t>(simplest)),
                      [](std::int64_t smaller) { return static_cast<double>(smaller); });
}

rc::Seq<law_case> with_smaller_positions(const case_domain& domain, const law_case& test_case) {
  if ((domain.needs.position_zero && !test_case.has_real_positions) || test_case.counted) return {};
  const std::size_t count = test_case.positions.size();
  auto each = rc::seq::join(rc::seq::map(rc::seq::range<std::size_t>(0, count), [=](std::size_t i) {
    const double position = test_case.positions[i];
    return rc::seq::map(simpler_positions(domain, test_case.has_real_positions, position,
                                          simplest_position(domain, position)),
                        [=](double simpler) {
                          law_case tested = test_case;
                          tested.positions[i] = simpler;
                          return tested;
                        });
  }));
  auto shifts = rc::seq::join(rc::seq::map(rc::seq::range<std::size_t>(0, most_axes), [=](std::size_t axis) {
    return rc::seq::map(simpler_positions(domain, test_case.has_real_positions, test_case.shift[axis], 0),
                        [=](double simpler) {
                          law_case tested = test_case;
                          tested.shift[axis] = simpler;
                          return tested;
                        });
  }));
  return rc::seq::concat(std::move(each), std::move(shifts));
}

}  // namespace

rc::Seq<law_case> simpler_cases(const case_domain& domain, const law_case& test_case) {
  if (is_sized(test_case)) return rc::seq::fromContainer(simpler_sizes(domain, test_case));
  std::vector<element_edit> edits;
  offer_zeros(edits, test_case.query, false);
  offer_zeros(edits, test_case.key, true);
  offer_simpler_numbers(edits, test_case.query, false, test_case.dtype);
  offer_simpler_numbers(edits, test_case.key, true, test_case.dtype);
  return rc::seq::concat(
      rc::seq::fromContainer(smaller_shapes(domain, test_case)), with_smaller_positions(domain, test_case),
      rc::seq::map(rc::seq::fromContainer(std::move(edits)),
                   [test_case](const element_edit& edit) { return edited(test_case, edit); }));
}

}  // namespace ropewalk::search
