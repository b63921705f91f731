// The shift of the sinusoidal encoding is one rotation for every position.

#include "ropewalk/encoding/sinusoidal_shift.hpp"

#include <array>
#include <cstddef>

namespace sinusoidal_shift_proof {

using namespace ropewalk;

constexpr int limb_count = 2;
using real = enclosure<limb_count>;

constexpr sinusoidal fairseq_odd{
    .d_model = 7, .shift = 1, .layout = sinusoidal_layout::sin_cos, .odd = odd_width::zero, .padding_idx = 1};

/// Two numbers agree if the difference of their enclosures stays below this.
constexpr radius narrow{std::uint32_t{1} << 31, -121};  // 2^-90

constexpr bool agree(const real& x, const real& y) { return magnitude_above(x - y) < narrow; }

template <sinusoidal Config>
constexpr auto row_of(double position) {
  std::array<real, static_cast<std::size_t>(Config.d_model)> row{};
  for (int channel = 0; channel < Config.d_model; ++channel)
    row[static_cast<std::size_t>(channel)] = sinusoidal_entry<limb_count>(position, channel, Config);
  return row;
}

/// One map per distance shifts every position, integer or fractional, and the map of the opposite distance
/// undoes it.
template <sinusoidal Config>
consteval bool one_rotation_shifts_every_position(double distance) {
  const sinusoidal_shift<limb_count> there(Config, distance), back(Config, -distance);
  for (const double position : {0.0, 7.25, 4095.0}) {
    const auto row = row_of<Config>(position), further = row_of<Config>(position + distance);
    const auto shifted = there.applied_to(row), returned = back.applied_to(shifted);
    for (std::size_t i = 0; i < row.size(); ++i)
      if (!agree(shifted[i], further[i]) || !agree(returned[i], row[i])) return false;
  }
  return true;
}
static_assert(one_rotation_shifts_every_position<sinusoidal{.d_model = 8}>(5));
static_assert(one_rotation_shifts_every_position<sinusoidal{.d_model = 8}>(-0.5));
static_assert(one_rotation_shifts_every_position<fairseq_odd>(1000));

/// PE(p) . PE(p + k) is the sum of cos(k f) over the frequencies f of the pairs, whatever p.
template <sinusoidal Config>
consteval bool dot_product_of_two_rows_depends_on_the_distance_alone(double distance) {
  real expected = real::of(0);
  for (int pair = 0; pair < pair_count(Config); ++pair)
    expected = expected + sinusoidal_shift<limb_count>(Config, distance).turn(pair).cos;
  for (const double position : {0.0, 7.25, 4095.0}) {
    const auto row = row_of<Config>(position), further = row_of<Config>(position + distance);
    real dot = real::of(0);
    for (std::size_t i = 0; i < row.size(); ++i) dot = dot + row[i] * further[i];
    if (!agree(dot, expected)) return false;
  }
  return true;
}
static_assert(dot_product_of_two_rows_depends_on_the_distance_alone<sinusoidal{.d_model = 8}>(5));
static_assert(dot_product_of_two_rows_depends_on_the_distance_alone<fairseq_odd>(3));

/// The matrix times its transpose is the identity.
template <sinusoidal Config>
consteval bool shift_matrix_is_orthogonal(double distance) {
  const sinusoidal_shift<limb_count> shift(Config, distance);
  for (int row = 0; row < Config.d_model; ++row)
    for (int other = 0; other < Config.d_model; ++other) {
      real sum = real::of(0);
      for (int column = 0; column < Config.d_model; ++column)
        sum = sum + shift.at(row, column) * shift.at(other, column);
      if (!agree(sum, real::of(row == other ? 1 : 0))) return false;
    }
  return true;
}
static_assert(shift_matrix_is_orthogonal<sinusoidal{.d_model = 6}>(3));
static_assert(shift_matrix_is_orthogonal<fairseq_odd>(3));

}  // namespace sinusoidal_shift_proof
