// Mistakes of engines in ALiBi's slopes and biases.

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "diagnosis/addition_tables.hpp"
#include "diagnosis/listed_numbers.hpp"
#include "fault/known_faults.hpp"
#include "fault/scaled_biases.hpp"
#include "ropewalk/encoding/alibi.hpp"
#include "ropewalk/law/judge/bound.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr int slope_limbs = rope_rows::limb_count;

using slope_of = std::function<fault::own_number(int head)>;

std::vector<fault::own_number> slopes(int heads, const slope_of& each) {
  std::vector<fault::own_number> slopes;
  for (int head = 0; head < heads; ++head) slopes.push_back(each(head));
  return slopes;
}

/// 2^(-numerator / denominator).
fault::own_number power_of_half(int numerator, int denominator) {
  const auto exponent = fault::own_number::of(numerator) / fault::own_number::of(denominator);
  return exp(-(ln_2<slope_limbs>() * exponent));
}

/// Relative error of slopes that are powers of a number rounded to binary32, with exponents up to 2 heads.
double formed_slope_error(int heads) {
  using ropewalk::detail::product_up;
  const double sum = product_up(2.0 * heads + 2, unit_roundoff<float>);
  return product_up(sum, 1 + 2 * sum);
}

/// Slopes that an engine may have.
struct suspected_slopes {
  std::string name;
  std::string sentence;
  std::vector<fault::own_number> slopes;
  double error = 0;  // relative, of each slope
};

/// Slopes with one mistake each; some may equal the right ones.
class slope_mistakes {
 public:
  explicit slope_mistakes(int heads)
      : heads_(heads), right_(slopes(heads_, [&](int head) { return of_heads(head, heads_); })) {}

  const std::vector<fault::own_number>& right() const { return right_; }

  std::vector<suspected_slopes> all() {
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
    return std::move(made_);
  }

 private:
  static fault::own_number of_heads(int head, int heads) {
    return alibi_slope<slope_limbs>(head, {.heads = heads});
  }

  void add(std::string name, std::string sentence, const slope_of& each) {
    auto other = slopes(heads_, each);
    const bool is_right = std::equal(
        other.begin(), other.end(), right_.begin(),
        [](const auto& a, const auto& b) { return round<double>(a).bits == round<double>(b).bits; });
    if (!is_right)
      made_.push_back({std::move(name), std::move(sentence), std::move(other), formed_slope_error(heads_)});
  }

  /// Heads divided among devices, each of which counts its own heads or all of them.
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
  std::vector<suspected_slopes> made_;
};

/// How an engine forms biases from right slopes.
struct bias_making {
  alibi_form form{};
  fault::bias_rounding rounding = fault::bias_rounding::none;
  int head_dim = 0;  // biases are divided by its square root; 0: not divided
};

class bias_hypotheses {
 public:
  bias_hypotheses(const alibi& config, const tables::bias_extent& extent)
      : config_(config), extent_(extent) {}

  table_suspects all() {
    slope_mistakes mistakes(config_.heads);
    right_ = mistakes.right();
    for (suspected_slopes& slopes : mistakes.all())
      made_.push_back({slopes.name, slopes.sentence,
                       table(std::move(slopes.slopes), {.form = config_.form}, slopes.error)});
    for (const alibi_form form : alibi_forms)
      if (form != config_.form)
        made_.push_back({std::string("form-") + name_of(form), fault::sentence_of_form(form), made({form})});
    using enum fault::bias_rounding;
    const std::set<alibi_form> forms{config_.form, alibi_form::key};
    for (const alibi_form form : forms)
      for (const fault::bias_rounding rounding : {none, slope, slope_and_product}) {
        if (rounding != none) add(form, rounding);
        for (const int head_dim : fault::dividing_head_dims) add(form, rounding, head_dim);
      }
    table_suspects suspects{made({config_.form}), as_known(std::move(made_))};
    suspects.places_per_head = extent_.queries * extent_.keys;
    return suspects;
  }

 private:
  void add(alibi_form form, fault::bias_rounding rounding, int head_dim = 0) {
    fault::scaled_bias_steps steps;
    steps.by_key = form == alibi_form::key && form != config_.form;
    steps.rounding = rounding;
    steps.head_dim = head_dim;
    made_.push_back(
        {fault::name_of_scaled(steps), fault::sentence_of_scaled(steps), made({form, rounding, head_dim})});
  }

  std::shared_ptr<const suspected_table> made(const bias_making& making) const {
    return table(right_, making,
                 making.rounding == fault::bias_rounding::none ? formed_slope_error(config_.heads)
                                                               : divided_error(making.head_dim));
  }

  /// Relative error of a quotient in binary32; 0 without a division.
  static double divided_error(int head_dim) { return head_dim == 0 ? 0 : 4 * unit_roundoff<float>; }

  std::shared_ptr<const suspected_table> table(std::vector<fault::own_number> slopes,
                                               const bias_making& making, double error) const {
    const std::int64_t a_head = extent_.queries * extent_.keys;
    return table_of_numbers(
        config_.heads * a_head,
        [slopes = std::move(slopes), making, a_head, extent = extent_](std::int64_t place) {
          const std::int64_t key = place % extent.keys, query = place % a_head / extent.keys;
          const std::int64_t steps = alibi_steps(extent.position_of(query), key, extent.keys, making.form);
          return fault::scaled_bias(slopes[static_cast<std::size_t>(place / a_head)], steps, making.rounding,
                                    making.head_dim);
        },
        error);
  }

  alibi config_;
  tables::bias_extent extent_;
  std::vector<fault::own_number> right_;
  std::vector<table_hypothesis> made_;
};

}  // namespace

table_suspects slope_suspects(const alibi& config) {
  slope_mistakes mistakes(config.heads);
  const double error = formed_slope_error(config.heads);
  std::vector<table_hypothesis> made;
  for (suspected_slopes& slopes : mistakes.all())
    made.push_back({slopes.name, slopes.sentence, table_of_numbers(std::move(slopes.slopes), slopes.error)});
  const auto add = [&](fault::bias_rounding rounding, int head_dim) {
    fault::scaled_bias_steps steps;
    steps.rounding = rounding;
    steps.head_dim = head_dim;
    std::vector<fault::own_number> other;
    for (const fault::own_number& slope : mistakes.right())
      other.push_back(fault::scaled_bias(slope, 1, rounding, head_dim));
    made.push_back(
        {fault::name_of_scaled(steps), fault::sentence_of_scaled(steps),
         table_of_numbers(std::move(other),
                          rounding == fault::bias_rounding::none ? error : 4 * unit_roundoff<float>)});
  };
  using enum fault::bias_rounding;
  add(slope, 0);
  for (const fault::bias_rounding rounding : {none, slope})
    for (const int head_dim : fault::dividing_head_dims) add(rounding, head_dim);
  return {table_of_numbers(mistakes.right(), error), as_known(std::move(made))};
}

table_suspects bias_suspects(const alibi& config, const tables::bias_extent& extent) {
  return bias_hypotheses(config, extent).all();
}

}  // namespace ropewalk::diagnosis
