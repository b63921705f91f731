#pragma once
// The exact points of a rotation, (a cos, a sin) of every pair at a position, against which entries of
// kernels are measured. Each is computed once for all kernels.

#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "ropewalk/encoding/placed_rope.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::measure {

/// One exact number, and the number of a format that is nearest to it.
template <floating_format Float>
struct exact_entry {
  enclosure<2> value;
  bits_of<Float> nearest;

  /// An upper bound of |got - value|; infinity where `got` is not finite.
  double miss(bits_of<Float> got) const {
    if (!is_finite<Float>(got)) return std::numeric_limits<double>::infinity();
    return upper_binary64(value - enclosure<2>{exact_dyadic_of_bits<2, Float>(got), {}});
  }
  /// Whether the nearest number is 0, as at quarter turns: an error in ulp is then undefined.
  bool is_zero() const { return magnitude<Float>(nearest) == 0; }
  /// The spacing of the format's numbers at the nearest one.
  double ulp() const { return std::ldexp(1.0, decode<Float>(nearest).exponent); }
};

template <floating_format Float>
struct exact_point {
  exact_entry<Float> cos;
  exact_entry<Float> sin;
};

/// Computes and keeps exact points. Not thread-safe.
class exact_points {
 public:
  /// throws  std::invalid_argument naming the field and its value; undecided if a scaling rule is not decided
  explicit exact_points(const placed_rope& encoding) : encoding_(encoding), rows_(encoding) {}

  /// The points at a token's positions, one per axis or one for all axes. They live as long as this object.
  ///
  /// shape   [pairs]
  /// throws  undecided at the cap of Ziv's loop
  template <floating_format Float>
  const std::vector<exact_point<Float>>& at(const std::vector<double>& token) {
    const auto [place, is_new] = std::get<points_by_token<Float>>(known_).try_emplace(token);
    if (is_new) place->second = computed<Float>(token);
    return place->second;
  }

 private:
  template <class Float>
  using points_by_token = std::map<std::vector<double>, std::vector<exact_point<Float>>>;
  template <class... Formats>
  static std::tuple<points_by_token<Formats>...> one_for_each(type_list<Formats...>);

  template <floating_format Float>
  std::vector<exact_point<Float>> computed(const std::vector<double>& token) const {
    std::vector<exact_point<Float>> result;
    for (int pair = 0; pair < rows_.pairs(); ++pair) {
      const int axis = token.size() == 1 ? 0 : axis_of(pair, encoding_.axes, encoding_.encoding).axis;
      const double position = token[static_cast<std::size_t>(axis)];
      const auto exact = rows_.exact<2>(pair, position, false);
      const auto nearest = rows_.entry<Float>(pair, position, false);
      result.push_back({{exact.cos, nearest.cos}, {exact.sin, nearest.sin}});
    }
    return result;
  }

  placed_rope encoding_;
  rope_rows rows_;
  decltype(one_for_each(all_formats{})) known_;
};

}  // namespace ropewalk::measure
