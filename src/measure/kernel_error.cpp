#include "measure/kernel_error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <utility>

#include "ropewalk/config/require.hpp"
#include "ropewalk/law/judge/upward.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"

namespace ropewalk::measure {
namespace {

using shape = std::array<std::int64_t, 4>;  // batch, tokens, heads, head_dim

/// Positions of tokens: one number per token, or one per token and axis.
struct token_list {
  std::vector<std::vector<double>> tokens{};
  int axes = 1;
  bool is_real = false;

  void add(std::int64_t position) { tokens.push_back({static_cast<double>(position)}); }
};

constexpr std::uint64_t seed_of_samples = 1;

/// samples + 1 positions below each of error_limits.
std::vector<token_list> positions_below_limits(int samples) {
  std::mt19937_64 dice(seed_of_samples);
  std::vector<token_list> positions;
  for (const std::int64_t limit : error_limits) {
    token_list& below = positions.emplace_back();
    for (int i = 0; i < samples; ++i)
      below.add(static_cast<std::int64_t>(dice() % static_cast<std::uint64_t>(limit)));
    below.add(limit - 1);
  }
  return positions;
}

/// Calls add(number) for all numbers below `count` if there are at most `samples`, else for samples - 1
/// random ones and the last.
template <class Add>
void sample(std::int64_t count, int samples, std::uint64_t seed_of_all, Add add) {
  std::mt19937_64 dice(seed_of_all);
  for (std::int64_t i = 0; i + 1 < std::min<std::int64_t>(count, samples); ++i)
    add(count <= samples ? i : static_cast<std::int64_t>(dice() % static_cast<std::uint64_t>(count)));
  add(count - 1);
}

token_list positions_in(position_range range, int samples) {
  token_list positions;
  sample(size(range), samples, static_cast<std::uint64_t>(range.begin),
         [&](std::int64_t step) { positions.add(range.begin + step); });
  return positions;
}

token_list some_tokens(const input::axis_positions& positions, int samples) {
  token_list tokens{.axes = positions.axes, .is_real = positions.is_real()};
  sample(positions.tokens(), samples, seed_of_samples,
         [&](std::int64_t token) { tokens.tokens.push_back(positions.numbers_at(token)); });
  return tokens;
}

/// Shape of the calls for this many positions: one token each, or the smallest shape that the kernel lists;
/// nullopt if no listed shape is small enough.
std::optional<shape> shape_of_calls(const checked_rotation& kernel, std::size_t positions) {
  const int head_dim = kernel.layout().head_dim;
  if (kernel.served().shapes().empty()) return shape{1, static_cast<std::int64_t>(positions), 1, head_dim};
  std::optional<shape> result;
  for (const shape& extents : kernel.served().shapes())
    if (extents[3] == head_dim && served_calls::is_drawn(extents) &&
        (!result || served_calls::elements_of(extents) < served_calls::elements_of(*result)))
      result = extents;
  return result;
}

bool serves_layout(const checked_rotation& kernel) {
  return kernel.served().serves(kernel.layout(), kernel.encoding().rotary_dim);
}

/// A call with (1, 0) in every pair of every head, at the tokens from `begin` on. The last token is repeated
/// to fill the shape.
template <floating_format Float>
law_case unit_vectors(const checked_rotation& kernel, const shape& extents, const token_list& at,
                      std::size_t begin, position_range often) {
  law_case test_case;
  test_case.dtype = dtype_of<Float>;
  test_case.batch = extents[0];
  test_case.tokens = extents[1];
  test_case.query_heads = extents[2];
  test_case.head_dim = static_cast<int>(extents[3]);
  test_case.table = often;
  test_case.axes = at.axes;
  test_case.has_real_positions = at.is_real;
  for (int pair = 0; pair < kernel.pairs() && at.axes > 1; ++pair)
    test_case.axis.push_back(axis_of(pair, kernel.model().axes, kernel.encoding()).axis);
  const auto tokens = static_cast<std::size_t>(test_case.batch * test_case.tokens);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(at.axes); ++axis)
    for (std::size_t i = 0; i < tokens; ++i)
      test_case.positions.push_back(at.tokens[std::min(begin + i, at.tokens.size() - 1)][axis]);
  const bits_of<Float> bits = round<Float>(enclosure<2>::of(1)).bits;
  test_case.query.assign(tokens * static_cast<std::size_t>(test_case.query_heads * test_case.head_dim), 0);
  for (std::size_t start = 0; start < test_case.query.size();
       start += static_cast<std::size_t>(test_case.head_dim))
    for (int pair = 0; pair < kernel.pairs(); ++pair)
      test_case.query[start + static_cast<std::size_t>(kernel.channels_in(pair).first)] = bits;
  return test_case;
}

/// Largest errors over the points so far.
struct worst_error {
  double ulp = 0;
  double distance = 0;
  std::int64_t nearest = 0;  // correctly rounded entries
  std::int64_t entries = 0;

