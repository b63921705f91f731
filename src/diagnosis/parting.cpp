#include "diagnosis/parting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "diagnosis/answer.hpp"
#include "diagnosis/shared_by_failures.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "search/judging.hpp"
#include "search/search.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr std::int64_t drawn_cases = 384;         // over all dtypes
constexpr std::size_t most_elements = 1U << 14U;  // per case

const law<checked_rotation>& same_as_law(const checked_rotation&) { return rotation_laws::same_as; }
const law<checked_addition>& same_as_law(const checked_addition&) { return addition_laws::same_as; }

template <class Kernel>
class parted {
 public:
  explicit parted(const Kernel& kernel) : kernel_(kernel), other_(*kernel.same_as()) {}

  std::int64_t differing() const { return differing_; }

  /// Runs one case on both kernels; if either does not answer, the case shows nothing.
  void look_at(const law_case& test_case) {
    if (!kernel_.allows(test_case) || test_case.query.size() + test_case.key.size() > most_elements) return;
    try {
      const search::judging watched(kernel_.name(), same_as_law(kernel_).name);
      take_in(test_case, answer_of(kernel_, test_case), answer_of(other_, test_case));
    } catch (const unanswered_call&) {
    } catch (const answer_awaited&) {
    } catch (const case_set_aside&) {
    }
  }

  cause told() const {
    cause result{.verdict = verdict::parted};
    result.failing = differing_;
    result.passing = static_cast<std::int64_t>(seen_.size()) - differing_;
    result.common = shared_by_failures(seen_, pairs_of(kernel_), has_factor(kernel_));
    result.sentence =
        fmt::format("differs from {} in {} of {} calls of both", other_.name(), differing_, seen_.size());
    if (largest_ > 0) result.sentence += fmt::format(", by up to {:.3g} ulp", largest_);
    if (std::isfinite(nearest_))
      result.sentence += fmt::format("; the position nearest to 0 at which they differ is {}", nearest_);
    for (const auto& [name, count] :
         {std::pair{kernel_.name(), failed_by_own_}, {other_.name(), failed_by_other_}})
      if (count > 0)
        result.sentence += fmt::format("; only {} gives no answer to {} of these calls", name, count);
    if (differing_ > 0 && result.passing == 0)
      result.sentence += "; they agree in no call";
    else if (differing_ > 0)
      result.sentence += result.common.empty()
                             ? "; no checked property is common to only these"
                             : "; the calls in which they differ have in common: " + result.common;
    if (failed_by_both_ > 0)
      result.sentence += fmt::format("; neither answers {} further calls", failed_by_both_);
    return result;
  }

 private:
  void take_in(const law_case& test_case, const answer& own, const answer& others) {
    const auto shows_nothing = [](const answer& answer) {
      return answer.status == ROPEWALK_UNSUPPORTED || answer.status == ROPEWALK_UNDECIDED;
    };
    if (shows_nothing(own) || shows_nothing(others)) return;
    seen_case tested{.number = seen_.size(), .drawn = test_case};
    tested.drawn.query.clear();
    tested.drawn.key.clear();
    if (own.done && others.done) {
      tested.wrong = other_bits_in(kernel_, test_case, *own.done, *others.done);
      for (const element& at : tested.wrong) {
        measure_at(test_case, at, *own.done, *others.done);
        const bool has_position = pairs_of(kernel_) == 0 || at.where.pair >= 0;
        if (has_position && std::abs(at.where.position) < std::abs(nearest_)) nearest_ = at.where.position;
      }
      tested.fails = !tested.wrong.empty();
    } else if (!own.done && !others.done) {
      ++failed_by_both_;
      return;
    } else {
      tested.fails = true;
      ++(own.done ? failed_by_other_ : failed_by_own_);
    }
    if (tested.fails) ++differing_;
    seen_.push_back(std::move(tested));
  }

  /// The difference in ulps of the largest nearby number: of the pair, or of the sum. Otherwise a channel in
  /// which the products of a rotation cancel could give any number of ulps.
  void measure_at(const law_case& test_case, const element& at, const rotated& own, const rotated& others) {
    with_format(test_case.dtype, [&]<class Float>() {
      const auto number = [](const std::vector<std::uint64_t>& elements, std::size_t index) {
        return from_bits<double>(convert<double, Float>(static_cast<bits_of<Float>>(elements[index])));
      };
      const std::vector<std::uint64_t>&a = elements_of(own, at.where.tensor),
            &b = elements_of(others, at.where.tensor);
      const double apart = std::abs(number(a, at.index) - number(b, at.index));
      const bool is_of_pair = at.where.pair >= 0;
      double size = is_of_pair ? 0 : std::abs(number(elements_of(test_case, at.where.tensor), at.index));
      for (const std::size_t index : beside(kernel_, test_case, at))
        size = std::max({size, std::abs(number(a, index)), std::abs(number(b, index))});
      if (!std::isfinite(apart) || !std::isfinite(size)) return;
      const int exponent = std::max(std::ilogb(size), format<Float>::smallest_exponent);
      const double step = std::ldexp(1.0, exponent - (format<Float>::precision - 1));
      largest_ = std::max(largest_, apart / step);
    });
  }

  /// The elements of a place's pair; without a pair, the element alone.
  static std::vector<std::size_t> beside(const checked_rotation& kernel, const law_case& test_case,
                                         const element& at) {
    if (at.where.pair < 0) return {at.index};
    const std::size_t start = head_start(test_case, at.where);
    const channel_pair out = kernel.channels_out(at.where.pair);
    return {start + static_cast<std::size_t>(out.first), start + static_cast<std::size_t>(out.second)};
  }
  static std::vector<std::size_t> beside(const checked_addition&, const law_case&, const element& at) {
    return {at.index};
  }

  const Kernel& kernel_;
  Kernel other_;  // shares its plans with that of `kernel_`
  std::vector<seen_case> seen_;
  std::int64_t differing_ = 0;
  std::int64_t failed_by_own_ = 0, failed_by_other_ = 0;  // calls that only one kernel refused or broke off
  std::int64_t failed_by_both_ = 0;
  double largest_ = 0;                                        // in ulps, over finite elements
  double nearest_ = std::numeric_limits<double>::infinity();  // nearest position to 0 at which they differ
};

}  // namespace

template <class Kernel>
cause parting(const Kernel& kernel, const std::vector<failed_case<Kernel>>& failed, const effort& how,
              const std::atomic<bool>& stopped) {
  parted<Kernel> by(kernel);
  const law<Kernel>& law = same_as_law(kernel);
  for (std::int64_t number = 0; number < drawn_cases && !stopped.load(std::memory_order_relaxed); ++number) {
    if (how.deadline != search::clock::time_point{} && search::clock::now() >= how.deadline) break;
    const auto dtypes = static_cast<std::int64_t>(how.dtypes.size());
    const ropewalk_dtype dtype = how.dtypes[static_cast<std::size_t>(number % dtypes)];
    if (!kernel.served().serves(dtype) || !kernel.same_as()->served().serves(dtype)) continue;
    by.look_at(search::case_of(law, kernel, dtype, how.seed, number / dtypes));
  }
  if (by.differing() == 0)
    for (const failed_case<Kernel>& failure : failed) by.look_at(failure.test_case);
  return by.told();
}

template cause parting(const checked_rotation&, const std::vector<failed_case<checked_rotation>>&,
                       const effort&, const std::atomic<bool>&);
template cause parting(const checked_addition&, const std::vector<failed_case<checked_addition>>&,
                       const effort&, const std::atomic<bool>&);

}  // namespace ropewalk::diagnosis
