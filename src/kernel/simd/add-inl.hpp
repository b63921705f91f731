// Adds a row to a head, and computes ALiBi's bias for a run of keys, for one target. Included once for each
// target.

#if defined(ROPEWALK_SIMD_ADD) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_ADD
#undef ROPEWALK_SIMD_ADD
#else
#define ROPEWALK_SIMD_ADD
#endif

#include <hwy/highway.h>

#include "kernel/simd/format-inl.hpp"
#include "kernel/simd/put-inl.hpp"
#include "kernel/simd/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Adds from element `at` on: vectors of the target's full width, then narrower ones for the remainder.
template <class Format, bool Streams, std::size_t Cap>
HWY_INLINE void add_from(const typename Format::stored* from, typename Format::stored* to,
                         const typename Format::lane* row, std::size_t count, std::size_t at) {
  const hn::CappedTag<typename Format::lane, Cap> d;
  const typename Format::template memory<decltype(d)> dm;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  for (; at + lanes <= count; at += lanes) {
    const auto x = Format::widen(d, hn::LoadU(dm, from + at));
    put<Streams>(dm, Format::narrow(d, hn::Add(x, hn::LoadU(d, row + at))), to + at);
  }
  if constexpr (lanes > 1)
    if (at < count) add_from<Format, false, lanes / 2>(from, to, row, count, at);
}

template <class Format, bool Streams>
void add_row(const std::byte* from, std::byte* to, const void* row, std::size_t count) {
  using stored = typename Format::stored;
  add_from<Format, Streams, 16>(reinterpret_cast<const stored*>(from), reinterpret_cast<stored*>(to),
                                static_cast<const typename Format::lane*>(row), count, 0);
}

/// Computes one vector of entries and lists those that the rounding test leaves undecided.
template <class D>
HWY_INLINE int bias_at(D d, const bias_source& source, std::size_t at, std::size_t count, float* to,
                       std::uint16_t* undecided) {
  const hn::Rebind<float, D> df;
  const hn::RebindToUnsigned<decltype(df)> du;
  constexpr std::size_t lanes = hn::MaxLanes(D());
  auto reach = hn::Add(hn::Set(d, source.first_reach + static_cast<double>(at)), hn::Iota(d, 0));
  if (source.is_symmetric) reach = hn::Sub(hn::Zero(d), hn::Abs(reach));
  const auto value = hn::Mul(hn::Set(d, source.slope), reach);
  const auto error = hn::Mul(hn::Abs(value), hn::Set(d, source.relative_error));
  const auto low = hn::BitCast(du, hn::DemoteTo(df, hn::Sub(value, error)));
  const auto rounded = hn::DemoteTo(df, hn::Add(value, error));
  float entries[lanes];
  std::uint32_t differs[lanes];
  hn::StoreU(rounded, df, entries);
  hn::StoreU(hn::Xor(low, hn::BitCast(du, rounded)), du, differs);
  int listed = 0;
  for (std::size_t i = 0; i < lanes && at + i < count; ++i) {
    to[at + i] = entries[i];
    if (differs[i] != 0) undecided[listed++] = static_cast<std::uint16_t>(at + i);
  }
  return listed;
}

HWY_INLINE int bias_of(const bias_source& source, std::size_t count, float* to, std::uint16_t* undecided) {
  const hn::CappedTag<double, block_pairs> d;
  int listed = 0;
  for (std::size_t at = 0; at < count; at += hn::MaxLanes(d))
    listed += bias_at(d, source, at, count, to, undecided + listed);
  return listed;
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
