#pragma once
// Kernels' answers to the calls of a group, and what promises allow there.

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/addition/checked_addition.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "vectors/pack.hpp"

namespace ropewalk::vectors {

/// A kernel with the encoding of a group.
class asked_kernel {
 public:
  /// The kernel outlives this object.
  ///
  /// throws  std::invalid_argument naming a field
  asked_kernel(const ropewalk_kernel& kernel, const promise& promised, const call_group& group);

  bool serves(const law_case& call) const;

  /// The kernel's output, laid out as call.query.
  ///
  /// throws  kernel_trouble
  std::vector<std::uint64_t> answer(const law_case& call) const;

  /// Null for additions.
  const checked_rotation* rotation() const;

 private:
  std::variant<std::unique_ptr<checked_rotation>, std::unique_ptr<checked_addition>> held_;
};

ropewalk_operation operation_of(const call_group& group);

/// A canonical kernel that serves every call of an operation.
const ropewalk_kernel& canonical_kernel_for(ropewalk_operation operation);

/// Puts the canonical outputs into a group's cases.
void answer_canonically(call_group& group);

/// How far an output may lie from the canonical one under a promise: |observed - expected| is at most
/// (relative + per_position[pair] |position|) size + absolute. Of a rotation that is the norm of a pair, and
/// `size` that of its input; of an addition an element, and `size` is |x| + |what is added|.
struct allowed_error {
  promise value{};
  double relative = 0;
  std::vector<double> per_position{};  // of each pair; empty where the error does not grow
  double absolute = 0;

  /// The factor of `size` for a pair at a position.
  double relative_at(int pair, double position) const;
};

/// How far entries of a table may lie from the expected ones under a promise. Of pairs of cosine and sine, in
/// the Euclidean norm of the pair: relative + per_position[pair] |position|, in units of 1. Of single
/// entries: relative x |expected| + absolute.
struct allowed_entries {
  std::vector<std::pair<int, int>> columns{};  // of cosine and sine of each pair; empty: single entries
  std::vector<allowed_error> errors{};
};

/// The promises that bound the entries of a group; none where its cases are single entries of a row.
allowed_entries allowed_errors(const entry_group& group);

/// What the promises allow that bound a group's errors. Both the kernel's error and the rounding of the
/// expected output are in the numbers.
std::vector<allowed_error> allowed_errors(const call_group& group);

}  // namespace ropewalk::vectors