  template <floating_format Float>
  void take(const exact_point<Float>& want, bits_of<Float> cos, bits_of<Float> sin) {
    const double miss_cos = want.cos.miss(cos), miss_sin = want.sin.miss(sin);
    if (!want.cos.is_zero()) ulp = std::max(ulp, miss_cos / want.cos.ulp());
    if (!want.sin.is_zero()) ulp = std::max(ulp, miss_sin / want.sin.ulp());
    distance = std::max(distance, std::hypot(miss_cos, miss_sin));
    nearest += (cos == want.cos.nearest) + (sin == want.sin.nearest);
    entries += 2;
  }

  error_below below(std::int64_t limit) const {
    return {limit, true, ulp, distance, static_cast<double>(nearest) / static_cast<double>(entries)};
  }
};

/// Adds the pairs of a token's first head.
template <floating_format Float>
void take_token(worst_error& to, const checked_rotation& kernel, const std::vector<exact_point<Float>>& want,
                std::span<const std::uint64_t> head) {
  const auto element = [&](int channel) {
    return static_cast<bits_of<Float>>(head[static_cast<std::size_t>(channel)]);
  };
  for (int pair = 0; pair < kernel.pairs(); ++pair) {
    const channel_pair at = kernel.channels_out(pair);
    to.take<Float>(want[static_cast<std::size_t>(pair)], element(at.first), element(at.second));
  }
}

/// Adds the errors at these tokens; returns false if the kernel does not serve them.
template <floating_format Float>
bool take_tokens(worst_error& to, const checked_rotation& kernel, measured_rotation& in,
                 const token_list& at) {
  const std::optional<shape> extents = shape_of_calls(kernel, at.tokens.size());
  if (!extents || !serves_layout(kernel)) return false;
  const auto tokens = static_cast<std::size_t>((*extents)[0] * (*extents)[1]);
  const auto stride = static_cast<std::size_t>((*extents)[2] * (*extents)[3]);
  for (std::size_t begin = 0; begin < at.tokens.size(); begin += tokens) {
    const law_case test_case = unit_vectors<Float>(kernel, *extents, at, begin, in.often);
    if (!kernel.served().allow(test_case)) return false;
    measurement unserved;
    const std::optional<rotated> turned =
        answer_if_served(unserved, [&] { return kernel.turned(test_case); });
    if (!turned) return false;
    for (std::size_t token = 0; token < std::min(tokens, at.tokens.size() - begin); ++token)
      take_token<Float>(to, kernel, in.points.at<Float>(at.tokens[begin + token]),
                        std::span(turned->query).subspan(token * stride, stride));
  }
  return true;
}

checked_rotation held(const ropewalk_kernel& kernel, const promise& promised, const measured_rotation& in) {
  return {kernel,
          promised,
          in.encoding.encoding,
          in.layout,
          {.config_json = in.config_json, .axes = in.encoding.axes, .coordinates = in.encoding.coordinates}};
}

/// Bound of a promise for a pair at a position; not_measured if it has no bound.
template <floating_format Float>
double bound_at(const checked_rotation& kernel, std::int64_t position) {
  if (!kernel.has_bound(dtype_of<Float>)) return not_measured;
  const pair_bound bound = kernel.accuracy_at<Float>(static_cast<double>(position), false);
  const double attention = detail::above(kernel.nearest_attention());
  return detail::sum_up(detail::product_up(bound.relative, attention), bound.absolute);
}

void require_samples(int samples) { require(samples >= 1, "samples", samples, "1 or above"); }

}  // namespace

