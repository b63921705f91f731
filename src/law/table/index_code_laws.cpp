#include "ropewalk/law/table/index_code_laws.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "ropewalk/law/law.hpp"

namespace ropewalk {

namespace detail {

/// Judges every number. The expected value of one outside the range, or of a NaN, is an end of the range.
template <floating_format Float>
measurement measure_code_range(const index_code_source& source, const index_code& config,
                               position_range positions) {
  return judge_each_code<Float>(codes_of<Float>(source, positions, config), positions, config,
                                [&](std::int64_t, int, bits_of<Float> got) {
                                  const bool is_signed = config.kind == index_code_kind::sine_only;
                                  const bool below = is_negative<Float>(got) && magnitude<Float>(got) != 0;
                                  if (below && !is_signed) return bits_of<Float>{0};
                                  return magnitude<Float>(got) <= one_as<Float> ? got : one_as<Float>;
                                });
}

template <floating_format Float>
measurement measure_code_unique(const index_code_source& source, const index_code& config,
                                position_range positions) {
  const std::vector<bits_of<Float>> codes = codes_of<Float>(source, positions, config);
  const auto width = static_cast<std::size_t>(config.width);
  std::map<std::vector<bits_of<Float>>, std::int64_t> seen;
  measurement measured;
  for (std::int64_t p = positions.begin; p < positions.end; ++p) {
    const auto row = static_cast<std::size_t>(p - positions.begin);
    const auto begin = codes.begin() + static_cast<std::ptrdiff_t>(row * width);
    const bool is_new = seen.emplace(std::vector<bits_of<Float>>(begin, begin + config.width), p).second;
    place where;
    where.position = static_cast<std::int32_t>(p);
    record(measured, judge_equal(is_new), where, [] { return evidence{}; });
  }
  return measured;
}

/// Judges whether bit k changes from p - 1 to p exactly where 2^k divides p.
template <floating_format Float>
measurement measure_bit_period(const index_code_source& source, const index_code& config,
                               position_range positions) {
  const position_range whole{std::max<std::int64_t>(positions.begin - 1, 0), positions.end};
  const std::vector<bits_of<Float>> codes = codes_of<Float>(source, whole, config);
  const auto width = static_cast<std::size_t>(config.width);
  return judge_each_code<Float>(
      codes, whole, config, [&](std::int64_t p, int column, bits_of<Float> got) -> bits_of<Float> {
        if (p == 0) return 0;
        if (p == whole.begin) return got;
        const int bit = config.order == bit_order::lsb ? column : config.width - 1 - column;
        const auto before =
            codes[static_cast<std::size_t>(p - whole.begin - 1) * width + static_cast<std::size_t>(column)];
        const bool changes = p % (std::int64_t{1} << bit) == 0, was_zero = magnitude<Float>(before) == 0;
        return changes == was_zero ? one_as<Float> : bits_of<Float>{0};
      });
}

template <floating_format Float>
measurement measure_same_code(const index_code_source& source, const index_code& config,
                              position_range positions) {
  const std::vector<bits_of<Float>> whole = codes_of<Float>(source, positions, config);
  const auto width = static_cast<std::size_t>(config.width);
  const std::int64_t begin = positions.begin, half = size(positions) / 2;
  measurement measured;
  for (const position_range part :
       {position_range{begin, positions.end - half}, position_range{begin + half, positions.end}})
    merge(measured,
          judge_each_code<Float>(
              codes_of<Float>(source, part, config), part, config,
              [&](std::int64_t p, int column, bits_of<Float>) {
                return whole[static_cast<std::size_t>(p - begin) * width + static_cast<std::size_t>(column)];
              }));
  return measured;
}

/// Every number against the definition; a rational code is computed as a rational number, so ties are seen.
template <floating_format Float>
measurement measure_code_rounded_once(const index_code_source& source, const index_code& config,
                                      position_range positions) {
  return judge_each_code<Float>(codes_of<Float>(source, positions, config), positions, config,
                                [&](std::int64_t p, int column, bits_of<Float>) -> bits_of<Float> {
                                  if (is_rational(config.kind))
                                    return round<Float>(exact_index_code(p, column, config));
                                  if (p == 0) return 0;
                                  return round_with_enough_limbs<Float>("sine", [&]<int N>() {
                                    return index_code_entry<N>(p, column, config);
                                  });
                                });
}

}  // namespace detail

measurement index_code_laws::judge_code_range(const checked_index_codes& codes,
                                              const position_range& positions) {
  return with_format(codes.dtype, [&]<class Float>() {
    return detail::measure_code_range<Float>(codes.codes, codes.config, positions);
  });
}

measurement index_code_laws::judge_code_unique(const checked_index_codes& codes,
                                               const position_range& positions) {
  return with_format(codes.dtype, [&]<class Float>() {
    return detail::measure_code_unique<Float>(codes.codes, codes.config, positions);
  });
}

measurement index_code_laws::judge_bit_period(const checked_index_codes& codes,
                                              const position_range& positions) {
  return with_format(codes.dtype, [&]<class Float>() {
    return detail::measure_bit_period<Float>(codes.codes, codes.config, positions);
  });
}

measurement index_code_laws::judge_same_code(const checked_index_codes& codes,
                                             const position_range& positions) {
  return with_format(codes.dtype, [&]<class Float>() {
    return detail::measure_same_code<Float>(codes.codes, codes.config, positions);
  });
}

measurement index_code_laws::judge_code_rounded_once(const checked_index_codes& codes,
                                                     const position_range& positions) {
  return with_format(codes.dtype, [&]<class Float>() {
    return detail::measure_code_rounded_once<Float>(codes.codes, codes.config, positions);
  });
}

}  // namespace ropewalk
