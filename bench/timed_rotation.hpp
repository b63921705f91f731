#pragma once
// Times one kernel on one tensor against a memcpy of the same bytes, together with the kernel's measured
// error.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "bench/benchmark_case.hpp"
#include "bench/page_buffer.hpp"
#include "bench/rotation.hpp"
#include "verify/kernel_choice.hpp"

namespace ropewalk::bench {

struct rotation_case {
  verify::chosen_kernel kernel;
  ropewalk_dtype dtype;
  std::shared_ptr<const measured_rotation> measured;
  std::int64_t tokens;
  std::uint32_t flags = 0;
  bool in_place = false;
  bool decodes = false;  // one token, at a new position in each call
};

/// Memory and call of a case. Positions are those on axes, or counted from 0; in decoding, they increase from
/// call to call.
class rotation_work {
 public:
  explicit rotation_work(const rotation_case& rotation);
  rotation_work(const rotation_work&) = delete;
  rotation_work& operator=(const rotation_work&) = delete;

  /// throws  std::runtime_error with the kernel's error text
  void turn() {
    if (decodes_) position_ = position_ % last_position + 1;
    planned_.apply(call_);
  }
  /// Copies the input to the output.
  void copy();

  const planned_kernel& planned() const { return planned_; }
  const ropewalk_rotation_call& call() const { return call_; }
  const std::byte* input() const { return from_.data(); }
  const std::byte* output() const { return to_.data(); }
  std::size_t bytes() const { return bytes_; }
  std::size_t key_offset() const { return key_offset_; }  // bytes from the query's first to the key's
  std::int32_t first_position() const { return decodes_ ? position_ : 0; }

 private:
  static constexpr std::int32_t last_position = 8000;  // for decoding; inside `often`

  bool decodes_;
  std::size_t bytes_;
  std::size_t key_offset_;
  page_buffer from_;
  page_buffer to_;
  planned_kernel planned_;
  ropewalk_rotation_call call_;
  std::int32_t position_ = 0;
};

/// The row of a case: name, shape, bytes and role, without times.
measure::bench_row row_of(std::string_view group, const rotation_case& rotation);

/// Why the kernel's limits exclude the case; empty if they do not.
std::string not_served(const rotation_case& rotation);

/// Errors of the case's kernel, measured once per kernel, dtype and encoding.
std::vector<measure::error_below> errors_of(const rotation_case& rotation);

/// Adds a case. The memcpy copies between two tensors even if the case is in place.
void add_rotation(case_list& to, std::string_view group, const rotation_case& rotation);

}  // namespace ropewalk::bench
