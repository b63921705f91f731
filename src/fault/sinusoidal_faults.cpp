// The sinusoidal encoding: wrong rows, and correct rows that are added wrongly.

#include <algorithm>

#include "fault/addition_steps.hpp"
#include "fault/faults.hpp"

namespace ropewalk::fault {
namespace {

// Rows of the next position: positions counted from 1.
struct sinusoidal_off_by_one_steps : addition_steps {
  std::int64_t position(const checked_call&, const token_place& place) const { return place.position() + 1; }
  double real_position(const checked_call&, const token_place& place) const {
    return place.real_position() + 1;
  }
};

// Rows of the next position, if positions are real; whole positions are correct.
struct sinusoidal_real_off_by_one_steps : addition_steps {
  double real_position(const checked_call&, const token_place& place) const {
    return place.real_position() + 1;
  }
};

// Sines and cosines exchanged.
struct sinusoidal_swapped_steps : addition_steps {
  void form(row_plan& plan) { plan.cosine_first = !plan.cosine_first; }
};

// Positions of the first batch row used for every batch row.
struct sinusoidal_batch_row_steps : addition_steps {
  std::int64_t position(const checked_call& call, const token_place& place) const {
    return call.positions == nullptr ? place.position()
                                     : call.positions[place.token * call.position_stride[2]];
  }
  double real_position(const checked_call& call, const token_place& place) const {
    return call.real_positions[place.token * call.position_stride[2]];
  }
};

// The last channel of an odd width is written as zero, not copied.
struct sinusoidal_rest_zeroed_steps : addition_steps {
  template <floating_format Float>
  void after_head(const bits_of<Float>*, bits_of<Float>* after, std::int64_t added,
                  std::int64_t width) const {
    std::fill(after + added, after + width, bits_of<Float>{0});
  }
};

// A NaN in one channel makes the next channel NaN.
struct sinusoidal_nan_spreads_steps : addition_steps {
  template <floating_format Float>
  void after_head(const bits_of<Float>* before, bits_of<Float>* after, std::int64_t added,
                  std::int64_t) const {
    for (std::int64_t i = 0; i + 1 < added; ++i)
      if (is_nan<Float>(before[i])) after[i + 1] = format<Float>::quiet_nan;
  }
};

// The row rounded to the data's format before it is added.
struct sinusoidal_row_in_dtype_steps : addition_steps {
  template <floating_format Float>
  bits_of<Float> sum(bits_of<Float> x, bits_of<rotation_format<Float>> entry) const {
    using wide = rotation_format<Float>;
    return add_entry<Float>(x, convert<wide, Float>(convert<Float, wide>(entry)));
  }
};

// A range of tokens that ends before it begins is accepted by a kernel that adds, with no effect.
struct sinusoidal_any_range_steps : addition_steps {
  template <class Call>
  bool accepts(const Call& call) const {
    return call.tokens.begin > call.tokens.end;
  }
};

}  // namespace

ropewalk_kernel sinusoidal_off_by_one() {
  return row_kernel_with<sinusoidal_off_by_one_steps>("fault-sinusoidal-off-by-one");
}

ropewalk_kernel sinusoidal_real_off_by_one() {
  ropewalk_kernel real =
      row_kernel_with<sinusoidal_real_off_by_one_steps>("fault-sinusoidal-real-off-by-one");
  real.limits = &every_position_kind;
  return real;
}

ropewalk_kernel sinusoidal_swapped() {
  return row_kernel_with<sinusoidal_swapped_steps>("fault-sinusoidal-swapped");
}

ropewalk_kernel sinusoidal_batch_row() {
  return row_kernel_with<sinusoidal_batch_row_steps>("fault-sinusoidal-batch-row");
}

ropewalk_kernel sinusoidal_rest_zeroed() {
  return row_kernel_with<sinusoidal_rest_zeroed_steps>("fault-sinusoidal-rest-zeroed");
}

ropewalk_kernel sinusoidal_nan_spreads() {
  return row_kernel_with<sinusoidal_nan_spreads_steps>("fault-sinusoidal-nan-spreads");
}

ropewalk_kernel sinusoidal_row_in_dtype() {
  return row_kernel_with<sinusoidal_row_in_dtype_steps>("fault-sinusoidal-row-in-dtype");
}

ropewalk_kernel sinusoidal_any_range() {
  return row_kernel_with<sinusoidal_any_range_steps>("fault-sinusoidal-any-range");
}

}  // namespace ropewalk::fault
