// Adds rows to heads, for one target. Included once for each target.

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

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