measured_rotation::measured_rotation(const placed_rope& config, const head_layout& heads, position_range hint,
                                     std::string json)
    : encoding(config), layout(heads), often(hint), config_json(std::move(json)), points(config) {
  validate(heads, config.encoding, config.axes);
  if (hint.begin != hint.end) validate(hint);
}

std::vector<error_below> kernel_errors(const ropewalk_kernel& kernel, ropewalk_dtype dtype,
                                       measured_rotation& in, int samples) {
  require_samples(samples);
  const checked_rotation judged = held(kernel, promise_of(kernel), in);
  const std::vector<token_list> positions = positions_below_limits(samples);
  call_record record;
  return with_every_answer(judged, record, [&](const checked_rotation& recorded) {
    std::vector<error_below> errors;
    worst_error so_far;
    bool is_served = true;
    for (std::size_t i = 0; i < error_limits.size(); ++i) {
      is_served = is_served && with_format(dtype, [&]<class Float>() {
                    return take_tokens<Float>(so_far, recorded, in, positions[i]);
                  });
      errors.push_back(is_served ? so_far.below(error_limits[i]) : error_below{.limit = error_limits[i]});
    }
    return errors;
  });
}

error_below error_on_axes(const ropewalk_kernel& kernel, ropewalk_dtype dtype, measured_rotation& in,
                          const input::axis_positions& at, int samples) {
  require_samples(samples);
  const checked_rotation judged = held(kernel, promise_of(kernel), in);
  call_record record;
  return with_every_answer(judged, record, [&](const checked_rotation& recorded) {
    worst_error worst;
    const bool is_served = with_format(dtype, [&]<class Float>() {
      return take_tokens<Float>(worst, recorded, in, some_tokens(at, samples));
    });
    return is_served ? worst.below(0) : error_below{};
  });
}

std::vector<error_in_range> error_by_position(const ropewalk_kernel& kernel, const promise& promised,
                                              ropewalk_dtype dtype, measured_rotation& in,
                                              std::span<const position_range> ranges, int samples) {
  require_samples(samples);
  const checked_rotation judged = held(kernel, promised, in);
  call_record record;
  return with_every_answer(judged, record, [&](const checked_rotation& recorded) {
    std::vector<error_in_range> error;
    for (const position_range& range : ranges) {
      validate(range);
      with_format(dtype, [&]<class Float>() {
        worst_error worst;
        const bool is_served = take_tokens<Float>(worst, recorded, in, positions_in(range, samples));
        error.push_back({range, is_served, is_served ? worst.distance : not_measured,
                         bound_at<Float>(judged, std::max(-range.begin, range.end - 1))});
      });
    }
    return error;
  });
}

position_range positions_near(std::int64_t position) {
  const std::int64_t side = position / 20;
  return {position - side, std::min(position + side + 1, std::int64_t{1} << 31)};
}

std::vector<position_range> ranges_by_octave(int of_an_octave) {
  require(of_an_octave >= 1, "of_an_octave", of_an_octave, "1 or above");
  constexpr int octaves = 31;
  std::vector<position_range> ranges;
  std::int64_t begin = 1;
  for (int i = 1; i <= octaves * of_an_octave; ++i) {
    const auto end = static_cast<std::int64_t>(std::exp2(static_cast<double>(i) / of_an_octave));
    if (end > begin) ranges.push_back({begin, end});
    begin = end;
  }
  return ranges;
}

}  // namespace ropewalk::measure
