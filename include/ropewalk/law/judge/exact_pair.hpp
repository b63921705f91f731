#pragma once
// One channel pair as exact numbers: a kernel's expected output, and its distance from the actual output.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/function/sin_cos.hpp"
#include "ropewalk/kernel/rotation.hpp"
#include "ropewalk/numeric/enclosure.hpp"
#include "ropewalk/numeric/format.hpp"

namespace ropewalk {

template <int N>
struct exact_pair {
  enclosure<N> first;
  enclosure<N> second;
};

/// The bits of one pair of a head. `start` is the head's channel 0.
template <floating_format Float>
bits_pair<Float> pair_at(const std::vector<std::uint64_t>& elements, std::size_t start,
                         channel_pair channels) {
  return {static_cast<bits_of<Float>>(elements[start + static_cast<std::size_t>(channels.first)]),
          static_cast<bits_of<Float>>(elements[start + static_cast<std::size_t>(channels.second)])};
}

/// Whether both numbers of the pair are finite.
template <floating_format Float>
bool is_finite(bits_pair<Float> x) {
  return is_finite<Float>(x.first) && is_finite<Float>(x.second);
}

/// The numbers of a pair as enclosures of radius 0.
///
/// domain  finite bits
template <int N, floating_format Float>
exact_pair<N> exact(bits_pair<Float> x) {
  return {{exact_dyadic_of_bits<N, Float>(x.first), {}}, {exact_dyadic_of_bits<N, Float>(x.second), {}}};
}

template <int N>
exact_pair<N> operator-(const exact_pair<N>& x, const exact_pair<N>& y) {
  return {x.first - y.first, x.second - y.second};
}

template <int N>
exact_pair<N> operator*(const enclosure<N>& factor, const exact_pair<N>& x) {
  return {factor * x.first, factor * x.second};
}

/// a R(t) x, given a cos t and a sin t.
template <int N>
exact_pair<N> turned(const exact_pair<N>& x, const cos_sin<N>& by) {
  return {x.first * by.cos - x.second * by.sin, x.first * by.sin + x.second * by.cos};
}

/// a cos(-t) and a sin(-t), the entries of a R(-t).
template <int N>
cos_sin<N> backward(const cos_sin<N>& by) {
  return {by.cos, -by.sin};
}

/// |x|^2: the squares of both numbers, added.
///
/// error   carried by the enclosure
template <int N>
enclosure<N> squared_norm(const exact_pair<N>& x) {
  return x.first * x.first + x.second * x.second;
}

/// |x|, the Euclidean length of the pair.
///
/// error   carried by the enclosure
template <int N>
enclosure<N> norm(const exact_pair<N>& x) {
  return square_root(squared_norm(x));
}

/// The enclosure's midpoint rounded to the format, for display: where the enclosure does not decide the
/// rounding, it may be one ulp off.
template <floating_format Float, int N>
std::uint64_t shown_bits(const enclosure<N>& x) {
  return round<Float>(x.midpoint);
}

}  // namespace ropewalk
