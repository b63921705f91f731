#pragma once
// Unsigned integers of a fixed number of 64-bit limbs, least significant first, on which all exact
// arithmetic is built. They are plain arrays and loops, so that the functions are cheap in constant
// expressions and at run time.

#include <bit>
#include <cstdint>

namespace ropewalk {

__extension__ typedef unsigned __int128 wide_word;  // NOLINT: __extension__ takes no using
__extension__ typedef __int128 signed_wide_word;    // NOLINT

inline constexpr int limb_bits = 64;

template <int N>
struct limbs {
  static_assert(N >= 1);
  std::uint64_t word[N] = {};
  friend constexpr bool operator==(const limbs&, const limbs&) = default;
};

/// A number of one limb, zero-extended to N limbs.
template <int N>
constexpr limbs<N> limbs_of(std::uint64_t value) {
  limbs<N> product;
  product.word[0] = value;
  return product;
}

/// Whether every limb is 0.
template <int N>
constexpr bool is_zero(const limbs<N>& a) {
  for (int i = 0; i < N; ++i)
    if (a.word[i] != 0) return false;
  return true;
}

/// -1, 0 or 1 as a is below, equal to or above b.
template <int N>
constexpr int compare(const limbs<N>& a, const limbs<N>& b) {
  for (int i = N; i-- > 0;)
    if (a.word[i] != b.word[i]) return a.word[i] < b.word[i] ? -1 : 1;
  return 0;
}

/// Number of bits up to the highest one; 0 for zero.
template <int N>
constexpr int bit_length(const limbs<N>& a) {
  for (int i = N; i-- > 0;)
    if (a.word[i] != 0) return limb_bits * (i + 1) - std::countl_zero(a.word[i]);
  return 0;
}

/// a += b; returns the carry out of the top limb.
template <int N>
constexpr std::uint64_t add_to(limbs<N>& a, const limbs<N>& b) {
  std::uint64_t carry = 0;
  for (int i = 0; i < N; ++i) {
    const wide_word sum = static_cast<wide_word>(a.word[i]) + b.word[i] + carry;
    a.word[i] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> limb_bits);
  }
  return carry;
}

/// a -= b; returns the borrow out of the top limb.
template <int N>
constexpr std::uint64_t subtract_from(limbs<N>& a, const limbs<N>& b) {
  std::uint64_t borrow = 0;
  for (int i = 0; i < N; ++i) {
    const wide_word difference = static_cast<wide_word>(a.word[i]) - b.word[i] - borrow;
    a.word[i] = static_cast<std::uint64_t>(difference);
    borrow = static_cast<std::uint64_t>(difference >> limb_bits) & 1;
  }
  return borrow;
}

/// a += value; returns the carry out of the top limb.
template <int N>
constexpr std::uint64_t add_to(limbs<N>& a, std::uint64_t value) {
  for (int i = 0; i < N && value != 0; ++i) {
    a.word[i] += value;
    value = a.word[i] < value ? 1 : 0;
  }
  return value;
}

/// a *= value; returns the carry out of the top limb.
template <int N>
constexpr std::uint64_t multiply_by(limbs<N>& a, std::uint64_t value) {
  std::uint64_t carry = 0;
  for (int i = 0; i < N; ++i) {
    const wide_word product = static_cast<wide_word>(a.word[i]) * value + carry;
    a.word[i] = static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> limb_bits);
  }
  return carry;
}

/// a /= value, rounded down; returns the remainder.
template <int N>
constexpr std::uint64_t divide_by(limbs<N>& a, std::uint64_t value) {
  std::uint64_t remainder = 0;
  for (int i = N; i-- > 0;) {
    const std::uint64_t low = a.word[i];
    const wide_word dividend = (static_cast<wide_word>(remainder) << limb_bits) | low;
    a.word[i] = static_cast<std::uint64_t>(dividend / value);
    remainder = low - a.word[i] * value;  // below value, so its low 64 bits suffice
  }
  return remainder;
}

