#pragma once
// The promises that a kernel may make, by their names, and the parts of kernel.h that each stands for.

#include <optional>
#include <string>
#include <string_view>

#include "ropewalk/config/closed_set.hpp"
#include "ropewalk/kernel/kernel.h"

namespace ropewalk {

/// The promises, the strictest first.
enum class promise { exact, canonical, rounded_table, dtype_table, angle_f32 };

/// Names and parts of one promise.
struct promise_description {
  promise value{};
  std::string_view name;  // on the command line
  std::string_view statement;
  ropewalk_promise parts;
};

namespace detail {

/// A rotation whose parts are rounded, in any order of operations.
constexpr ropewalk_promise bounded_by(ropewalk_part angle, ropewalk_part table, ropewalk_part rotation) {
  return {.struct_size = sizeof(ropewalk_promise),
          .bits = ROPEWALK_BOUNDED,
          .frequency = ROPEWALK_UNROUNDED,
          .angle = angle,
          .table = table,
          .rotation = rotation,
          .is_fused = 1,
          .entry = ROPEWALK_PART_F32,
          .sum = ROPEWALK_PART_F32};
}

constexpr ropewalk_promise all_bits(ropewalk_bits bits) {
  ropewalk_promise r{};
  r.struct_size = sizeof(ropewalk_promise);
  r.bits = bits;
  return r;
}

}  // namespace detail

/// Each promise once; a promise is added here and in bound.hpp.
inline constexpr promise_description promises[] = {
    {promise::exact, "exact", "every output is the exact value rounded once",
     detail::all_bits(ROPEWALK_EXACT)},
    {promise::canonical, "canonical", "the canonical operation's bits, for every input",
     detail::all_bits(ROPEWALK_CANONICAL)},
    {promise::rounded_table, "rounded-table",
     "cosine and sine correctly rounded to binary32, then any order of operations",
     detail::bounded_by(ROPEWALK_UNROUNDED, ROPEWALK_PART_F32, ROPEWALK_PART_F32)},
    {promise::dtype_table, "dtype-table", "cosine and sine rounded to the data's format",
     detail::bounded_by(ROPEWALK_UNROUNDED, ROPEWALK_PART_DATA, ROPEWALK_PART_DATA)},
    {promise::angle_f32, "angle-f32",
     "the angle formed in binary32, everything else as well as rounded-table",
     detail::bounded_by(ROPEWALK_PART_F32, ROPEWALK_PART_F32, ROPEWALK_PART_F32)}};

inline constexpr promise last_promise = promise::angle_f32;

/// Name, statement and parts of a promise.
constexpr const promise_description& description_of(promise of) { return promises[static_cast<int>(of)]; }
/// The promise as the command line spells it.
constexpr std::string_view name_of(promise of) { return description_of(of).name; }

/// Whether a kernel that keeps it gives one right answer, in bits.
constexpr bool promises_bits(promise of) { return description_of(of).parts.bits != ROPEWALK_BOUNDED; }

/// Whether the error that it allows grows with the position.
constexpr bool grows_with_position(promise of) {
  const ropewalk_promise& parts = description_of(of).parts;
  return parts.angle != ROPEWALK_UNROUNDED || parts.frequency != ROPEWALK_UNROUNDED;
}

/// Whether products and sums of a rotation may be rounded to the data's own format.
constexpr bool rotates_in_dtype(promise of) {
  return description_of(of).parts.rotation == ROPEWALK_PART_DATA;
}

/// visit(member<of>{}).
template <class Visit>
constexpr decltype(auto) visit_promise(promise of, Visit&& visit) {
  return visit_member<last_promise>(of, visit);
}

/// The promise that a name stands for; nothing where there is none.
constexpr std::optional<promise> promise_named(std::string_view name) {
  for (const promise_description& one : promises)
    if (one.name == name) return one.value;
  return std::nullopt;
}

/// "exact, canonical, ...": the names that a message lists as allowed.
inline std::string promise_names() {
  std::string names;
  for (const promise_description& one : promises)
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

/// The promise that a kernel makes; nothing where its parts have no name. Parts of the other kind of
/// operation are ignored.
constexpr std::optional<promise> promise_of(const ropewalk_kernel& kernel) {
  const ropewalk_promise& parts = *kernel.promise;
  for (const promise_description& one : promises) {
    const ropewalk_promise& p = one.parts;
    const bool is_same_rotation = parts.frequency == p.frequency && parts.angle == p.angle &&
                                  parts.table == p.table && parts.rotation == p.rotation &&
                                  parts.is_fused == p.is_fused;
    const bool is_same_sum = parts.entry == p.entry && parts.sum == p.sum;
    const bool is_same = kernel.operation == ROPEWALK_ROTATE ? is_same_rotation : is_same_sum;
    if (parts.bits == p.bits && (p.bits != ROPEWALK_BOUNDED || is_same)) return one.value;
  }
  return std::nullopt;
}

}  // namespace ropewalk
