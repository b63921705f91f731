// Mistakes of engines in ALiBi's slopes.

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "diagnosis/addition_tables.hpp"
#include "diagnosis/listed_numbers.hpp"
#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/law/judge/bound.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr int slope_limbs = rope_rows::limb_count;

using slope_of = std::function<fault::own_number(int head)>;

std::vector<fault::own_number> slopes(int heads, const slope_of& each) {
  std::vector<fault::own_number> r;
  for (int head = 0; head < heads; ++head) r.push_back(each(head));
  return r;
}

/// 2^(-numerator / denominator).
fault::own_number power_of_half(int numerator, int denominator) {
  const auto exponent = fault::own_number::of(numerator) / fault::own_number::of(denominator);
  return exp(-(ln_2<slope_limbs>() * exponent));
}

/// Relative error of slopes that are powers of one number rounded to binary32, with an exponent of at most
/// 2 heads.
double formed_slope_error(int heads) {
  using ropewalk::detail::product_up;
  const double sum = product_up(2.0 * heads + 2, unit_roundoff<float>);
  return product_up(sum, 1 + 2 * sum);
}

class slope_hypotheses {
 public:
  explicit slope_hypotheses(const alibi& config)
      : heads_(config.heads), right_(slopes(heads_, [&](int head) { return of_heads(head, heads_); })) {}

  table_suspects all() {
    const int power = ropewalk::detail::formula_heads(heads_);
    add("exponent-from-zero", "head 0 has the slope 1: a slope's exponent is counted from 0",
        [&](int head) { return power_of_half(8 * head, power); });
    add("formula-for-any-heads", "the formula of powers of two is used for all heads",
        [&](int head) { return power_of_half(8 * (head + 1), heads_); });
    auto sorted = right_;
    std::sort(sorted.begin(), sorted.end(),
              [](const auto& a, const auto& b) { return compare(a, b) == order::greater; });
    add("slopes-sorted", "the slopes are sorted, where those beyond a power of two come in between",
        [&](int head) { return sorted[static_cast<std::size_t>(head)]; });
    add("slopes-negated", "every slope has the other sign",
        [&](int head) { return -right_[static_cast<std::size_t>(head)]; });
    add("slopes-doubled", "every slope is doubled",
        [&](int head) { return times_power_of_two(right_[static_cast<std::size_t>(head)], 1); });
    add("exponent-halved", "the exponents are half of what they should be",
        [&](int head) { return square_root(right_[static_cast<std::size_t>(head)]); });
    for (const int parts : {2, 4, 8}) add_parts(parts);
    return {table_of_numbers(right_, formed_slope_error(heads_)), as_known(std::move(made_))};
  }

 private:
  static fault::own_number of_heads(int head, int heads) {
    return alibi_slope<slope_limbs>(head, {.heads = heads});
  }

  void add(std::string name, std::string sentence, const slope_of& each) {
    const auto other = slopes(heads_, each);
    const bool is_right = std::equal(
        other.begin(), other.end(), right_.begin(),
        [](const auto& a, const auto& b) { return round<double>(a).bits == round<double>(b).bits; });
    if (!is_right)
      made_.push_back(
          {std::move(name), std::move(sentence), table_of_numbers(other, formed_slope_error(heads_))});
  }

  /// Heads that are divided among devices, each of which counts its own or all of them.
  void add_parts(int parts) {
    const std::string text = std::to_string(parts);
    if (heads_ % parts == 0)
      add("local-heads-" + text, "each of " + text + " parts counts its own heads only",
          [&](int head) { return of_heads(head % (heads_ / parts), heads_ / parts); });
    if (heads_ > largest_head_count / parts) return;
    for (int part = 0; part < parts; ++part)
      add("part-" + std::to_string(part) + "-of-" + text,
          "the slopes are part " + std::to_string(part) + " of those of " + text + " times as many heads",
          [&](int head) { return of_heads(part * heads_ + head, parts * heads_); });
  }

  int heads_;
  std::vector<fault::own_number> right_;
  std::vector<table_hypothesis> made_;
};

}  // namespace

table_suspects slope_suspects(const alibi& config) { return slope_hypotheses(config).all(); }

}  // namespace ropewalk::diagnosis
