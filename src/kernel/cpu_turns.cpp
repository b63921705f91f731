// The canonical rotation without a table: each token's row is computed from its integer phases.

#include <cstdint>

#include "kernel/call_rows.hpp"
#include "kernel/cpu_rotation.hpp"
#include "kernel/fast_rows.hpp"
#include "kernel/kernels.hpp"
#include "kernel/real_rows.hpp"
#include "kernel/targeted_kernel.hpp"
#include "ropewalk/kernel/turn_channels.hpp"

namespace ropewalk {
namespace {

constexpr ropewalk_limits narrow_data =
    with_every_pairing(with_real_positions(only_formats<float, binary16, bfloat16>()));

class cpu_turns {
 public:
  using operation = rotate;

  cpu_turns(const ropewalk_rotation& encoding, const simd::target& target)
      : plan_(encoding), target_(target), rows_(plan_, target), reals_(plan_, rows_) {}
  cpu_turns(const cpu_turns&) = delete;
  cpu_turns& operator=(const cpu_turns&) = delete;

  void apply(const ropewalk_rotation_call& call) const {
    const auto turn = [&](const checked_call& checked) {
      if (checked.dtype == ROPEWALK_F64)
        decline_field({checked.query.in.name, "dtype"},
                      "is 0 (f64); cpu-turns has binary32 rows: cpu-table serves binary64");
      call_rows rows(rows_, checked.unit);
      cpu_rotation<float, call_rows>(plan_, target_, rows, checked, &reals_).run();
    };
    turn_channels(call, plan_, turn, real_positions::served);
  }

 private:
  rotation_plan plan_;
  const simd::target& target_;
  fast_rows rows_;
  real_rows reals_;
};

}  // namespace

std::vector<ropewalk_kernel> cpu_turns_kernels() {
  return targeted_kernels<cpu_turns>("cpu-turns", &narrow_data);
}

}  // namespace ropewalk
