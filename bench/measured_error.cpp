#include "bench/measured_error.hpp"
#include "bench/timed_rotation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "ropewalk/kernel/operation.hpp"
#include "ropewalk/numeric/round.hpp"
#include "ropewalk/numeric/upper_binary64.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::bench {
namespace {

constexpr int samples = 256;  // random positions below each limit; the last position is added
constexpr int seed = 1;
constexpr int pairs_of_head = configuration.rotary_dim / 2;

/// shape   [error_limits, samples + 1]
const std::vector<std::int32_t>& sampled_positions() {
  static const auto positions = [] {
    std::mt19937_64 dice(seed);
    std::vector<std::int32_t> r;
    for (const std::int64_t limit : error_limits) {
      for (int i = 0; i < samples; ++i)
        r.push_back(static_cast<std::int32_t>(dice() % static_cast<std::uint64_t>(limit)));
      r.push_back(static_cast<std::int32_t>(limit - 1));
    }
    return r;
  }();
  return positions;
}

template <class Float>
struct exact_number {
  enclosure<2> value;
  bits_of<Float> nearest;

  /// An upper bound of |got - value|.
  double miss(bits_of<Float> got) const {
    if (!is_finite<Float>(got)) return std::numeric_limits<double>::infinity();
    return upper_binary64(value - enclosure<2>{exact_dyadic_of_bits<2, Float>(got), {}});
  }
  double ulp() const { return std::ldexp(1.0, decode<Float>(nearest).exponent); }
};

template <class Float>
struct exact_pair_of_numbers {
  exact_number<Float> cos;
  exact_number<Float> sin;
};

/// shape   [sampled positions, pairs]
template <class Float>
const std::vector<exact_pair_of_numbers<Float>>& exact_numbers() {
  static const auto numbers = [] {
    const rope_rows rows(configuration);
    std::vector<exact_pair_of_numbers<Float>> r;
    for (const std::int32_t position : sampled_positions())
      for (int pair = 0; pair < rows.pairs(); ++pair) {
        const auto point = rows.exact<2>(pair, position, false);
        const auto nearest = rows.entry<Float>(pair, position, false);
        r.push_back({{point.cos, nearest.cos}, {point.sin, nearest.sin}});
      }
    return r;
  }();
  return numbers;
}

/// One head per sampled position, with (1, 0) in every pair, turned by the kernel.
template <class Float>
std::vector<bits_of<Float>> turned_unit_vectors(const planned_kernel& planned, pairing pairs) {
  using traits = format<Float>;
  const auto one =
      static_cast<bits_of<Float>>(static_cast<bits_of<Float>>(traits::bias) << (traits::precision - 1));
  const auto& positions = sampled_positions();
  std::vector<bits_of<Float>> vectors(positions.size() * head_dim);
  for (std::size_t start = 0; start < vectors.size(); start += head_dim)
    for (int pair = 0; pair < pairs_of_head; ++pair)
      vectors[start + static_cast<std::size_t>(channels_of(pair, configuration.rotary_dim, pairs).first)] =
          one;
  auto* data = reinterpret_cast<std::byte*>(vectors.data());
  ropewalk_rotation_call call = empty_call<rotate>();
  call.query_in = {.data = data,
                   .dtype = dtype_of<Float>,
                   .rank = 3,
                   .shape = {static_cast<std::int64_t>(positions.size()), 1, head_dim, 0},
                   .stride = {head_dim, head_dim, 1, 0}};
  call.query_out = call.query_in;
  call.tokens.end = static_cast<std::int64_t>(positions.size());
  call.tokens.positions = given_positions(positions.data());
  planned.apply(call);
  return vectors;
}

template <class Float>
void take(measured_error& worst, const exact_pair_of_numbers<Float>& want, bits_of<Float> cos,
          bits_of<Float> sin) {
  const double miss_cos = want.cos.miss(cos), miss_sin = want.sin.miss(sin);
  worst.ulp = std::max({worst.ulp, miss_cos / want.cos.ulp(), miss_sin / want.sin.ulp()});
  worst.normwise = std::max(worst.normwise, std::hypot(miss_cos, miss_sin));
  // A count here; `measure` divides it.
  worst.correctly_rounded += (cos == want.cos.nearest) + (sin == want.sin.nearest);
}

template <class Float>
auto measure(const ropewalk_kernel& kernel, pairing pairs) {
  const auto vectors = turned_unit_vectors<Float>(planned_kernel(kernel, encoding_with(pairs).view()), pairs);
  const auto& numbers = exact_numbers<Float>();
  const auto element = [&](std::size_t token, int channel) {
    return vectors[token * head_dim + static_cast<std::size_t>(channel)];
  };
  std::array<measured_error, error_limits.size()> r{};
  measured_error so_far;
  for (std::size_t token = 0; token < sampled_positions().size(); ++token) {
    for (int pair = 0; pair < pairs_of_head; ++pair) {
      const channel_pair at = channels_of(pair, configuration.rotary_dim, pairs);
      take(so_far, numbers[token * pairs_of_head + static_cast<std::size_t>(pair)], element(token, at.first),
           element(token, at.second));
    }
    if ((token + 1) % (samples + 1) != 0) continue;
    measured_error& below = r[token / (samples + 1)] = so_far;
    below.correctly_rounded /= static_cast<double>((token + 1) * configuration.rotary_dim);
  }
  return r;
}

}  // namespace

const std::array<measured_error, error_limits.size()>& error_of(const ropewalk_kernel& kernel,
                                                                ropewalk_dtype dtype, pairing pairs) {
  using key = std::tuple<std::string_view, ropewalk_dtype, pairing>;
  static std::map<key, std::array<measured_error, error_limits.size()>> known;
  const auto [place, is_new] = known.try_emplace(key{kernel.name, dtype, pairs});
  if (is_new)
    place->second = with_format(dtype, [&]<class Float>() { return measure<Float>(kernel, pairs); });
  return place->second;
}

std::vector<measure::error_below> errors_of(const rotation_case& given) {
  std::vector<measure::error_below> r;
  const auto& errors = error_of(*given.kernel.kernel, given.dtype, given.of->layout.pairing_in);
  for (std::size_t i = 0; i < errors.size(); ++i)
    r.push_back({error_limits[i], true, errors[i].ulp, errors[i].normwise, errors[i].correctly_rounded});
  return r;
}

}  // namespace ropewalk::bench
