// Adds rows to heads, and computes ALiBi's bias for a run of keys, for one target. Included once for each
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

/// Adds as many entries as a vector has lanes.
template <class Format, bool Streams, class D>
struct add_step {
  static constexpr std::size_t width = hn::MaxLanes(D());
  using lane = typename Format::lane;
  using stored = typename Format::stored;

  static HWY_INLINE void add(const stored* from, stored* to, const lane* row) {
    const typename Format::template memory<D> dm;
    const auto x = Format::widen(D(), hn::LoadU(dm, from));
    put<Streams>(dm, Format::narrow(D(), hn::Add(x, hn::LoadU(D(), row))), to);
  }
};

/// Adds from channel `at` on: vectors of the target's full width, then narrower ones for the remainder.
template <class Format, bool Streams, std::size_t Cap>
HWY_INLINE void add_from(const typename Format::stored* from, typename Format::stored* to,
                         const typename Format::lane* row, std::size_t channels, std::size_t at) {
  using step = add_step<Format, Streams, hn::CappedTag<typename Format::lane, Cap>>;
  for (; at + step::width <= channels; at += step::width) step::add(from + at, to + at, row + at);
  if constexpr (step::width > 1)
    if (at < channels) add_from<Format, false, step::width / 2>(from, to, row, channels, at);
}

template <class Format, bool Streams>
void add_rows(const added_runs& runs) {
  using stored = typename Format::stored;
  const std::byte *from = runs.from, *row = runs.row;
  std::byte* to = runs.to;
  for (std::int64_t head = 0; head < runs.heads; ++head) {
    add_from<Format, Streams, 16>(reinterpret_cast<const stored*>(from), reinterpret_cast<stored*>(to),
                                  reinterpret_cast<const typename Format::lane*>(row), runs.channels, 0);
    from += runs.from_stride;
    to += runs.to_stride;
    row += runs.row_stride;
  }
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
