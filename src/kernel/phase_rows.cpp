#include "kernel/phase_rows.hpp"

#include <limits>

#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk {

std::uint32_t phase_rows::fill(position_range positions, double relative_reach, float* cos,
                               float* sin) const {
  const int rows = static_cast<int>(size(positions));
  if (!rows_->has_vectors(false)) return ~std::uint32_t{0} >> (most_rows - rows);
  const std::uint32_t undecided =
      rows_->target().rows_by_phase(rows_->source(false), relative_reach, positions.begin, rows, cos, sin);
  const bool has_zero = positions.begin <= 0 && positions.end > 0;
  return has_zero ? undecided | std::uint32_t{1} << -positions.begin : undecided;
}

void phase_rows::values(std::int64_t position, double* cos, double* sin) const {
  rows_->target().seed(rows_->source(false), position, cos, sin);
}

double phase_rows::phase_error(int pair) const {
  if (!rows_->has_vectors(false)) return std::numeric_limits<double>::infinity();
  const simd::turn_block& block = rows_->blocks_[static_cast<std::size_t>(pair / simd::block_pairs)];
  return block.phase_error[pair % simd::block_pairs] * rows_->factor_;
}

template <class Narrow>
void phase_rows::narrow(const float* from, std::size_t count, std::uint16_t* to) const {
  rows_->target().narrow[dtype_of<Narrow>](from, count, to);
}

template <class Narrow>
std::uint32_t phase_rows::not_rounded(const float* from, const std::uint16_t* to, int rows,
                                      std::size_t columns) const {
  return rows_->target().not_rounded[dtype_of<Narrow>](from, to, rows, columns);
}

template void phase_rows::narrow<binary16>(const float*, std::size_t, std::uint16_t*) const;
template void phase_rows::narrow<bfloat16>(const float*, std::size_t, std::uint16_t*) const;
template std::uint32_t phase_rows::not_rounded<binary16>(const float*, const std::uint16_t*, int,
                                                         std::size_t) const;
template std::uint32_t phase_rows::not_rounded<bfloat16>(const float*, const std::uint16_t*, int,
                                                         std::size_t) const;

}  // namespace ropewalk
