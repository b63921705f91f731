#include "export/alibi_array_laws.hpp"

#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/law/judge/before_rounding.hpp"
#include "ropewalk/law/table/slopes/falling.hpp"
#include "ropewalk/law/table/slopes/geometric.hpp"
#include "ropewalk/law/table/slopes/interlaced.hpp"
#include "ropewalk/law/table/slopes/whole.hpp"

namespace ropewalk::output {
namespace {

namespace of_slopes = ropewalk::detail::alibi_law;

/// The slopes of an array, each as the numbers that round to it.
template <floating_format Float>
class slope_numbers {
 public:
  slope_numbers(const std::byte* array, int heads) : array_(array), heads_(heads) {}

  bits_of<Float> bits(int head) const { return bits_at<bits_of<Float>>(array_, head); }
  /// The slope of a head; before the first stands 1.
  of_slopes::real at(int head) const {
    return head < 0 ? of_slopes::real::of(1)
                    : ropewalk::detail::before_rounding<of_slopes::limb_count, Float>(bits(head));
  }
  bool may_be_mean(int low, int middle, int high) const {
    return of_slopes::may_be_equal(at(middle) * at(middle), at(low) * at(high));
  }

  /// Judges holds(head) for heads first .. last - 1; all fail unless every slope is positive and finite.
  template <class Holds>
  measurement judge(int first, int last, const Holds& holds) const {
    bool are_numbers = true;
    for (int head = 0; head < heads_; ++head)
      are_numbers = are_numbers && bits(head) > 0 && bits(head) < format<Float>::infinity;
    measurement m;
    for (int head = first; head < last; ++head) {
      place where;
      where.head = head;
      record(m, judge_equal(are_numbers && holds(head)), where, [&] {
        return evidence{dtype_of<Float>, 1, {}, {round_with_limbs(head)}, {bits(head)}};
      });
    }
    return m;
  }

 private:
  std::uint64_t round_with_limbs(int head) const {
    return round_with_enough_limbs<Float>("slope",
                                          [&]<int N>() { return alibi_slope<N>(head, {.heads = heads_}); });
  }

  const std::byte* array_;
  int heads_;
};

template <floating_format Float, class Measure>
array_law slope_law(const law<held_slopes>& of, const alibi& config, Measure measure) {
  return {of.text(), 1, 1, [=](const std::byte* array, row_run) {
            return measure(slope_numbers<Float>(array, config.heads));
          }};
}

template <floating_format Float>
std::vector<array_law> laws_of_slopes(const alibi& config) {
  const int heads = config.heads, power = ropewalk::detail::formula_heads(heads);
  const held_slopes configuration{{}, config};  // laws apply by the configuration alone
  std::vector<array_law> r;
  const auto add = [&](const law<held_slopes>& of, auto measure) {
    if (of.applies(configuration)) r.push_back(slope_law<Float>(of, config, measure));
  };
  add(slope_laws::whole, [=](const slope_numbers<Float>& slopes) {
    return slopes.judge(0, power, [&](int head) {
      return 8 * (head + 1) % power != 0 ||
             of_slopes::may_be_equal(slopes.at(head),
                                     times_power_of_two(of_slopes::real::of(1), -(8 * (head + 1) / power)));
    });
  });
  add(slope_laws::falling, [=](const slope_numbers<Float>& slopes) {
    return slopes.judge(1, power, [&](int head) {
      return slopes.bits(head) <= slopes.bits(head - 1) &&
             compare(slopes.at(head), slopes.at(head - 1)) != order::greater;
    });
  });
  add(slope_laws::geometric, [=](const slope_numbers<Float>& slopes) {
    return slopes.judge(1, power, [&](int head) { return slopes.may_be_mean(head - 2, head - 1, head); });
  });
  add(slope_laws::interlaced, [=](const slope_numbers<Float>& slopes) {
    return slopes.judge(power, heads,
                        [&](int head) { return slopes.may_be_mean(head - power - 1, head, head - power); });
  });
  return r;
}

}  // namespace

std::vector<array_law> slope_array_laws(table_dtype dtype, const alibi& config) {
  return in_format(dtype, [&]<class Float>() { return laws_of_slopes<Float>(config); });
}

}  // namespace ropewalk::output
