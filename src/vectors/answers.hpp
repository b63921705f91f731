#pragma once
// Kernels' answers to the calls of a group, and the errors that promises allow.

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

/// A kernel with the encoding of a group, ready for calls.
class asked_kernel {
 public:
  /// The kernel must outlive this object.
  ///
  /// throws  std::invalid_argument naming a field
  asked_kernel(const ropewalk_kernel& kernel, const promise& promised, const call_group& group);

  bool serves(const law_case& call) const;

  /// The kernel's output in the layout of call.query.
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

/// Fills a group's cases with the canonical outputs.
void answer_canonically(call_group& group);

/// Largest distance of an output from the canonical one under a promise: |observed - expected| is at most
/// (relative + per_position[pair] |position|) size + absolute. For a rotation, distance and `size` are norms
/// of a pair of the output and of the input. For an addition, the distance is that of an element, and `size`
/// is |x| + |added number|.
struct allowed_error {
  promise value{};
  double relative = 0;
  std::vector<double> per_position{};  // by pair; empty if the error does not grow
  double absolute = 0;

  /// The factor of `size` for a pair at a position.
  double relative_at(int pair, double position) const;
};

/// Largest distance of a table's entries from the expected ones under a promise. For pairs of cosine and
/// sine, in the Euclidean norm of the pair: relative + per_position[pair] |position|, in units of 1. For
/// single entries: relative x |expected| + absolute.
struct allowed_entries {
  std::vector<std::pair<int, int>> columns{};  // columns of cosine and sine, by pair; empty: single entries
  std::vector<allowed_error> errors{};
};

/// The promises that bound the entries of a group; none if its cases are single entries of a row.
allowed_entries allowed_errors(const entry_group& group);

/// The promises that bound a group's errors. The numbers include the kernel's error and the rounding of the
/// expected output.
std::vector<allowed_error> allowed_errors(const call_group& group);

}  // namespace ropewalk::vectors
