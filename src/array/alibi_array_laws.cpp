// Laws on arrays of ALiBi's slopes and biases, in any format.

#include <algorithm>
#include <optional>

#include "array/array_laws.hpp"
#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/law/judge/before_rounding.hpp"
#include "ropewalk/law/table/bias_laws.hpp"
#include "ropewalk/law/table/slope_laws.hpp"

namespace ropewalk::array {
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
    measurement measured;
    for (int head = first; head < last; ++head) {
      place where;
      where.head = head;
      record(measured, judge_equal(are_numbers && holds(head)), where, [&] {
        return evidence{dtype_of<Float>, 1, {}, {round_with_limbs(head)}, {bits(head)}};
      });
    }
    return measured;
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
array_law slope_law(const law<checked_slopes>& tested_law, const alibi& config, Measure measure) {
  return {tested_law.text(), 1, 1, [=](const std::byte* array, row_run) {
            return measure(slope_numbers<Float>(array, config.heads));
          }};
}

template <floating_format Float>
std::vector<array_law> laws_of_slopes(const alibi& config) {
  const int heads = config.heads, power = ropewalk::detail::formula_heads(heads);
  const checked_slopes configuration{{}, config};  // laws apply by the configuration alone
  std::vector<array_law> laws;
  const auto add = [&](const law<checked_slopes>& tested_law, auto measure) {
    if (tested_law.applies(configuration)) laws.push_back(slope_law<Float>(tested_law, config, measure));
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
  return laws;
}

/// The biases of an array, [heads, queries, keys].
template <floating_format Float>
class bias_numbers {
 public:
  bias_numbers(const std::byte* array, const alibi& config, const tables::bias_extent& extent)
      : array_(array), config_(config), extent_(extent) {}

  const tables::bias_extent& extent() const { return extent_; }
  alibi_form form() const { return config_.form; }
  bits_of<Float> bits(std::int64_t row, std::int64_t key) const {
    return bits_at<bits_of<Float>>(array_, row * extent_.keys + key);
  }
  double value(std::int64_t row, std::int64_t key) const {
    return from_bits<double>(convert<double, Float>(bits(row, key)));
  }
  bool same(bits_of<Float> a, bits_of<Float> b) const {
    return a == b || (magnitude<Float>(a) | magnitude<Float>(b)) == 0;
  }
  std::int64_t query(std::int64_t row) const { return row % extent_.queries; }
  int head(std::int64_t row) const { return static_cast<int>(row / extent_.queries); }
  /// Position of the query of a row.
  std::int64_t position(std::int64_t row) const { return extent_.position_of(query(row)); }
  /// Key from which the row's distances are counted.
  std::int64_t origin(std::int64_t row) const {
    return alibi_origin(position(row), extent_.keys, config_.form);
  }
  /// Keys that are judged: in the causal form those that a causal mask leaves.
  std::int64_t keys(std::int64_t row) const {
    return config_.form == alibi_form::causal ? position(row) + 1 : extent_.keys;
  }

  /// Judges holds(row, key) for the keys of a run of rows; nullopt where the law says nothing of a place.
  template <class Holds>
  measurement judge(const row_run& run, const Holds& holds) const {
    measurement measured;
    for (std::int64_t row = run.first; row < run.first + run.count; ++row)
      for (std::int64_t key = 0; key < keys(row); ++key) {
        const std::optional<bool> is_right = holds(row, key);
        if (!is_right) continue;
        place where;
        where.head = head(row);
        where.token = query(row);
        where.channel = static_cast<int>(key);
        record(measured, judge_equal(!is_nan<Float>(bits(row, key)) && *is_right), where, [&] {
          return evidence{dtype_of<Float>, 1, {}, {}, {bits(row, key)}};
        });
      }
    return measured;
  }

 private:
  const std::byte* array_;
  alibi config_;
  tables::bias_extent extent_;
};

template <floating_format Float>
std::vector<array_law> laws_of_biases(const alibi& config, const tables::bias_extent& extent) {
  using numbers = bias_numbers<Float>;
  const checked_biases configuration{{}, config};  // laws apply by the configuration alone
  std::vector<array_law> laws;
  const auto add = [&](const law<checked_biases>& tested_law, auto holds) {
    if (!tested_law.applies(configuration)) return;
    const std::int64_t rows_per_run = std::max<std::int64_t>(4096 / extent.keys, 1);
    laws.push_back({tested_law.text(), config.heads * extent.queries, rows_per_run,
                    [=](const std::byte* array, row_run run) {
                      const numbers biases(array, config, extent);
                      return biases.judge(
                          run, [&](std::int64_t row, std::int64_t key) { return holds(biases, row, key); });
                    }});
  };
  using answer = std::optional<bool>;
  add(bias_laws::diagonal, [](const numbers& entries, std::int64_t row, std::int64_t key) -> answer {
    if (key != entries.origin(row)) return std::nullopt;
    return magnitude<Float>(entries.bits(row, key)) == 0;
  });
  add(bias_laws::toeplitz, [](const numbers& entries, std::int64_t row, std::int64_t key) -> answer {
    const std::int64_t step = is_by_key(entries.form()) ? 0 : 1;
    if (entries.query(row) == 0 || key < step) return std::nullopt;
    return entries.same(entries.bits(row, key), entries.bits(row - 1, key - step));
  });

  add(bias_laws::farther_is_less, [](const numbers& values, std::int64_t row, std::int64_t key) -> answer {
    const std::int64_t nearest = is_by_key(values.form()) ? values.extent().keys - 1 : values.position(row);
    if (key == nearest) return std::nullopt;
    const std::int64_t nearer = key < nearest ? key + 1 : key - 1;
    return values.value(row, key) <= values.value(row, nearer);
  });
  return laws;
}

}  // namespace

std::vector<array_law> array_laws(const tables::bias_content& content, tables::table_dtype dtype,
                                  const promise&) {
  return in_format(dtype,
                   [&]<class Float>() { return laws_of_biases<Float>(content.config, content.extent); });
}

std::vector<array_law> array_laws(const tables::slope_content& content, tables::table_dtype dtype,
                                  const promise&) {
  return in_format(dtype, [&]<class Float>() { return laws_of_slopes<Float>(content.config); });
}

}  // namespace ropewalk::array
