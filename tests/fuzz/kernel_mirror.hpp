#pragma once
// The right output of a case by plain loops over the mirror, from the configuration itself: the headers
// alone.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz/kernel_case.hpp"
#include "ropewalk/kernel/addition.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/table/alibi_table.hpp"
#include "ropewalk/table/rope_rows.hpp"
#include "ropewalk/table/sinusoidal_rows.hpp"

namespace ropewalk::fuzz {

/// Elements, and where they are known: an exact value may lie too near a tie for one precision.
struct right_elements {
  std::vector<std::uint64_t> bits;
  std::vector<bool> is_known;
};

namespace detail {

/// One tensor of a rotation: turn(x, pair, token) gives the rotated pair, or nothing where it is not known.
template <floating_format Float, class Turn>
right_elements turned(const kernel_case& test_case, const std::vector<std::uint64_t>& in, std::int64_t heads,
                      const std::vector<std::uint64_t>& before, Turn turn) {
  right_elements elements{before, std::vector<bool>(before.size(), true)};
  for (std::int64_t token = test_case.begin; token < test_case.end; ++token)
    for (std::int64_t head = token * heads; head < (token + 1) * heads; ++head) {
      const auto at = [&](int channel) {
        return static_cast<std::size_t>(head * test_case.channels + channel);
      };
      for (int channel = 0; channel < test_case.channels; ++channel)
        elements.bits[at(channel)] = in[at(channel)];
      const int begin = test_case.layout.rotary_begin;
      for (int pair = 0; pair < pair_count(test_case.rotary); ++pair) {
        channel_pair from = channels_of(pair, test_case.rotary.rotary_dim, test_case.layout.pairing_in);
        channel_pair to = channels_of(pair, test_case.rotary.rotary_dim, test_case.layout.pairing_out);
        from.first += begin, from.second += begin, to.first += begin, to.second += begin;
        const bits_pair<Float> x{static_cast<bits_of<Float>>(in[at(from.first)]),
                                 static_cast<bits_of<Float>>(in[at(from.second)])};
        const std::optional<bits_pair<Float>> y = turn(x, pair, token);
        elements.is_known[at(to.first)] = elements.is_known[at(to.second)] = y.has_value();
        if (y) elements.bits[at(to.first)] = y->first, elements.bits[at(to.second)] = y->second;
      }
    }
  return elements;
}

/// The canonical rotation.
template <floating_format Float>
class canonical_turn {
 public:
  explicit canonical_turn(const kernel_case& test_case) : test_case_(test_case), rows_(test_case.rotary) {}

  std::optional<bits_pair<Float>> operator()(bits_pair<Float> x, int pair, std::int64_t token) const {
    using wide = rotation_format<Float>;
    const auto entry =
        rows_.entry<wide>(pair, test_case_.position(test_case_.axis[static_cast<std::size_t>(pair)], token),
                          (test_case_.flags & ROPEWALK_UNIT) != 0);
    bits_pair<wide> by{entry.cos, entry.sin};
    if ((test_case_.flags & ROPEWALK_BACKWARD) != 0) by = backward<wide>(by);
    return rotate_pair<Float>(x, by);
  }

 private:
  const kernel_case& test_case_;
  rope_rows rows_;
};

/// The exact rotation, rounded once. It is not known for numbers that are not finite, and for zeros.
template <floating_format Float>
class exact_turn {
 public:
  explicit exact_turn(const kernel_case& test_case) : test_case_(test_case), rows_(test_case.rotary) {}

  std::optional<bits_pair<Float>> operator()(bits_pair<Float> x, int pair, std::int64_t token) const {
    using real = enclosure<rope_rows::limb_count>;
    const auto is_plain = [](bits_of<Float> bits) {
      const auto magnitude = bits & ~format<Float>::sign_bit;
      return magnitude != 0 && magnitude < format<Float>::infinity;
    };
    if (!is_plain(x.first) || !is_plain(x.second)) return std::nullopt;
    const double position = test_case_.position(test_case_.axis[static_cast<std::size_t>(pair)], token);
    const auto by =
        rows_.exact<rope_rows::limb_count>(pair, position, (test_case_.flags & ROPEWALK_UNIT) != 0);
    const real first = number<real>(x.first), second = number<real>(x.second);
    const real sin = (test_case_.flags & ROPEWALK_BACKWARD) != 0 ? -by.sin : by.sin;
    const auto y0 = round<Float>(first * by.cos - second * sin);
    const auto y1 = round<Float>(first * sin + second * by.cos);
    if (!y0.decided || !y1.decided) return std::nullopt;
    return bits_pair<Float>{y0.bits, y1.bits};
  }

 private:
  template <class Real>
  static Real number(bits_of<Float> bits) {
    return Real::of(from_bits<double>(convert<double, Float>(bits)));
  }

  const kernel_case& test_case_;
  rope_rows rows_;
};

/// x + entry(head, position, channel); an element without an entry is copied.
template <floating_format Float, class EntryOf>
right_elements sums(const kernel_case& test_case, const std::vector<std::uint64_t>& before,
                    EntryOf entry_of) {
  right_elements elements{before, std::vector<bool>(before.size(), true)};
  for (std::int64_t token = test_case.begin; token < test_case.end; ++token)
    for (std::int64_t head = 0; head < test_case.heads; ++head)
      for (std::int64_t channel = 0; channel < test_case.channels; ++channel) {
        const auto at =
            static_cast<std::size_t>((token * test_case.heads + head) * test_case.channels + channel);
        const std::optional<bits_of<rotation_format<Float>>> entry =
            entry_of(head, test_case.position(0, token), channel);
        const auto x = static_cast<bits_of<Float>>(test_case.query[at]);
        elements.bits[at] = entry ? add_entry<Float>(x, *entry) : x;
      }
  return elements;
}

}  // namespace detail

/// The outputs of query and key; `before` is what they held before the call.
struct right_output {
  right_elements query;
  right_elements key;
};

/// What a canonical kernel or, with `is_exact`, an exact one must give.
inline right_output right_output_of(const kernel_case& test_case, bool is_exact,
                                    const test::tensors& before) {
  return with_format(test_case.dtype, [&]<class Float>() -> right_output {
    using wide = rotation_format<Float>;
    const auto both = [&](const auto& turn) {
      return right_output{
          detail::turned<Float>(test_case, test_case.query, test_case.heads, before.query, turn),
          detail::turned<Float>(test_case, test_case.key, test_case.key_heads, before.key, turn)};
    };
    if (test_case.operation == ROPEWALK_ROTATE && is_exact) return both(detail::exact_turn<Float>(test_case));
    if (test_case.operation == ROPEWALK_ROTATE) return both(detail::canonical_turn<Float>(test_case));
    if (test_case.operation == ROPEWALK_ADD_ROW)
      return {detail::sums<Float>(test_case, before.query,
                                  [&](std::int64_t, double position, std::int64_t channel) {
                                    const int at = static_cast<int>(channel);
                                    return content_of(at, test_case.rows).holds == wave::zero
                                               ? std::optional<bits_of<wide>>{}
                                               : round_sinusoidal_entry<wide>(position, at, test_case.rows);
                                  }),
              {}};
    const alibi_biases biases(test_case.biases);
    return {detail::sums<Float>(test_case, before.query,
                                [&](std::int64_t head, double query, std::int64_t key) {
                                  return std::optional<bits_of<wide>>(biases.entry<wide>(
                                      static_cast<int>(head), static_cast<std::int64_t>(query), key,
                                      test_case.channels));
                                }),
            {}};
  });
}

}  // namespace ropewalk::fuzz
