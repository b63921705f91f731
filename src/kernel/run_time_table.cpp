#include "kernel/run_time_table.hpp"

#include <type_traits>

namespace ropewalk {
namespace {

/// A plan whose exact rows come from the configuration instead of its resolved numbers, so that an undecided
/// entry can be computed with more limbs.
rotation_plan plan_of(const ropewalk_rotation& encoding, const placed_rope& config) {
  rotation_plan plan(encoding);
  plan.rows = rope_rows(config);
  return plan;
}

}  // namespace

run_time_table::run_time_table(const placed_rope& config)
    : resolved_(config, {.head_dim = config.encoding.rotary_dim}),
      plan_(plan_of(resolved_.view(), config)),
      fast_(plan_, *simd::targets().front()) {}

const wide_rows& run_time_table::wide() const {
  std::call_once(wide_made_, [&] { wide_ = std::make_unique<wide_rows>(plan_, fast_.target(), false); });
  return *wide_;
}

template <floating_format Float>
decided_entries run_time_table::fill(position_range positions, row_entry<Float>* cos,
                                     row_entry<Float>* sin) const {
  if constexpr (std::is_same_v<Float, double>) {
    wide_walk walk(wide());
    walk.rows(positions, cos, sin);
    return {walk.decided_by_sum(), 0, walk.decided_exactly()};
  } else {
    row_walk walk(fast_);
    walk.rows<Float>(positions, false, cos, sin);
    return walk.decided();
  }
}

#define ROPEWALK_FILL(Float)                                                                                 \
  template decided_entries run_time_table::fill<Float>(position_range, row_entry<Float>*, row_entry<Float>*) \
      const;
ROPEWALK_EACH_FORMAT(ROPEWALK_FILL)
#undef ROPEWALK_FILL

}  // namespace ropewalk
