#include "transport/gathered_call.hpp"

#include <utility>

#include "ropewalk/kernel/bias_plan.hpp"
#include "ropewalk/kernel/encoding_check.hpp"
#include "ropewalk/kernel/row_plan.hpp"

namespace ropewalk::transport {

call_extent extent_of(const ropewalk_rotation& encoding) {
  check(encoding);
  return {encoding.head_dim, encoding.axes};
}

call_extent extent_of(const ropewalk_row_addition& encoding) {
  check(rotation_of(encoding));
  return {encoding.width, 1};
}

call_extent extent_of(const ropewalk_bias_addition& encoding) {
  const bias_plan checked(encoding);
  return {encoding.heads, 1};
}

checked_call checked(const ropewalk_rotation_call& call, const call_extent& extent) {
  return check(call, extent.channels, {.axes = extent.axes, .may_be_real = true});
}
checked_call checked(const ropewalk_row_call& call, const call_extent& extent) {
  return check(call, extent.channels, true);
}
checked_call checked(const ropewalk_bias_call& call, const call_extent& extent) {
  return check(call, static_cast<int>(extent.channels));
}

gathered_call::gathered_call(const checked_call& call, int axes)
    : call_(call), axes_(axes), places_(places_of(call)) {
  const bool is_whole = std::cmp_equal(places_.size(), call.query.in.batch() * call.tokens);
  batch_ = is_whole ? call.query.in.batch() : 1;
  tokens_ = is_whole ? call.tokens : static_cast<std::int64_t>(places_.size());
}

}  // namespace ropewalk::transport
