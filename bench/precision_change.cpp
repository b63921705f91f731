#include "bench/precision_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace ropewalk::bench {
namespace {

using measure::error_below;

/// "below 2,048", "below 131,072", "below 2^31": as context lengths are usually written.
std::string range_text(std::int64_t limit) {
  constexpr std::int64_t longest_in_digits = 1'000'000;
  if (limit == 0) return "at the sampled tokens";
  if (limit < 1000) return fmt::format("below {}", limit);
  if (limit < longest_in_digits) return fmt::format("below {},{:03}", limit / 1000, limit % 1000);
  const auto bits = static_cast<std::uint64_t>(limit);
  return std::has_single_bit(bits) ? fmt::format("below 2^{}", std::countr_zero(bits))
                                   : fmt::format("below {}", limit);
}

/// Truncated, not rounded: only a share of exactly 1 is shown as 100 %.
std::string share_text(double share) {
  return share == 1 ? "100 %" : fmt::format("{:.2f} %", std::floor(share * 10000) / 100);
}

std::string ulp_text(double ulp) {
  return ulp < 1000 ? fmt::format("{:.3g}", ulp) : fmt::format("{:.2g}", ulp);
}

std::string distance_text(double distance) { return fmt::format("{:.2g}", distance); }

/// The numbers that changed in one range of positions, as text, and whether they became better or worse.
class range_change {
 public:
  void add(std::string_view name, double before, double after, bool is_better_when_less,
           std::string (*text)(double)) {
    if (std::isnan(before) || std::isnan(after) || before == after) return;
    const bool is_better = (after < before) == is_better_when_less;
    (is_better ? better_ : worse_) = true;
    const bool differ_in_text = text(after) != text(before);  // otherwise all digits are shown
    numbers_ += (numbers_.empty() ? "" : ", ") + std::string(name);
    numbers_ += differ_in_text ? fmt::format(" {} -> {}", text(before), text(after))
                               : fmt::format(" {} -> {}", before, after);
  }

  precision_trend trend() const {
    if (better_ && worse_) return precision_trend::mixed;
    return better_ ? precision_trend::better : worse_ ? precision_trend::worse : precision_trend::same;
  }

  const std::string& numbers() const { return numbers_; }

 private:
  bool better_ = false, worse_ = false;
  std::string numbers_;
};

precision_trend joined(precision_trend trend, precision_trend other) {
  if (trend == other || other == precision_trend::same) return trend;
  return trend == precision_trend::same ? other : precision_trend::mixed;
}

/// Adds the changes in one range of positions.
void add_range(precision_change& result, const error_below& before, const error_below& after) {
  const std::string range = range_text(before.limit);
  if (before.is_served != after.is_served) {
    result.trend = joined(result.trend, after.is_served ? precision_trend::better : precision_trend::worse);
    result.lines.push_back((after.is_served ? "now serves positions " : "no longer serves positions ") +
                           range);
    return;
  }
  if (!before.is_served) return;
  range_change change;
  change.add("ulp", before.ulp, after.ulp, true, ulp_text);
  change.add("off", before.distance, after.distance, true, distance_text);
  change.add("right", before.correctly_rounded, after.correctly_rounded, false, share_text);
  if (change.trend() == precision_trend::same) return;
  result.trend = joined(result.trend, change.trend());
  result.lines.push_back(fmt::format("{} {}: {}", name_of(change.trend()), range, change.numbers()));
}

}  // namespace

std::string_view name_of(precision_trend trend) {
  switch (trend) {
    case precision_trend::same: return "as precise";
    case precision_trend::better: return "more precise";
    case precision_trend::worse: return "less precise";
    case precision_trend::mixed: return "precision changed";
  }
  return {};
}

precision_change precision_between(const measure::bench_row& before, const measure::bench_row& after) {
  precision_change result;
  for (const error_below& earlier : before.errors) {
    const auto later = std::find_if(after.errors.begin(), after.errors.end(),
                                    [&](const error_below& error) { return error.limit == earlier.limit; });
    if (later != after.errors.end()) add_range(result, earlier, *later);
  }
  return result;
}

}  // namespace ropewalk::bench