/// a x b in full.
template <int N, int M>
constexpr limbs<N + M> multiply(const limbs<N>& a, const limbs<M>& b) {
  limbs<N + M> product;
  for (int i = 0; i < N; ++i) {
    if (a.word[i] == 0) continue;
    std::uint64_t carry = 0;
    for (int j = 0; j < M; ++j) {
      const wide_word t = static_cast<wide_word>(a.word[i]) * b.word[j] + product.word[i + j] + carry;
      product.word[i + j] = static_cast<std::uint64_t>(t);
      carry = static_cast<std::uint64_t>(t >> limb_bits);
    }
    product.word[i + M] = carry;
  }
  return product;
}

/// a x 2^count mod 2^(64 N). domain  count >= 0
template <int N>
constexpr limbs<N> shift_left(const limbs<N>& a, int count) {
  limbs<N> product;
  const int whole = count / limb_bits, part = count % limb_bits;
  for (int i = N; i-- > whole;) {
    product.word[i] = a.word[i - whole] << part;
    if (part != 0 && i > whole) product.word[i] |= a.word[i - whole - 1] >> (limb_bits - part);
  }
  return product;
}

/// a / 2^count, rounded down. domain  count >= 0
template <int N>
constexpr limbs<N> shift_right(const limbs<N>& a, int count) {
  limbs<N> product;
  const int whole = count / limb_bits, part = count % limb_bits;
  for (int i = 0; i + whole < N; ++i) {
    product.word[i] = a.word[i + whole] >> part;
    if (part != 0 && i + whole + 1 < N) product.word[i] |= a.word[i + whole + 1] << (limb_bits - part);
  }
  return product;
}

/// Whether the bit of weight 2^position is set. domain  0 <= position < 64 N
template <int N>
constexpr bool bit_at(const limbs<N>& a, int position) {
  return ((a.word[position / limb_bits] >> (position % limb_bits)) & 1) != 0;
}

/// Whether any of the lowest `count` bits is set. domain  count >= 0
template <int N>
constexpr bool any_bit_below(const limbs<N>& a, int count) {
  for (int i = 0; i < N && count > 0; ++i, count -= limb_bits) {
    const std::uint64_t kept = count >= limb_bits ? a.word[i] : a.word[i] & ((std::uint64_t{1} << count) - 1);
    if (kept != 0) return true;
  }
  return false;
}

/// a with M limbs: zero-extended, or truncated to its low limbs.
template <int M, int N>
constexpr limbs<M> resize(const limbs<N>& a) {
  limbs<M> product;
  for (int i = 0; i < M && i < N; ++i) product.word[i] = a.word[i];
  return product;
}

/// The upper M limbs of a. domain  M <= N
template <int M, int N>
constexpr limbs<M> upper(const limbs<N>& a) {
  static_assert(M <= N);
  limbs<M> product;
  for (int i = 0; i < M; ++i) product.word[i] = a.word[i + N - M];
  return product;
}

template <int M, int N>
struct quotient_remainder {
  limbs<M> quotient;
  limbs<N> remainder;
};

/// Quotient and remainder of a / b, schoolbook (Knuth, algorithm D).
///
/// domain  the top bit of b is set
template <int M, int N>
constexpr quotient_remainder<M, N> divide(const limbs<M>& a, const limbs<N>& b) {
  quotient_remainder<M, N> result{};
  limbs<N + 1> rest;  // the remainder so far, followed by the next limb of a; always below b x 2^64
  const limbs<N + 1> divisor = resize<N + 1>(b);
  for (int i = M; i-- > 0;) {
    for (int j = N; j > 0; --j) rest.word[j] = rest.word[j - 1];
    rest.word[0] = a.word[i];
    const wide_word top = (static_cast<wide_word>(rest.word[N]) << limb_bits) | rest.word[N - 1];
    wide_word digit = top / b.word[N - 1];  // at most 2 too large, because the top bit of b is set
    if (digit >> limb_bits) digit = ~std::uint64_t{0};
    limbs<N + 1> product = divisor;
    multiply_by(product, static_cast<std::uint64_t>(digit));
    while (compare(product, rest) > 0) {
      --digit;
      subtract_from(product, divisor);
    }
    subtract_from(rest, product);
    result.quotient.word[i] = static_cast<std::uint64_t>(digit);
  }
  result.remainder = resize<N>(rest);
  return result;
}

}  // namespace ropewalk
