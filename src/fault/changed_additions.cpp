// Wrong additions: the entry of another position, with another sign or rounding, or no entry at all.

#include <bit>
#include <string>
#include <utility>

#include "fault/addition_steps.hpp"
#include "fault/known_faults.hpp"
#include "fault/position_map.hpp"
#include "ropewalk/encoding/alibi.hpp"

namespace ropewalk::fault {
namespace {

enum class addition_change {
  none,
  position_is_index,
  position_of_first_row,
  position_of_last_row,
  position_of_first_token,
  entry_negated,
  nothing_added,
  entry_in_dtype,
  entry_alone,
  results_flushed,
  nothing_written
};

struct changed_addition_steps : addition_steps {
  addition_change change = addition_change::none;
  position_map map{};
  bool of_real_positions = false;  // the map applies only to real positions

  template <class Call>
  bool accepts(const Call& /*call*/) const {
    return change == addition_change::nothing_written;
  }

  std::int64_t position(const checked_call& call, const token_place& place) const {
    const auto at = [&](std::int64_t row, std::int64_t token) {
      return call.positions == nullptr
                 ? place.position()
                 : call.positions[row * call.position_stride[1] + token * call.position_stride[2]];
    };
    if (change == addition_change::position_is_index) return place.token;
    if (change == addition_change::position_of_first_row) return at(0, place.token);
    if (change == addition_change::position_of_last_row) return at(call.query.in.batch() - 1, place.token);
    if (change == addition_change::position_of_first_token) return at(place.row, 0);
    return of_real_positions ? place.position() : map(place.position()).value_or(0);
  }

  double real_position(const checked_call& call, const token_place& place) const {
    const auto at = [&](std::int64_t row, std::int64_t token) {
      return call.real_positions[row * call.position_stride[1] + token * call.position_stride[2]];
    };
    if (change == addition_change::position_is_index) return static_cast<double>(place.token);
    if (change == addition_change::position_of_first_row) return at(0, place.token);
    if (change == addition_change::position_of_last_row) return at(call.query.in.batch() - 1, place.token);
    if (change == addition_change::position_of_first_token) return at(place.row, 0);
    return map.real(place.real_position()).value_or(0);
  }

