#pragma once
// The tokens of a call, and copies of their elements between a strided view and dense memory.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "ropewalk/kernel/call.hpp"

namespace ropewalk {

inline std::vector<token_place> places_of(const checked_call& call) {
  std::vector<token_place> places;
  places.reserve(static_cast<std::size_t>(call.end - call.begin));
  for_each_token(call, [&](const token_place& place) { places.push_back(place); });
  return places;
}

/// Whole positions.
///
/// shape   [axes, places]
inline std::vector<std::int32_t> positions_of(std::span<const token_place> places, int axes) {
  std::vector<std::int32_t> positions;
  positions.reserve(places.size() * static_cast<std::size_t>(axes));
  for (int axis = 0; axis < axes; ++axis)
    for (const token_place& place : places)
      positions.push_back(static_cast<std::int32_t>(place.position(axis)));
  return positions;
}

/// The same for real positions.
inline std::vector<double> real_positions_of(std::span<const token_place> places, int axes) {
  std::vector<double> positions;
  positions.reserve(places.size() * static_cast<std::size_t>(axes));
  for (int axis = 0; axis < axes; ++axis)
    for (const token_place& place : places) positions.push_back(place.real_position(axis));
  return positions;
}

/// The view of heads first, ..., first + count - 1 of every token.
inline tensor_view heads_of(tensor_view view, std::int64_t first, std::int64_t count) {
  view.data = view.head(0, 0, first);
  view.shape[2] = count;
  return view;
}

/// Bytes of one token in dense memory.
inline std::size_t token_bytes(const tensor_view& view) {
  return static_cast<std::size_t>(view.heads() * view.channels() * size_of(view.dtype));
}

namespace detail {

/// Visits each run of bytes that is contiguous in the view: visit(address in the view, offset in dense
/// memory, bytes).
template <class Visit>
void for_each_run(const tensor_view& view, std::span<const token_place> places, Visit visit) {
  const std::int64_t element = size_of(view.dtype), channels = view.channels();
  const bool is_together = channels == 1 || view.stride[3] == element;
  const std::int64_t runs = is_together ? 1 : channels;
  const auto bytes = static_cast<std::size_t>(is_together ? channels * element : element);
  std::size_t dense = 0;
  for (const token_place& place : places)
    for (std::int64_t head = 0; head < view.heads(); ++head) {
      std::byte* const from = view.head(place.row, place.token, head);
      for (std::int64_t run = 0; run < runs; ++run, dense += bytes)
        visit(from + run * view.stride[3], dense, bytes);
    }
}

}  // namespace detail

/// Copies the tokens' elements from a view to dense memory.
///
/// shape   to [places, heads, channels]
inline void gather(const tensor_view& from, std::span<const token_place> places, std::byte* to) {
  detail::for_each_run(from, places, [&](const std::byte* run, std::size_t dense, std::size_t bytes) {
    std::memcpy(to + dense, run, bytes);
  });
}

/// Copies the tokens' elements from dense memory to a view.
///
/// shape   from [places, heads, channels]
inline void scatter(const std::byte* from, std::span<const token_place> places, const tensor_view& to) {
  detail::for_each_run(to, places, [&](std::byte* run, std::size_t dense, std::size_t bytes) {
    std::memcpy(run, from + dense, bytes);
  });
}

}  // namespace ropewalk
