#include "kernel/fast_rows.hpp"

#include <algorithm>
#include <limits>

#include "kernel/quarter_turn.hpp"
#include "kernel/row_space.hpp"
#include "ropewalk/table/turns_table.hpp"

namespace ropewalk {
namespace {

/// Turns as the vectors take them. A pair that stands still has no phase to be wrong about; one whose 96 bits are not known
/// has an error that leaves every entry to exact arithmetic.
std::vector<simd::turn_block> turn_blocks(const rope_rows& rows) {
  const int pairs = rows.pairs();
  std::vector<simd::turn_block> r(static_cast<std::size_t>(simd::padded(pairs) / simd::block_pairs));
  for (int pair = 0; pair < pairs; ++pair) {
    simd::turn_block& block = r[static_cast<std::size_t>(pair / simd::block_pairs)];
    const int lane = pair % simd::block_pairs;
    const enclosure<rope_rows::limb_count>& turns = rows.turns(pair);
    const rounded_fraction<3> fraction = round_fraction<3>(turns);
    block.low[lane] = fraction.bits[0];
    block.middle[lane] = fraction.bits[1];
    block.high[lane] = fraction.bits[2];
    const bool stands_still = is_exact(turns) && is_zero(turns.midpoint);
    block.phase_error[lane] = stands_still       ? 0
                              : fraction.decided ? quarter_turn::phase_error
                                                 : std::numeric_limits<double>::infinity();
  }
  return r;
}

}  // namespace

fast_rows::fast_rows(const rotation_plan& plan, const simd::target& target)
    : plan_(&plan),
      target_(&target),
      blocks_(turn_blocks(plan.rows)),
      factor_(plan.attention_factor),
      factor_fits_(factor_ >= quarter_turn::smallest_factor && factor_ <= quarter_turn::largest_factor) {
  for (const bool unit : {false, true})
    still_cos_[unit].assign(static_cast<std::size_t>(plan.rows.pairs()),
                            from_bits<float>(plan.rows.entry<float>(0, 0, unit).cos));
}

void fast_rows::row(std::int64_t position, bool unit, float* cos, float* sin,
                    std::uint16_t* undecided) const {
  const int pairs = plan_->rows.pairs();
  if (position == 0) {
    std::copy_n(still_cos_[unit].data(), pairs, cos);
    std::fill_n(sin, pairs, 0.0f);
    return;
  }
  int listed = pairs;
  if (unit || factor_fits_)
    listed = target_->row({blocks_.data(), pairs, unit ? 1 : factor_}, position, cos, sin, undecided);
  else
    for (int pair = 0; pair < pairs; ++pair) undecided[pair] = static_cast<std::uint16_t>(pair);
  for (int i = 0; i < listed; ++i) {
    const int pair = undecided[i];
    const cos_sin_bits<float> entry = plan_->rows.entry<float>(pair, position, unit);
    cos[pair] = from_bits<float>(entry.cos);
    sin[pair] = from_bits<float>(entry.sin);
  }
}

void fast_rows::row(std::int64_t position, bool unit, double* cos, double* sin, std::uint16_t*) const {
  for (int pair = 0; pair < plan_->rows.pairs(); ++pair) {
    const cos_sin_bits<double> entry = plan_->rows.entry<double>(pair, position, unit);
    cos[pair] = from_bits<double>(entry.cos);
    sin[pair] = from_bits<double>(entry.sin);
  }
}

void fast_rows::rows(position_range positions, bool unit, float* cos, float* sin) const {
  const auto pairs = static_cast<std::size_t>(plan_->rows.pairs());
  row_space<float> space(static_cast<int>(pairs));
  for (std::int64_t position = positions.begin; position < positions.end;
       ++position, cos += pairs, sin += pairs) {
    row(position, unit, space.cos(), space.sin(), space.undecided());
    std::copy_n(space.cos(), pairs, cos);
    std::copy_n(space.sin(), pairs, sin);
  }
}

void fast_rows::rows(position_range positions, bool unit, double* cos, double* sin) const {
  const std::size_t entries =
      static_cast<std::size_t>(size(positions)) * static_cast<std::size_t>(plan_->rows.pairs());
  std::vector<std::uint64_t> cos_bits(entries), sin_bits(entries);
  plan_->rows.rows<double>(positions, unit, cos_bits.data(), sin_bits.data());
  std::transform(cos_bits.begin(), cos_bits.end(), cos, from_bits<double>);
  std::transform(sin_bits.begin(), sin_bits.end(), sin, from_bits<double>);
}

}  // namespace ropewalk
