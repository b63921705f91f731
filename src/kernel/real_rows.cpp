#include "kernel/real_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "kernel/quarter_turn.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk {
namespace {

using exact_turns = enclosure<rope_rows::limb_count>;
using binary64 = format<double>;

/// The exponent of the first group: that of the smallest position's last bit, rounded down to a whole group.
constexpr int lowest_exponent = -1080;

/// The power of two that scales small turns: the largest position of the group then turns by 1/16 to 1/8,
/// which needs no whole turns, and the phase keeps its upper bits.
int scale_of(const exact_turns& turns) {
  constexpr int eighth_turn = -3;
  return std::max(0, eighth_turn - quarter_turn::real_bits - top_exponent(turns.midpoint));
}

/// Whether a number is a multiple of 2^-64.
bool is_multiple_of_unit(const dyadic<rope_rows::limb_count>& x) {
  const int below = -64 - x.exponent;  // bits of the significand below 2^-64
  constexpr int bits = limb_bits * rope_rows::limb_count;
  return below <= 0 || (below < bits && !any_bit_below(x.significand, below));
}

/// Sets one lane to turns per 2^exponent of the position. Phases are exact if these are a multiple of a unit.
void set_lane(simd::real_turn_block& block, int lane, const exact_turns& turns) {
  block.quarters[lane] = 0x1p-62;
  if (is_exact(turns) && is_zero(turns.midpoint)) return;  // never turns: all words and the error are 0
  const int scale = scale_of(turns);
  const exact_turns scaled = times_power_of_two(turns, scale);
  const rounded_fraction<4> fraction = round_fraction<4>(scaled);
  if (!fraction.decided || scale > quarter_turn::most_real_scale) {
    block.phase_error[lane] = std::numeric_limits<double>::infinity();
    return;
  }
  for (std::size_t word = 0; word < 4; ++word) block.word[word][lane] = fraction.bits[word];
  const double power =
      from_bits<double>(static_cast<std::uint64_t>(binary64::bias - scale) << (binary64::precision - 1));
  block.quarters[lane] *= power;
  const bool is_exact_phase = is_exact(scaled) && is_multiple_of_unit(scaled.midpoint);
  block.phase_error[lane] = is_exact_phase ? 0 : quarter_turn::real_phase_error * power;
}

}  // namespace

real_rows::real_rows(const rotation_plan& plan, const fast_rows& rows)
    : plan_(&plan), rows_(&rows), axes_(static_cast<std::size_t>(plan.axes)) {
  for (int pair = 0; pair < plan.layout.pairs(); ++pair) {
    rows_of_axis& axis = axes_[static_cast<std::size_t>(plan.axis[static_cast<std::size_t>(pair)])];
    if (axis.pairs.empty()) turning_axes_.push_back(plan.axis[static_cast<std::size_t>(pair)]);
    if (axis.turns == nullptr) axis.turns = std::make_unique<known_turns[]>(exponent_groups);
    axis.pairs.push_back(pair);
    const exact_turns& turns = plan.rows.turns(pair);
    has_exact_turns_ = has_exact_turns_ || (is_exact(turns) && !is_zero(turns.midpoint));
  }
}

real_rows::~real_rows() {
  for (const rows_of_axis& axis : axes_)
    if (axis.turns != nullptr)
      for (const known_turns& turns : std::span(axis.turns.get(), std::size_t{exponent_groups}))
        delete turns.load();
}

const real_rows::turns_of_group& real_rows::turns_of(int axis, int group) const {
  known_turns& known = axes_[static_cast<std::size_t>(axis)].turns[static_cast<std::size_t>(group)];
  if (const turns_of_group* turns = known.load(std::memory_order_acquire)) return *turns;
  const std::vector<int>& pairs = pairs_of(axis);
  const auto blocks = static_cast<std::size_t>(simd::padded_to_blocks(static_cast<int>(pairs.size()))) /
                      std::size_t{simd::block_pairs};
  auto made = std::make_unique<turns_of_group>(blocks);
  for (std::size_t index = 0; index < pairs.size(); ++index)
    set_lane(
        (*made)[index / simd::block_pairs], static_cast<int>(index % simd::block_pairs),
        times_power_of_two(plan_->rows.turns(pairs[index]), lowest_exponent + (group << log2_exponents)));
  const turns_of_group* first = nullptr;
  if (known.compare_exchange_strong(first, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *first;  // another thread was faster
}

template <class Float>
void real_rows::decide_exactly(int axis, double position, bool unit, std::size_t index, Float* cos,
                               Float* sin) const {
  const cos_sin_bits<Float> entry = plan_->rows.entry<Float>(pairs_of(axis)[index], position, unit);
  cos[index] = from_bits<Float>(entry.cos);
  sin[index] = from_bits<Float>(entry.sin);
}

real_rows::source real_rows::source_of(int axis, double position, bool unit) const {
  static_assert(lowest_exponent <= binary64::smallest_ulp_exponent &&
                lowest_exponent % (1 << log2_exponents) == 0);
  static_assert(binary64::precision + (1 << log2_exponents) - 1 == quarter_turn::real_bits);
  const decoded parts = decode<double>(to_bits(position));
  const int above = parts.exponent - lowest_exponent, within = above & ((1 << log2_exponents) - 1);
  const turns_of_group& turns = turns_of(axis, above >> log2_exponents);
  return {{turns.data(), static_cast<int>(pairs_of(axis).size()), unit ? 1 : rows_->factor_},
          {parts.significand << within, parts.negative}};
}

int real_rows::try_row(int axis, double position, bool unit, float* cos, float* sin,
                       std::uint16_t* undecided) const {
  const int pairs = static_cast<int>(pairs_of(axis).size());
  const bool is_zero = position == 0;
  if (is_zero && (unit || rows_->knows_still_cos_)) {
    std::fill_n(cos, pairs, rows_->still_cos_[unit]);
    std::fill_n(sin, pairs, 0.0f);
    return 0;
  }
  if (is_zero || !rows_->has_vectors(unit)) {
    std::iota(undecided, undecided + pairs, std::uint16_t{0});
    return pairs;
  }
  const source from = source_of(axis, position, unit);
  return rows_->target().real_row(from.turns, from.magnitude, cos, sin, undecided);
}

int real_rows::row(int axis, double position, bool unit, float* cos, float* sin,
                   std::uint16_t* undecided) const {
  const int listed = try_row(axis, position, unit, cos, sin, undecided);
  for (int i = 0; i < listed; ++i) decide_exactly(axis, position, unit, undecided[i], cos, sin);
  return listed;
}

int real_rows::row(int axis, double position, bool unit, double* cos, double* sin, std::uint16_t*) const {
  const std::size_t pairs = pairs_of(axis).size();
  for (std::size_t index = 0; index < pairs; ++index) decide_exactly(axis, position, unit, index, cos, sin);
  return static_cast<int>(pairs);
}

}  // namespace ropewalk
