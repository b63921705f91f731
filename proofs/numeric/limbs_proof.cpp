// Arithmetic of limbs agrees with Boost's integers: two implementations that share no code, compared in
// constant evaluation.

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>

#include "ropewalk/numeric/limbs.hpp"

namespace limbs_proof {

using namespace ropewalk;
namespace mp = boost::multiprecision;
using boost_512 = mp::number<mp::cpp_int_backend<512, 512, mp::unsigned_magnitude, mp::unchecked, void>>;

template <int N>
constexpr boost_512 to_boost(const limbs<N>& a) {
  boost_512 wide = 0;
  for (int i = N; i-- > 0;) wide = (wide << 64) | boost_512(a.word[i]);
  return wide;
}

/// A pseudorandom number with long runs of ones and zeros, where carries and quotient digits go wrong first.
template <int N>
constexpr limbs<N> sample(std::uint64_t seed) {
  limbs<N> product;
  for (int i = 0; i < N; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    product.word[i] = (seed >> 60) < 5 ? ~std::uint64_t{0} : (seed >> 60) < 8 ? 0 : seed;
  }
  return product;
}

consteval bool products_agree() {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto a = sample<4>(seed), b = sample<4>(seed + 100);
    if (to_boost(multiply(a, b)) != to_boost(a) * to_boost(b)) return false;
  }
  return true;
}
static_assert(products_agree());

consteval bool quotients_and_remainders_agree() {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto a = sample<6>(seed);
    auto b = sample<3>(seed + 200);
    b.word[2] |= std::uint64_t{1} << 63;
    const auto parts = divide(a, b);
    if (to_boost(parts.quotient) != to_boost(a) / to_boost(b)) return false;
    if (to_boost(parts.remainder) != to_boost(a) % to_boost(b)) return false;
  }
  return true;
}
static_assert(quotients_and_remainders_agree());

consteval bool sums_differences_and_shifts_agree() {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    auto a = sample<6>(seed);
    const auto b = sample<6>(seed + 300);
    const int count = static_cast<int>(seed * 29);
    if (to_boost(shift_right(a, count)) != (to_boost(a) >> count)) return false;
    const boost_512 wide = to_boost(a) + to_boost(b);
    const std::uint64_t carry = add_to(a, b);
    if (to_boost(a) + (boost_512(carry) << 384) != wide) return false;
    if (subtract_from(a, b) != carry) return false;
    if (to_boost(a) != to_boost(sample<6>(seed))) return false;
  }
  return true;
}
static_assert(sums_differences_and_shifts_agree());

}  // namespace limbs_proof
