#include "ropewalk/law/kernel/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "ropewalk/law/kernel/accuracy.hpp"
#include "ropewalk/law/kernel/canonical.hpp"
#include "ropewalk/law/kernel/sized_call.hpp"
#include "ropewalk/law/law.hpp"

namespace ropewalk {

// Heads of each tensor that are judged by the definition: with a reference kernel, and without one. Without
// one, every head is judged in cases of at most most_tokens_judged_alone tokens.
inline constexpr std::int64_t sampled_heads = 16;
inline constexpr std::int64_t sampled_heads_alone = 256;
inline constexpr std::int64_t most_tokens_judged_alone = 1024;

namespace detail {

/// Heads to judge by the definition, counted through a tensor: the first, the last, those on either side of
/// sizes at which kernels change their path, and pseudorandom others.
inline std::vector<std::int64_t> heads_to_sample(std::int64_t heads, std::int64_t most) {
  std::vector<std::int64_t> numbers;
  const auto add = [&](std::int64_t head) {
    if (head >= 0 && head < heads) numbers.push_back(head);
  };
  for (const std::int64_t mark : {std::int64_t{0}, std::int64_t{10240}, std::int64_t{1} << 14,
                                  std::int64_t{65535}, std::int64_t{1} << 16, std::int64_t{1} << 20, heads})
    add(mark - 1), add(mark);
  for (std::uint64_t i = 0; heads > 0 && static_cast<std::int64_t>(numbers.size()) < std::min(most, heads);
       ++i)
    add(static_cast<std::int64_t>(scrambled(i + 1) % static_cast<std::uint64_t>(heads)));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

/// An upper bound of |got - expected| / (relative a |x|), computed in binary64: `worst` itself if it is such
/// a bound. nullopt if binary64 does not show that the pair is in the domain of the bounds and within them.
template <floating_format Float>
std::optional<double> ratio_in_binary64(bits_pair<Float> x, bits_pair<Float> expected, bits_pair<Float> got,
                                        double attention, double relative, double worst) {
  const auto real = [](bits_of<Float> bits) { return from_bits<double>(convert<double, Float>(bits)); };
  if (!is_finite<Float>(x) || !is_finite<Float>(expected) || !is_finite<Float>(got)) return std::nullopt;
  const double first = std::abs(real(got.first) - real(expected.first)),
               second = std::abs(real(got.second) - real(expected.second));
  const double error =
      sum_up(product_up(above(first), above(first)), product_up(above(second), above(second)));
  const double square = real(x.first) * real(x.first) + real(x.second) * real(x.second);
  // Within these limits no square overflows or underflows.
  constexpr double least = power_of_two(-200), most = power_of_two(200);
  if (!(square > least && square < most && attention > least && attention < most)) return std::nullopt;
  const double largest = std::min(largest_rotated_norm<Float>, most);
  if (!(product_up(product_up(above(attention), above(attention)), above(above(square))) <
        below(largest) * below(largest) / 2))
    return std::nullopt;
  const double factor = below(below(attention) * relative);
  const double allowed = below(below(factor * factor) * below(below(square)));
  if (first == 0 && second == 0) return 0;
  if (!(error <= allowed)) return std::nullopt;
  // A dozen roundings of 2^-52 lie between this product and the root below, which is less than `worst`, too.
  if (error <= allowed * (worst * worst * (1 - power_of_two(-40)))) return worst;
  return above(above(std::sqrt(quotient_up(error, allowed))));
}

/// Judges the heads of one call.
template <floating_format Float>
class size_judge {
  using bits = bits_of<Float>;

 public:
  /// Refers to all three, which must outlive this.
  size_judge(const checked_rotation& kernel, const law_case& test_case, const sized_call<Float>& done)
      : kernel_(kernel),
        test_case_(test_case),
        done_(done),
        reference_(reference_of(kernel, test_case)),
        rows_(kernel, test_case),
        turns_(kernel, is_unit(test_case)),
        got_(static_cast<std::size_t>(test_case.head_dim)) {
    const std::int64_t tokens = test_case.batch * test_case.tokens;
    is_all_judged_ = !reference_ && tokens <= most_tokens_judged_alone;
    const std::int64_t most = !reference_ ? sampled_heads_alone : sampled_heads;
    query_samples_ = heads_to_sample(tokens * test_case.query_heads, most);
    key_samples_ = heads_to_sample(tokens * test_case.key_heads, most);
  }

  /// Judges and clears every head, up to the end of the first block of tokens in which one fails.
  ///
  /// throws  kernel_trouble where the input was changed, out of place
  measurement judge() {
    measurement measured;
    token_block<Float> block(test_case_, reference_ ? &*reference_ : nullptr);
    const std::int64_t heads = std::max<std::int64_t>(test_case_.query_heads + test_case_.key_heads, 1);
    const std::int64_t at_once = std::max<std::int64_t>(most_elements / (heads * test_case_.head_dim), 1);
    for (std::int64_t row = 0; row < test_case_.batch; ++row)
      for (std::int64_t first = 0; first < test_case_.tokens && measured.holds; first += at_once) {
        const std::int64_t last = std::min(first + at_once, test_case_.tokens);
        block.take(row, first, last);
        for (std::int64_t token = first; token < last; ++token) judge_token(measured, block, row, token);
      }
    return measured;
  }

 private:
  static constexpr std::int64_t most_elements = 1 << 16;  // of a block of tokens
  static constexpr double half_ulp = 0.5;

  /// The kernel to compare with; nullopt where there is none, or it has no bound or does not serve such
  /// calls.
  static std::optional<checked_rotation> reference_of(const checked_rotation& kernel,
                                                      const law_case& test_case) {
    std::optional<checked_rotation> reference = kernel.reference(test_case.dtype);
    if (!reference || !reference->has_bound(test_case.dtype)) return std::nullopt;
    if (!reference->served().serves_head_dim(test_case.head_dim)) return std::nullopt;
    return reference;
  }

  void judge_token(measurement& measured, const token_block<Float>& block, std::int64_t row,
                   std::int64_t token) {
    bounds_.clear();
    for (const operand which : {operand::query, operand::key}) {
      const std::int64_t heads = heads_of(test_case_, which);
      const auto& samples = which == operand::query ? query_samples_ : key_samples_;
      for (std::int64_t head = 0; head < heads; ++head) {
        const place at{which, row, token, head, -1, -1, position_of(test_case_, row, token)};
        const std::int64_t counted = (row * test_case_.tokens + token) * heads + head;
        const bool is_sampled = is_all_judged_ || std::binary_search(samples.begin(), samples.end(), counted);
        judge_head(measured, at, block.input(at), block.expected(at), is_sampled);
      }
    }
  }

  void judge_head(measurement& measured, const place& at, const bits* x, const bits* expected,
                  bool is_sampled) {
    const mapped_head in = done_.input(at), out = done_.output(at);
    if (!test_case_.in_place) {
      in.read(got_.data());
      if (std::memcmp(got_.data(), x, got_.size() * sizeof(bits)) != 0)
        throw kernel_trouble(ROPEWALK_OK, "the kernel changed the input of an out-of-place call");
      in.clear();
    }
    out.read(got_.data());
    out.clear();
    judge_rest(measured, at, x);
    if (expected != nullptr) compare(measured, at, x, expected);
    if (is_sampled) judge_by_definition(measured, at, x);
  }

  static bits_pair<Float> pair_of(const bits* head, channel_pair channels) {
    return {head[channels.first], head[channels.second]};
  }
  bits_pair<Float> got(int pair) const { return pair_of(got_.data(), kernel_.channels_out(pair)); }

  /// Judges the channels that pass through.
  void judge_rest(measurement& measured, place at, const bits* x) const {
    const auto begin = static_cast<std::size_t>(kernel_.layout().rotary_begin),
               end = begin + static_cast<std::size_t>(kernel_.encoding().rotary_dim);
    if (std::memcmp(got_.data(), x, begin * sizeof(bits)) == 0 &&
        std::memcmp(got_.data() + end, x + end, (got_.size() - end) * sizeof(bits)) == 0)
      return;
    for (at.channel = 0; at.channel < test_case_.head_dim; ++at.channel) {
      if (kernel_.rotates(at.channel)) continue;
      const auto i = static_cast<std::size_t>(at.channel);
      record(measured, judge_equal(same_bits<Float>(got_[i], x[i])), at, [&] {
        return evidence{dtype_of<Float>, 1, {x[i]}, {x[i]}, {got_[i]}};
      });
    }
  }

  void judge_same(measurement& measured, const place& at, bits_pair<Float> x,
                  bits_pair<Float> expected) const {
    const bits_pair<Float> y = got(at.pair);
    const bool equal =
        same_bits<Float>(expected.first, y.first) && same_bits<Float>(expected.second, y.second);
    record(measured, judge_equal(equal), at, [&] {
      return evidence{
          dtype_of<Float>, 2, {x.first, x.second}, {expected.first, expected.second}, {y.first, y.second}};
    });
  }

  /// Judges a head against the reference kernel's: equal bits if canonical, else the sum of both bounds.
  void compare(measurement& measured, place at, const bits* x, const bits* expected) {
    const bool is_canonical = kernel_.promised() == promise::canonical;
    const auto begin = static_cast<std::size_t>(kernel_.layout().rotary_begin),
               rotated = static_cast<std::size_t>(kernel_.encoding().rotary_dim);
    if (is_canonical && std::memcmp(got_.data() + begin, expected + begin, rotated * sizeof(bits)) == 0) {
      measured.compared += kernel_.pairs();
      return;
    }
    for (at.pair = 0; at.pair < kernel_.pairs(); ++at.pair) {
      const bits_pair<Float> input = pair_of(x, kernel_.channels_in(at.pair)),
                             turned = pair_of(expected, kernel_.channels_out(at.pair));
      if (is_canonical)
        judge_same(measured, at, input, turned);
      else
        judge_difference(measured, at, input, turned);
    }
  }

  /// Bounds of one pair: of the kernel, and of its difference from the reference kernel.
  struct bounds {
    pair_bound own{};
    pair_bound both{};
  };

  const bounds& bounds_at(const place& at) {
    const bool unit = is_unit(test_case_);
    if (bounds_.empty())
      for (int pair = 0; pair < kernel_.pairs(); ++pair) {
        const pair_bound own = kernel_.accuracy_at<Float>(at.position, pair, unit);
        bounds_.push_back(
            {own, difference_bound(own, reference_->accuracy_at<Float>(at.position, pair, unit))});
      }
    return bounds_[static_cast<std::size_t>(at.pair)];
  }

  void judge_difference(measurement& measured, const place& at, bits_pair<Float> x,
                        bits_pair<Float> expected) {
    const bool unit = is_unit(test_case_);
    const auto& [own, both] = bounds_at(at);
    const double attention = unit ? 1 : kernel_.nearest_attention();
    const bits_pair<Float> y = got(at.pair);
    const auto show = [&] {
      return evidence{
          dtype_of<Float>, 2, {x.first, x.second}, {expected.first, expected.second}, {y.first, y.second}};
    };
    // Ulps are measured from the exact value, so a comparison with the reference only holds or fails.
    const bool is_in_ulps = kernel_.promised() == promise::exact;
    if (const auto ratio = ratio_in_binary64<Float>(x, expected, y, attention, both.relative, measured.worst))
      return is_in_ulps ? record(measured, judge_equal(true, half_ulp), at, show)
                        : record(measured, unless_trivial({*ratio, true, both.relative}, trivial_for(own)),
                                 at, show);
    const enclosure<2> a = kernel_.attention<2>(unit);
    if (!is_finite<Float>(x) || !is_judged<Float>(a * a * squared_norm(exact<2, Float>(x)))) return;
    if (!is_finite<Float>(expected)) return;  // does not occur in that domain
    const auto want = [&]<int N>() -> exact_output<N> {
      const enclosure<N> factor = kernel_.attention<N>(unit);
      return {exact<N, Float>(expected), factor * factor * squared_norm(exact<N, Float>(x))};
    };
    measurement single;
    judge_pair<Float>(single, at, x, y, both, want, trivial_for(own));
    if (is_in_ulps) return record(measured, judge_equal(single.holds, half_ulp), at, show);
    merge(measured, single);
  }

  /// The relative bound from which on the difference decides nothing: infinity, so that it always decides, or
  /// 0, so that it never does, if the kernel's own bound is trivial.
  static double trivial_for(const pair_bound& own) {
    return own.relative < trivial_bound ? std::numeric_limits<double>::infinity() : 0;
  }

  /// Judges a head against rotate_pair if the kernel is canonical, else against the exact value.
  void judge_by_definition(measurement& measured, place at, const bits* x) {
    const bool unit = is_unit(test_case_);
    for (at.pair = 0; at.pair < kernel_.pairs(); ++at.pair) {
      const bits_pair<Float> input = pair_of(x, kernel_.channels_in(at.pair));
      if (kernel_.promised() == promise::canonical) {
        judge_same(measured, at, input, rotate_pair<Float>(input, rows_.at(at)));
        continue;
      }
      const enclosure<2> a = kernel_.attention<2>(unit);
      if (!is_finite<Float>(input) || !is_judged<Float>(a * a * squared_norm(exact<2, Float>(input))))
        continue;
      const auto want = [&]<int N>() -> exact_output<N> {
        const cos_sin<N> by = turns_.template at<N>(at.pair, at.position);
        const exact_pair<N> pair = exact<N, Float>(input);
        const enclosure<N> factor = kernel_.attention<N>(unit);
        return {turned(pair, is_backward(test_case_) ? backward(by) : by),
                factor * factor * squared_norm(pair)};
      };
      if (kernel_.promised() == promise::exact)
        judge_elements<Float>(measured, at, input, got(at.pair), kernel_.channels_out(at.pair), want);
      else
        judge_pair<Float>(measured, at, input, got(at.pair),
                          kernel_.accuracy_at<Float>(at.position, at.pair, unit), want);
    }
  }

  const checked_rotation& kernel_;
  const law_case& test_case_;
  const sized_call<Float>& done_;
  std::optional<checked_rotation> reference_;
  canonical_rows<Float> rows_;
  exact_turns turns_;
  std::vector<bits> got_;
  std::vector<bounds> bounds_;
  std::vector<std::int64_t> query_samples_;
  std::vector<std::int64_t> key_samples_;
  bool is_all_judged_ = false;
};

/// Bytes of a case's tensors.
std::int64_t bytes_of(const law_case& test_case) {
  return (test_case.in_place ? 1 : 2) * test_case.batch * test_case.tokens *
         (test_case.query_heads + test_case.key_heads) * test_case.head_dim * size_of(test_case.dtype);
}

/// Runs cases that take much memory one at a time.
class size_memory_turn {
 public:
  explicit size_memory_turn(const law_case& test_case) {
    static std::mutex turn;
    constexpr std::int64_t much = std::int64_t{1} << 28;
    if (bytes_of(test_case) > much) waits_ = std::unique_lock(turn);
  }

 private:
  std::unique_lock<std::mutex> waits_;
};

/// Judges a call for no tokens: it must write nothing.
template <floating_format Float>
void judge_empty_call(measurement& measured, const checked_rotation& kernel, const law_case& test_case,
                      const sized_call<Float>& done) {
  const std::int64_t middle = test_case.batch * test_case.tokens / 2;
  ropewalk_rotation_call call = done.call(middle, middle);
  kernel.turn(test_case, call);
  const auto channels = static_cast<std::size_t>(test_case.head_dim);
  std::vector<bits_of<Float>> wanted(channels), untouched(channels), got(channels);
  std::memset(untouched.data(), untouched_byte, untouched.size() * sizeof untouched[0]);
  bool is_same = true;
  for_each_head(test_case, [&](const place& at) {
    read_head<Float>(test_case, at, wanted.data());
    done.input(at).read(got.data());
    is_same = is_same && got == wanted;
    done.output(at).read(got.data());
    is_same = is_same && got == (test_case.in_place ? wanted : untouched);
  });
  if (!is_same) measured.trouble = "a call for no tokens wrote something";
  record(measured, judge_equal(is_same), {}, [] { return evidence{}; });
}

/// Whether a case is small enough to be called for no tokens as well: judging that reads every head.
inline bool is_small(const law_case& test_case) {
  constexpr std::int64_t most_elements = 1 << 16;
  return test_case.batch * test_case.tokens * (test_case.query_heads + test_case.key_heads) *
             test_case.head_dim <=
         most_elements;
}

}  // namespace detail

/// Every head of the case against the reference kernel in small calls: equal bits for a canonical kernel,
/// otherwise the sum of both bounds. Sampled heads are also judged by the definition: rotate_pair, or a R(t)
/// x. Without a reference kernel the definition judges every head, or sampled heads of cases with too many
/// tokens. Nothing may be written outside the heads.
///
/// throws  case_set_aside if the machine cannot run the case or the reference kernel refuses it
template <floating_format Float>
measurement measure_sizes(const checked_rotation& judged, const law_case& test_case) {
  const checked_rotation kernel = judged.of_rotary_dim(test_case.rotary_dim);
  const detail::size_memory_turn one_at_a_time(test_case);
  const sized_call<Float> done(test_case, kernel.memory());
  measurement measured;
  if (detail::is_small(test_case) && !kernel.served().lacks(ROPEWALK_NO_SPLITS))
    detail::judge_empty_call<Float>(measured, kernel, test_case, done);
  if (!measured.holds) return measured;
  ropewalk_rotation_call call = done.call(0, test_case.batch * test_case.tokens);
  kernel.turn(test_case, call);
  merge(measured, detail::size_judge<Float>(kernel, test_case, done).judge());
  if (!measured.holds) return measured;
  if (!done.is_untouched())
    throw kernel_trouble(ROPEWALK_OK, "the kernel wrote outside the tensor's elements");
  record(measured, judge_equal(true), {}, [] { return evidence{}; });
  return measured;
}

measurement rotation_laws::judge_sizes(const checked_rotation& kernel, const law_case& test_case) {
  return with_format(test_case.dtype, [&]<class Float>() { return measure_sizes<Float>(kernel, test_case); });
}

}  // namespace ropewalk