  template <floating_format Float>
  bits_of<Float> sum(bits_of<Float> x, bits_of<rotation_format<Float>> entry) const {
    using wide = rotation_format<Float>;
    if (change == addition_change::nothing_added) return x;
    if (change == addition_change::entry_alone) return convert<Float, wide>(entry);
    if (change == addition_change::entry_negated) entry = negate<wide>(entry);
    if (change == addition_change::entry_in_dtype) entry = convert<wide, Float>(convert<Float, wide>(entry));
    const bits_of<Float> y = add_entry<Float>(x, entry);
    constexpr auto smallest_normal =
        static_cast<bits_of<Float>>(bits_of<Float>{1} << (format<Float>::precision - 1));
    const bool is_flushed =
        change == addition_change::results_flushed && magnitude<Float>(y) < smallest_normal;
    return is_flushed ? static_cast<bits_of<Float>>(y & format<Float>::sign_bit) : y;
  }
};

/// Slopes rounded to a format.
template <floating_format Format>
struct rounded_slope_steps : addition_steps {
  void form(bias_plan& plan) {
    for (auto& slope : plan.slopes) {
      const double rounded = from_bits<double>(convert<double, Format>(round<Format>(slope).bits));
      slope = detail::resolved_number::of(rounded);
    }
  }
};

/// Slopes of the next power of two as the number of heads; the first ones are used.
struct slopes_of_more_heads_steps : addition_steps {
  void form(bias_plan& plan) {
    const alibi more{.heads = static_cast<int>(std::bit_ceil(plan.slopes.size()))};
    for (std::size_t head = 0; head < plan.slopes.size(); ++head)
      plan.slopes[head] = alibi_slope<rope_rows::limb_count>(static_cast<int>(head), more);
  }
};

/// Slopes of the power of two below the number of heads, repeated.
struct slopes_of_fewer_heads_steps : addition_steps {
  void form(bias_plan& plan) {
    const std::size_t fewer = std::bit_floor(plan.slopes.size());
    for (std::size_t head = fewer; head < plan.slopes.size(); ++head)
      plan.slopes[head] = plan.slopes[head - fewer];
  }
};

}  // namespace

ropewalk_kernel faultless_row_addition() {
  return row_kernel_with_steps<changed_addition_steps{}>("faultless-row-addition");
}

ropewalk_kernel faultless_bias_addition() {
  return bias_kernel_with_steps<changed_addition_steps{}>("faultless-bias-addition");
}

std::vector<known_fault> changed_additions() {
  std::vector<known_fault> additions;
  const auto add = [&]<changed_addition_steps steps>(const std::string& name, const std::string& sentence) {
    additions.push_back({row_kernel_with_steps<steps>(kept_name("fault-row-addition-" + name)), sentence});
    additions.push_back({bias_kernel_with_steps<steps>(kept_name("fault-bias-addition-" + name)), sentence});
  };
  const auto add_map = [&]<position_map map>(const std::string& name, const std::string& sentence) {
    if constexpr (map.change != position_change::in_binary16)  // binary16 overflows from 65520 on
      add.template operator()<changed_addition_steps{{}, addition_change::none, map}>("positions-" + name,
                                                                                      sentence);
  };
  for_each_position_map(add_map);
  [&]<int... powers>(std::integer_sequence<int, powers...>) {
    (for_each_length_map<least_position_power + powers>(add_map), ...);
  }
  (std::make_integer_sequence<int, most_position_power - least_position_power + 1>());
  for_each_real_position_map([&]<position_map map>(const std::string& name, const std::string& sentence) {
    additions.push_back({row_kernel_with_steps<changed_addition_steps{{}, addition_change::none, map, true}>(
                             kept_name("fault-row-addition-real-positions-" + name)),
                         sentence});
    additions.back().kernel.limits = &every_position_kind;
  });
  using enum addition_change;
  add.operator()<changed_addition_steps{{}, position_is_index}>(
      "index", "positions are not read: the token's index is taken for its position");
  add.operator()<changed_addition_steps{{}, position_of_first_row}>(
      "first-row", "every batch row is given the positions of the first");
  add.operator()<changed_addition_steps{{}, position_of_last_row}>(
      "last-row", "every batch row is given the positions of the last");
  add.operator()<changed_addition_steps{{}, position_of_first_token}>(
      "first-token", "every token of a batch row is given the position of the first");
  add.operator()<changed_addition_steps{{}, entry_negated}>("negated",
                                                            "the entry is added with the other sign");
  add.operator()<changed_addition_steps{{}, nothing_added}>("nothing", "nothing is added");
  add.operator()<changed_addition_steps{{}, entry_alone}>("entry-alone", "the entry is written, not added");
  add.operator()<changed_addition_steps{{}, entry_in_dtype}>(
      "in-dtype", "the entry is rounded to the data's format before it is added");
  add.operator()<changed_addition_steps{{}, results_flushed}>("flushed",
                                                              "subnormal results are flushed to zero");
  add.operator()<changed_addition_steps{{}, nothing_written}>("nothing-written",
                                                              "the output is never written");
  additions.push_back({bias_kernel_with<rounded_slope_steps<binary16>>("fault-slopes-f16"),
                       "the slopes are rounded to binary16"});
  additions.push_back({bias_kernel_with<rounded_slope_steps<bfloat16>>("fault-slopes-bf16"),
                       "the slopes are rounded to bfloat16"});
  additions.push_back({bias_kernel_with<slopes_of_more_heads_steps>("fault-slopes-of-more-heads"),
                       "the heads are counted up to a power of two: the slopes are those of so many heads"});
  additions.push_back({bias_kernel_with<slopes_of_fewer_heads_steps>("fault-slopes-of-fewer-heads"),
                       "heads beyond a power of two have the slopes of the first ones again"});
  return additions;
}

}  // namespace ropewalk::fault
