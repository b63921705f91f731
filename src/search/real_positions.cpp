#include "search/real_positions.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "ropewalk/config/position_range.hpp"
#include "ropewalk/numeric/format.hpp"
#include "search/number_bits.hpp"

namespace ropewalk::search {
namespace {

// A whole position has 32 bits, plus so many bits of fraction: two such numbers have an exact sum.
constexpr int fraction_bits = 20;
// Cap on the exponent of the power of two that divides such a position; the quotient stays normal.
constexpr int most_halvings = 64;
// Models divide an index by these: frames per second, cells of a grid, samples of a signal.
constexpr double divisors[] = {3, 10, 14, 24, 25, 30, 1000};
constexpr int smallest_exponent = -1074;

enum class kind { whole, fraction, quotient, centre, any_bits, tiny };
constexpr kind kinds[] = {kind::whole,  kind::fraction, kind::quotient,
                          kind::centre, kind::any_bits, kind::tiny};

double draw_fraction(dice& from) {
  return std::ldexp(static_cast<double>(from.below(std::int64_t{1} << fraction_bits)), -fraction_bits);
}

/// A number in [2^exponent, 2^(exponent + 1)) with many or few random bits.
double draw_with_exponent(dice& from, int exponent) {
  const int kept = static_cast<int>(from.one_in(2) ? 52 : from.between(1, 12));
  const std::uint64_t fraction = (from.bits() >> 12) >> (52 - kept) << (52 - kept);
  return std::ldexp(1 + std::ldexp(static_cast<double>(fraction), -52), exponent);
}

/// A real number in place of a whole one.
double draw_real(dice& from, kind drawn, double whole) {
  const double sign = whole < 0 ? -1 : 1;
  switch (drawn) {
    case kind::whole: return whole == 0 && from.one_in(2) ? -0.0 : whole;
    case kind::fraction: return whole + draw_fraction(from);
    case kind::quotient: return whole / divisors[from.below(std::size(divisors))];
    case kind::centre: return whole + 0.5;
    case kind::any_bits: return sign * draw_with_exponent(from, static_cast<int>(from.between(-31, 30)));
    case kind::tiny: break;
  }
  return sign * draw_with_exponent(from, static_cast<int>(from.between(smallest_exponent, -31)));
}

/// A number in +-[2^range, 2^(range + 1)); below 2 for range 0.
double draw_in_range(dice& from, int range, double whole) {
  const int exponent = range > 0 || from.one_in(2) ? range : static_cast<int>(from.between(-40, -1));
  const double size = draw_with_exponent(from, exponent);
  return whole < 0 ? -size : size;
}

bool is_in_range(int range, double position) {
  const double size = std::abs(position);
  return size < std::ldexp(1, range + 1) && (range == 0 || size >= std::ldexp(1, range));
}

/// Whether the kernel serves a position, and its opposite if a law undoes a rotation with it.
bool may_be_asked(const case_domain& domain, double position) {
  const served_calls& served = domain.served;
  return served.has_real_position(position) &&
         !(domain.needs.opposite_positions && served.lacks(ROPEWALK_NO_BACKWARD) &&
           !served.has_real_position(-position));
}

}  // namespace

void draw_real_positions(dice& from, const case_domain& domain, law_case& test_case) {
  const case_needs& needs = domain.needs;
  const bool is_exact = needs.second_rotation || needs.distances;
  const bool is_mixed = from.one_in(4);
  const kind of_case = kinds[from.below(std::size(kinds))];
  const int halvings = from.one_in(2) ? static_cast<int>(from.below(most_halvings)) : 0;
  const auto draw = [&](double whole) {
    if (needs.position_zero) return from.one_in(4) ? -0.0 : 0.0;
    if (needs.one_range) return draw_in_range(from, domain.range, whole);
    if (is_exact) return std::ldexp(whole + draw_fraction(from), -halvings);
    return draw_real(from, is_mixed ? kinds[from.below(std::size(kinds))] : of_case, whole);
  };
  const auto real_of = [&](double whole) {
    const double real = draw(whole);
    if (may_be_asked(domain, real)) return real;
    return std::max(whole, static_cast<double>(smallest_position + 1));  // -2^31 is no real position
  };
  // The real position that replaces each whole position.
  std::map<double, double> taken;
  for (double& position : test_case.positions) {
    const auto [entry, is_new] = taken.try_emplace(position, 0);
    if (is_new) entry->second = real_of(position);
    position = entry->second;
  }
  for (int axis = 0; needs.second_rotation && axis < test_case.axes; ++axis) {
    double& shift = test_case.shift[static_cast<std::size_t>(axis)];
    shift = real_of(shift);
  }
  test_case.has_real_positions = true;
}

std::vector<double> simpler_real_positions(const case_domain& domain, double position) {
  std::vector<double> positions;
  const auto offer = [&](double simpler) {
    if (std::abs(simpler) > std::abs(position)) return;  // sums might not be exact
    if (domain.needs.one_range && !is_in_range(domain.range, simpler)) return;
    if (to_bits(simpler) != to_bits(position)) positions.push_back(simpler);
  };
  if (domain.needs.one_range) offer(std::copysign(std::ldexp(1, domain.range), position));
  if (domain.needs.position_zero) {
    offer(0);
    return positions;
  }
  for (const std::uint64_t bits : simpler_bits(ROPEWALK_F64, to_bits(position))) {
    const double simpler = from_bits<double>(bits);
    if (positions.empty()) offer(0);
    // Whole numbers come before numbers with few bits.
    if (positions.size() == 1) offer(std::trunc(position));
    offer(simpler);
  }
  return positions;
}

law_case with_whole_positions(law_case test_case) {
  for (double& position : test_case.positions) position = std::trunc(position);
  for (double& shift : test_case.shift) shift = std::trunc(shift);
  test_case.has_real_positions = false;
  return test_case;
}

}  // namespace ropewalk::search
