// Adds rows to heads, for one target. Included once for each target.

#if defined(ROPEWALK_SIMD_ADD) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_SIMD_ADD
#undef ROPEWALK_SIMD_ADD
#else
#define ROPEWALK_SIMD_ADD
#endif

#include <hwy/highway.h>

#include <type_traits>

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

#if HWY_TARGET != HWY_SCALAR

/// Adds two vectors of entries to bfloat16 and stores both results, the upper halves of 32-bit words, at
/// once.
template <class Format, bool Streams, class D>
struct bf16_pair_step {
  static constexpr std::size_t width = 2 * hn::MaxLanes(D());

  static HWY_INLINE void add(const std::uint16_t* from, std::uint16_t* to, const float* row) {
    constexpr std::size_t lanes = hn::MaxLanes(D());
    const hn::Repartition<std::uint16_t, D> dh;
    const auto low = sum(from, row), high = sum(from + lanes, row + lanes);
    put<Streams>(dh, hn::ConcatOdd(dh, hn::BitCast(dh, high), hn::BitCast(dh, low)), to);
  }

 private:
  static HWY_INLINE auto sum(const std::uint16_t* from, const float* row) {
    const typename Format::template memory<D> dm;
    return Format::round(D(), hn::Add(Format::widen(D(), hn::LoadU(dm, from)), hn::LoadU(D(), row)));
  }
};

#endif

/// Adds from channel `at` on: vectors of the target's full width, then narrower ones for the remainder.
template <class Format, bool Streams, std::size_t Cap>
HWY_INLINE void add_from(const typename Format::stored* from, typename Format::stored* to,
                         const typename Format::lane* row, std::size_t channels, std::size_t at) {
  using step = add_step<Format, Streams, hn::CappedTag<typename Format::lane, Cap>>;
  for (; at + step::width <= channels; at += step::width) step::add(from + at, to + at, row + at);
  if constexpr (step::width > 1)
    if (at < channels) add_from<Format, false, step::width / 2>(from, to, row, channels, at);
}

/// Adds to one head.
template <class Format, bool Streams>
HWY_INLINE void add_head(const typename Format::stored* from, typename Format::stored* to,
                         const typename Format::lane* row, std::size_t channels) {
  std::size_t at = 0;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (std::is_base_of_v<bf16_format, Format>) {
    using step = bf16_pair_step<Format, Streams, hn::CappedTag<float, 16>>;
    for (; at + step::width <= channels; at += step::width) step::add(from + at, to + at, row + at);
  }
#endif
  add_from<Format, Streams, 16>(from, to, row, channels, at);
}

/// Beyond the second-level cache, memory bounds the time: more vectors per round and 64-byte loads of 16-bit
/// elements gained nothing, and prefetches of tables above 2 MiB lost. Within that cache, conversions and
/// additions saturate their ports on a Zen 5: six per 32 elements of binary16.
template <class Format, bool Streams>
void add_rows(const added_runs& runs) {
  using stored = typename Format::stored;
  const std::byte *from = runs.from, *row = runs.row;
  std::byte* to = runs.to;
  for (std::int64_t head = 0; head < runs.heads; ++head) {
    add_head<Format, Streams>(reinterpret_cast<const stored*>(from), reinterpret_cast<stored*>(to),
                              reinterpret_cast<const typename Format::lane*>(row), runs.channels);
    from += runs.from_stride;
    to += runs.to_stride;
    row += runs.row_stride;
  }
}

}  // namespace ropewalk::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
