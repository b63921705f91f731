#pragma once
// Kernels with limits, and requests to verify them.

#include <atomic>
#include <cstdint>

#include "kernel/kernels.hpp"
#include "model/model.hpp"
#include "verify/verification.hpp"

namespace ropewalk::verify {

inline const std::atomic<bool> goes_on{false};

/// A kernel that serves positions 0 to 4, and answers all others with a status: by default, it declines them.
template <std::int32_t answer = ROPEWALK_UNSUPPORTED>
ropewalk_kernel five_positions(const ropewalk_limits* limits) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.name = "five-positions";
  kernel.limits = limits;
  kernel.apply = [](const ropewalk_plan* plan, const ropewalk_head* head,
                    ropewalk_error* error) -> std::int32_t {
    ropewalk_error refused{};
    const std::int32_t status = cpu_table_kernel().apply(plan, head, error == nullptr ? &refused : error);
    if (status != ROPEWALK_OK) return status;
    const auto call = read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
    const ropewalk_positions& at = call.tokens.positions;
    const auto* numbers = static_cast<const std::int32_t*>(at.data);
    const bool has_rows = call.query_in.rank == 4;
    const std::int64_t batch = has_rows ? call.query_in.shape[0] : 1;
    const std::int64_t tokens = call.query_in.shape[has_rows ? 1 : 0];
    for (std::int64_t b = 0; at.kind == ROPEWALK_POSITIONS_I32 && numbers != nullptr && b < batch; ++b)
      for (std::int64_t t = 0; t < tokens; ++t) {
        const std::int32_t position = numbers[b * at.stride[1] + t * at.stride[2]];
        if (position < 0 || position > 4) return answer;
      }
    return ROPEWALK_OK;
  };
  return kernel;
}

inline verification asked_of(const ropewalk_kernel& kernel) {
  verification request;
  request.models.push_back({model::catalogue_model("gpt-neox-20b"), "--model gpt-neox-20b"});
  request.kernels.push_back({{&kernel, "library"}, "library", promise::canonical});
  request.kernels_are_named = true;
  request.dtypes = {ROPEWALK_F32};
  request.cases = 40;
  request.allows_cut = true;
  request.quiet = true;
  return request;
}

}  // namespace ropewalk::verify
