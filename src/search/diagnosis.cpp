#include "search/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "ropewalk/law/judge/judge_pairs.hpp"
#include "ropewalk/law/kernel/canonical.hpp"
#include "ropewalk/law/kernel/case_parts.hpp"
#include "ropewalk/law/kernel/composition.hpp"
#include "ropewalk/law/kernel/exact_turns.hpp"
#include "ropewalk/law/kernel/judged_pairs.hpp"
#include "ropewalk/law/kernel/layouts.hpp"
#include "ropewalk/law/kernel/measure.hpp"
#include "ropewalk/law/kernel/non_finite.hpp"
#include "ropewalk/law/kernel/prefill_decode.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "search/addition_diagnosis.hpp"
#include "search/mistaken_encoding.hpp"
#include "search/number_bits.hpp"

namespace ropewalk::search {
namespace {

constexpr const char* not_reproducible =
    "the same call came out otherwise when it was made again: numbers that were never written, threads that "
    "meet, or "
    "a state that calls leave behind";
constexpr const char* no_known_fault = "; no known fault gives these numbers";

/// A pair that came out wrong.
template <floating_format Float>
struct wrong_pair {
  place where;
  bits_pair<Float> input;
  bits_pair<Float> output;
};

/// What a fault makes of a pair.
template <floating_format Float>
struct suspect {
  const char* words;
  exact_pair<2> (*gives)(const held_rotation&, const law_case&, const rotated&, const wrong_pair<Float>&);
};

cos_sin<2> turns_at(const held_rotation& kernel, const law_case& given, int pair, std::int64_t position,
                    bool unit) {
  const cos_sin<2> by = kernel.rows().exact<2>(pair, position, unit);
  return (given.flags & ROPEWALK_BACKWARD) != 0 ? backward(by) : by;
}

template <floating_format Float>
exact_pair<2> turned_at(const held_rotation& kernel, const law_case& given, const wrong_pair<Float>& pair,
                        std::int64_t position, const enclosure<2>& factor) {
  return factor *
         turned(exact<2, Float>(pair.input), turns_at(kernel, given, pair.where.pair, position, true));
}

enclosure<2> factor_of(const held_rotation& kernel, const law_case& given) {
  return kernel.attention<2>((given.flags & ROPEWALK_UNIT) != 0);
}

template <floating_format Float, int Offset>
exact_pair<2> off_by(const held_rotation& k, const law_case& c, const rotated&, const wrong_pair<Float>& p) {
  return turned_at(k, c, p, std::int64_t{p.where.position} + Offset, factor_of(k, c));
}

template <floating_format Float>
exact_pair<2> other_direction(const held_rotation& k, const law_case& c, const rotated&,
                              const wrong_pair<Float>& p) {
  return turned_at(k, c, p, -std::int64_t{p.where.position}, factor_of(k, c));
}

template <floating_format Float>
exact_pair<2> without_factor(const held_rotation& k, const law_case& c, const rotated&,
                             const wrong_pair<Float>& p) {
  return turned_at(k, c, p, p.where.position, enclosure<2>::of(1));
}

template <floating_format Float>
exact_pair<2> with_factor(const held_rotation& k, const law_case& c, const rotated&,
                          const wrong_pair<Float>& p) {
  return turned_at(k, c, p, p.where.position, k.attention<2>(false));
}

template <floating_format Float>
exact_pair<2> with_factor_twice(const held_rotation& k, const law_case& c, const rotated&,
                                const wrong_pair<Float>& p) {
  return turned_at(k, c, p, p.where.position, k.attention<2>(false) * k.attention<2>(false));
}

template <floating_format Float>
exact_pair<2> with_inverse_factor(const held_rotation& k, const law_case& c, const rotated&,
                                  const wrong_pair<Float>& p) {
  return turned_at(k, c, p, p.where.position, enclosure<2>::of(1) / k.attention<2>(false));
}

/// The attention factor on one of cosine and sine alone.
template <floating_format Float, bool OnCosine>
exact_pair<2> with_half_factor(const held_rotation& k, const law_case& c, const rotated&,
                               const wrong_pair<Float>& p) {
  cos_sin<2> by = turns_at(k, c, p.where.pair, p.where.position, true);
  enclosure<2>& scaled = OnCosine ? by.cos : by.sin;
  scaled = scaled * factor_of(k, c);
  return turned(exact<2, Float>(p.input), by);
}

template <floating_format Float>
exact_pair<2> unrotated(const held_rotation&, const law_case&, const rotated&, const wrong_pair<Float>& p) {
  return exact<2, Float>(p.input);
}

template <floating_format Float>
exact_pair<2> zeroed(const held_rotation&, const law_case&, const rotated&, const wrong_pair<Float>&) {
  return {};
}

template <floating_format Float>
exact_pair<2> at_position_of_row_0(const held_rotation& k, const law_case& c, const rotated&,
                                   const wrong_pair<Float>& p) {
  return turned_at(k, c, p, position_of(c, 0, p.where.token, axis_of(c, p.where.pair)), factor_of(k, c));
}

template <floating_format Float>
exact_pair<2> at_token_in_row(const held_rotation& k, const law_case& c, const rotated&,
                              const wrong_pair<Float>& p) {
  return turned_at(k, c, p, p.where.token, factor_of(k, c));
}

template <floating_format Float>
exact_pair<2> with_binary32_angle(const held_rotation& k, const law_case& c, const rotated&,
                                  const wrong_pair<Float>& p) {
  const auto inv_freq = round<float>(rope_inv_freq<4>(p.where.pair, k.encoding()).midpoint);
  const auto position = round<float>(exact_dyadic<1>(p.where.position));
  const double angle = from_bits<double>(convert<double, float>(multiply<float>(position, inv_freq)));
  cos_sin<2> by = cos_sin_of_radians(enclosure<2>::of(angle));
  if ((c.flags & ROPEWALK_BACKWARD) != 0) by = backward(by);
  return factor_of(k, c) * turned(exact<2, Float>(p.input), by);
}

/// The exact output at one channel, had the head been read and written in the other layout.
template <floating_format Float>
enclosure<2> channel_in_layout(const held_rotation& k, const law_case& c, const place& where, int channel,
                               pairing other) {
  const int half = k.pairs(), rotary_dim = k.encoding().rotary_dim;
  const int pair = other == pairing::interleaved ? channel / 2 : channel % half;
  const channel_pair channels = channels_of(pair, rotary_dim, other);
  const auto x = pair_at<Float>(elements_of(c, where.tensor), head_start(c, where), channels);
  if (!is_finite<Float>(x)) return unbounded<2>();
  const exact_pair<2> y =
      factor_of(k, c) * turned(exact<2, Float>(x), turns_at(k, c, pair, where.position, true));
  return channel == channels.first ? y.first : y.second;
}

template <floating_format Float>
exact_pair<2> in_other_layout(const held_rotation& k, const law_case& c, const rotated&,
                              const wrong_pair<Float>& p) {
  const bool interleaved = k.layout().pairing_in == pairing::interleaved;
  const pairing other = interleaved ? pairing::half_split : pairing::interleaved;
  const channel_pair out = k.channels_out(p.where.pair);
  return {channel_in_layout<Float>(k, c, p.where, out.first, other),
          channel_in_layout<Float>(k, c, p.where, out.second, other)};
}

template <floating_format Float>
constexpr std::array suspects{
    suspect<Float>{"they are those of position + 1: off by one", off_by<Float, 1>},
    suspect<Float>{"they are those of position - 1: off by one", off_by<Float, -1>},
    suspect<Float>{"they are turned the other way: backward and forward are mixed up",
                   other_direction<Float>},
    suspect<Float>{"the attention factor was dropped", without_factor<Float>},
    suspect<Float>{"the attention factor was applied although the rotation is a unit one",
                   with_factor<Float>},
    suspect<Float>{"the attention factor was applied twice", with_factor_twice<Float>},
    suspect<Float>{"the attention factor was applied to the cosine only", with_half_factor<Float, true>},
    suspect<Float>{"the attention factor was applied to the sine only", with_half_factor<Float, false>},
    suspect<Float>{
        "the attention factor was divided by instead of multiplied with (inverse in place of the adjoint)",
        with_inverse_factor<Float>},
    suspect<Float>{"they are zero: zeroed, or small values are flushed to zero", zeroed<Float>},
    suspect<Float>{"they came out as they went in: left unrotated", unrotated<Float>},
    suspect<Float>{
        "they are what the other pairing of channels gives: interleaved and half-split are mixed up",
        in_other_layout<Float>},
    suspect<Float>{"they are turned by the positions of batch row 0", at_position_of_row_0<Float>},
    suspect<Float>{"they are turned by the token's index, not by its position", at_token_in_row<Float>},
    suspect<Float>{"they are those of an angle formed in binary32", with_binary32_angle<Float>},
};

/// What a mistaken encoding makes of a pair.
template <floating_format Float>
exact_pair<2> turned_by(const mistaken_encoding& mistaken, const law_case& given,
                        const wrong_pair<Float>& pair) {
  using real = enclosure<mistaken_limbs>;
  const real& turns = mistaken.turns[static_cast<std::size_t>(pair.where.pair)];
  if (is_unbounded(turns)) return {unbounded<2>(), unbounded<2>()};
  const auto exact_by = cos_sin_of_turns(turns * real::of(std::int64_t{pair.where.position}));
  const cos_sin<2> by{with_limbs<2>(exact_by.cos), with_limbs<2>(exact_by.sin)};
  const bool unit = (given.flags & ROPEWALK_UNIT) != 0;
  const enclosure<2> factor = unit ? enclosure<2>::of(1) : with_limbs<2>(mistaken.attention_factor);
  return factor *
         turned(exact<2, Float>(pair.input), (given.flags & ROPEWALK_BACKWARD) != 0 ? backward(by) : by);
}

/// Whether a pair came out as `value`. `loose`: up to what binary32 leaves, whatever the data's format.
template <floating_format Float>
bool is_explained(const held_rotation& kernel, const law_case& given, const wrong_pair<Float>& pair,
                  const exact_pair<2>& value, bool loose) {
  if (!is_finite<Float>(pair.output)) return false;
  if (is_unbounded(value.first) || is_unbounded(value.second)) return false;
  const bool unit = (given.flags & ROPEWALK_UNIT) != 0;
  pair_bound bound = kernel.accuracy_at<Float>(pair.where.position, pair.where.pair, unit);
  if (loose)
    bound.relative = std::max(bound.relative, accuracy_bound<float>(promise::rounded_table, 1, 0).relative);
  const enclosure<2> factor = kernel.attention<2>(false);
  measurement m;
  judge_pair<Float>(m, pair.where, pair.input, pair.output, bound, [&]<int N>() -> exact_output<N> {
    const enclosure<2> size =
        factor * factor * squared_norm(exact<2, Float>(pair.input)) + squared_norm(value);
    return {{with_limbs<N>(value.first), with_limbs<N>(value.second)}, with_limbs<N>(size)};
  });
  return m.holds;
}

template <floating_format Float>
std::vector<wrong_pair<Float>> wrong_pairs(const held_rotation& kernel, const law_case& given,
                                           const rotated& done) {
  std::vector<wrong_pair<Float>> wrong;
  const bool unit = (given.flags & ROPEWALK_UNIT) != 0;
  for_each_judged_pair<Float>(
      kernel, given, done, kernel.attention<2>(unit),
      [&](const place& where, bits_pair<Float> x, bits_pair<Float> y) {
        measurement m;
        const pair_bound bound = kernel.accuracy_at<Float>(where.position, where.pair, unit);
        judge_pair<Float>(m, where, x, y, bound, [&]<int N>() -> exact_output<N> {
          const cos_sin<N> by = kernel.rows().template exact<N>(where.pair, where.position, unit);
          const exact_pair<N> input = exact<N, Float>(x);
          const enclosure<N> a = kernel.attention<N>(unit);
          return {turned(input, (given.flags & ROPEWALK_BACKWARD) != 0 ? backward(by) : by),
                  a * a * squared_norm(input)};
        });
        if (!m.holds) wrong.push_back({where, x, y});
      });
  return wrong;
}

std::string range_text(const char* noun, const std::set<std::int64_t>& of, std::int64_t count) {
  if (static_cast<std::int64_t>(of.size()) == count) return "";
  if (of.size() == 1) return fmt::format(" ({} {})", noun, *of.begin());
  if (*of.rbegin() - *of.begin() + 1 == static_cast<std::int64_t>(of.size()))
    return fmt::format(" ({}s {} to {})", noun, *of.begin(), *of.rbegin());
  return fmt::format(" (among {}s {} to {})", noun, *of.begin(), *of.rbegin());
}

/// Which pairs are wrong, in as few words as they allow.
template <floating_format Float>
std::string extent(const held_rotation& kernel, const law_case& given,
                   const std::vector<wrong_pair<Float>>& wrong) {
  std::set<std::int64_t> rows, pairs, operands;
  for (const auto& pair : wrong) {
    rows.insert(pair.where.row);
    pairs.insert(pair.where.pair);
    operands.insert(pair.where.tensor == operand::key ? 1 : 0);
  }
  std::string text = fmt::format("{} pair{} wrong", wrong.size(), wrong.size() == 1 ? " is" : "s are");
  text += range_text("pair", pairs, kernel.pairs());
  if (given.batch > 1 && *rows.begin() > 0) text += ", all in batch rows above 0";
  if (given.key_heads > 0 && operands.size() == 1)
    text += *operands.begin() == 1 ? ", all of the key" : ", all of the query";
  return text;
}

template <floating_format Float>
std::string diagnosis_of_call(const held_rotation& kernel, const law_case& given) {
  const rotated done = kernel.turned(given);
  const auto wrong = wrong_pairs<Float>(kernel, given, done);
  if (wrong.empty()) return "";
  const std::string text = extent(kernel, given, wrong);
  if (std::none_of(wrong.begin(), wrong.end(),
                   [](const auto& pair) { return is_finite<Float>(pair.output); }))
    return text + "; finite pairs came out as NaN or infinity: another pair's spread to them";
  const auto mistaken = mistaken_encodings(kernel.encoding(), kernel.layout().head_dim);
  for (const bool loose : {false, true}) {
    std::string found;  // a small case may fit two faults
    const auto try_one = [&](const std::string& words, auto value_of) {
      if (std::all_of(wrong.begin(), wrong.end(), [&](const auto& pair) {
            return is_explained(kernel, given, pair, value_of(pair), loose);
          }))
        found += (found.empty() ? "; " : ", or ") + words;
    };
    for (const suspect<Float>& one : suspects<Float>)
      try_one(one.words, [&](const auto& pair) { return one.gives(kernel, given, done, pair); });
    for (const mistaken_encoding& one : mistaken)
      try_one(one.words, [&](const auto& pair) { return turned_by(one, given, pair); });
    if (!found.empty()) return text + found;
  }
  return text + no_known_fault;
}

const char* direction(std::uint32_t flags) {
  switch (flags & (ROPEWALK_BACKWARD | ROPEWALK_UNIT)) {
    case ROPEWALK_BACKWARD: return "backward";
    case ROPEWALK_UNIT: return "unit rotation";
    case ROPEWALK_BACKWARD | ROPEWALK_UNIT: return "backward unit rotation";
    default: return "forward";
  }
}

std::string diagnosis(const held_rotation& kernel, const law_case& given) {
  law_case call = given;
  for (const std::uint32_t change :
       {0u, ROPEWALK_BACKWARD, ROPEWALK_UNIT, ROPEWALK_BACKWARD | ROPEWALK_UNIT}) {
    call.flags = given.flags ^ change;
    try {
      const std::string text =
          with_format(given.dtype, [&]<class Float>() { return diagnosis_of_call<Float>(kernel, call); });
      if (!text.empty()) return std::string(direction(call.flags)) + ": " + text;
    } catch (const kernel_trouble& trouble) {
      return std::string(direction(call.flags)) + ": " + trouble.what();
    }
  }
  return "";
}

/// Of canonical bits, where every rotation is right within its bound.
std::string words_for_bits(const evidence& shown) {
  return with_format(shown.dtype, [&]<class Float>() -> std::string {
    for (int i = 0; i < shown.count; ++i) {
      const auto expected = static_cast<bits_of<Float>>(shown.expected[i]),
                 got = static_cast<bits_of<Float>>(shown.got[i]);
      if (same_bits<Float>(expected, got)) continue;
      if (is_nan<Float>(expected) || is_nan<Float>(got))
        return "a NaN or an infinity is not treated as IEEE 754 says";
      if (magnitude<Float>(expected) == 0 && magnitude<Float>(got) == 0)
        return "the sign of a zero is not IEEE 754's";
      if (magnitude<Float>(got) == 0) return "small values are flushed to zero";
    }
    return "within the accuracy bound, but other bits: another order of operations or rounding, a fused "
           "multiply-add, or a table that is not correctly rounded";
  });
}

std::string words_for_law(const law<held_rotation>& of, const measurement& measured) {
  const bool is_zero = measured.shown.count > 0 && measured.shown.got[0] == 0;
  if (same_law(of, rotation_laws::canonical)) return words_for_bits(measured.shown);
  if (of.needs.pass_through_channels)
    return is_zero ? "a channel that passes through was zeroed" : "a channel that passes through was changed";
  if (same_law(of, rotation_laws::non_finite))
    return with_format(measured.shown.dtype, [&]<class Float>() -> std::string {
      const auto first = static_cast<bits_of<Float>>(measured.shown.input[0]);
      const auto second = static_cast<bits_of<Float>>(measured.shown.input[1]);
      if (is_nan<Float>(first) || is_nan<Float>(second))
        return "a NaN went in and did not come out of both channels";
      if (!is_finite<Float>(first) || !is_finite<Float>(second))
        return "an infinity went in and both channels came out finite";
      return "a NaN or an infinity of another pair spread to this one";
    });
  if (same_law(of, rotation_laws::prefill_decode))
    return "each rotation is right, but the answer depends on how the tokens are handed over";
  if (same_law(of, rotation_laws::layouts))
    return "each rotation is right in its own layout, but not in another";
  if (of.needs.scaling)
    return "the answer depends on the size of the numbers: small ones flushed, or large ones clamped";
  return "each rotation of this case is right alone";
}

/// Of the smallest size at which heads come out otherwise; empty where it is small and nothing else about it is unusual.
std::string words_for_size(const law_case& smallest) {
  constexpr std::int64_t counted = std::int64_t{1} << 31;  // by an int
  const auto extent = [&](operand which, const tensor_layout& layout) {
    return placed(smallest, which, layout).extent;
  };
  if (std::max({extent(operand::query, smallest.query_in), extent(operand::query, smallest.query_out),
                extent(operand::key, smallest.key_in), extent(operand::key, smallest.key_out)}) >= counted)
    return "elements far apart in memory: an offset is kept in 32 bits";
  if (std::abs(smallest.position_step) * smallest.tokens >= counted / 2)
    return "positions far apart in memory: an offset is kept in 32 bits";
  if (!smallest.sequence_offset.empty()) return "sequences of no token, or of one, are not told apart";
  if (smallest.query_in.unaligned + smallest.query_out.unaligned > 0)
    return "elements that begin or end at the end of a page";
  const std::int64_t tokens = smallest.batch * smallest.tokens;
  if (const std::int64_t heads = tokens * std::max(smallest.query_heads, smallest.key_heads); heads >= 1024)
    return fmt::format("{} heads in one call ({} tokens): some are left out of so large a call", heads,
                       tokens);
  return smallest.rotary_dim == 0 ? ""
                                  : fmt::format("heads of {} channels take another path", smallest.head_dim);
}

/// Of a case that fails in its caller's floating environment alone.
template <class Kernel>
std::string words_for_environment(const law<Kernel>& of, const Kernel& kernel, const law_case& smallest) {
  law_case usual = smallest;
  usual.environment = caller_environment::usual;
  if (usual == smallest || !measure(of, kernel, usual).holds) return "";
  return "right in the default floating environment, wrong in the caller's: the kernel does not set its own";
}

}  // namespace

std::string words_for(const law<held_addition>& of, const held_addition& kernel,
                      const counterexample& found) {
  if (!found.is_reproducible) return not_reproducible;
  if (!found.measured.trouble.empty()) return "the kernel answered: " + found.measured.trouble;
  if (const std::string text = words_for_environment(of, kernel, found.smallest); !text.empty()) return text;
  return words_for_sum(of, kernel, found);
}

std::string words_for(const law<held_rotation>& of, const held_rotation& kernel,
                      const counterexample& found) {
  if (!found.is_reproducible) return not_reproducible;
  if (!found.measured.trouble.empty()) return "the kernel answered: " + found.measured.trouble;
  if (const std::string text = words_for_environment(of, kernel, found.smallest); !text.empty()) return text;
  if (of.needs.sizes) {
    std::string text = words_for_size(found.smallest);
    if (text.empty() && found.smallest.fill == 0) text = diagnosis(kernel, found.smallest);
    return text.empty() ? words_for_law(of, found.measured) : text;
  }
  if (of.needs.environments) return "the kernel does not set its own floating environment";
  if (of.needs.pass_through_channels || same_law(of, rotation_laws::non_finite))
    return words_for_law(of, found.measured);
  // Where a law turns twice, the second rotation may be the wrong one.
  const law_case second =
      of.needs.second_rotation ? ropewalk::detail::shifted(found.original) : found.original;
  const law_case alone = ropewalk::detail::part_of(found.original, 0, 0, 1);
  struct diagnosed {
    const law_case* call;
    const char* words;
  };
  std::vector<diagnosed> calls{{&found.original, "in the case as drawn, "},
                               {&second, "in the case as drawn, "},
                               {&found.smallest, ""}};
  if (same_law(of, rotation_laws::prefill_decode))
    calls.push_back({&alone, "where the first token comes alone, "});
  std::string unknown;  // a large case may be several faults at once
  for (const diagnosed& one : calls) {
    std::string text = diagnosis(kernel, *one.call);
    if (text.empty()) continue;
    text = one.words + text;
    if (text.find(no_known_fault) == std::string::npos) return text;
    if (unknown.empty()) unknown = text;
  }
  return unknown.empty() ? words_for_law(of, found.measured) : unknown;
}

}  // namespace ropewalk::search
