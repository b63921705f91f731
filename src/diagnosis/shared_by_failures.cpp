#include "diagnosis/shared_by_failures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "ropewalk/kernel/dtype.hpp"

namespace ropewalk::diagnosis {
namespace {

/// The largest magnitude of a position, the shifts of a second rotation and their sums.
double farthest(const law_case& test_case, double position) {
  double farthest = 0;
  for (const double shift : test_case.shift)
    farthest = std::max({farthest, std::abs(position), std::abs(shift), std::abs(position + shift)});
  return farthest;
}

double farthest(const law_case& test_case) {
  double value = 0;
  for (const double position : test_case.positions) value = std::max(value, farthest(test_case, position));
  return value;
}

/// The wrong position nearest to 0. The farthest position, if only a law reports a place: its calls may have
/// been wrong elsewhere.
double nearest_wrong(const seen_case& test_case) {
  if (test_case.is_place || test_case.wrong.empty()) return farthest(test_case.drawn);
  double wrong = std::numeric_limits<double>::infinity();
  for (const element& at : test_case.wrong)
    wrong = std::min(wrong, farthest(test_case.drawn, at.where.position));
  return wrong;
}

bool has_position_below_zero(const law_case& test_case) {
  return std::any_of(test_case.positions.begin(), test_case.positions.end(), [](double p) { return p < 0; });
}

bool has_position_between(const law_case& test_case) {
  return std::any_of(test_case.positions.begin(), test_case.positions.end(),
                     [](double p) { return p != std::trunc(p); });
}

/// Whether all wrong positions of a failing case are negative; for a passing case, whether some position is.
bool is_of_negative_positions(const seen_case& test_case) {
  if (test_case.is_place || test_case.wrong.empty()) return has_position_below_zero(test_case.drawn);
  return std::all_of(test_case.wrong.begin(), test_case.wrong.end(),
                     [](const element& at) { return at.where.position < 0; });
}

bool is_dense(const law_case& test_case) {
  return test_case.query_in == tensor_layout{} && test_case.key_in == tensor_layout{} &&
         test_case.query_out == tensor_layout{} && test_case.key_out == tensor_layout{};
}

/// Whether some token has different positions on two axes.
bool has_unlike_axes(const law_case& test_case) {
  const auto tokens = static_cast<std::size_t>(test_case.batch * test_case.tokens);
  for (std::size_t i = tokens; i < test_case.positions.size(); ++i)
    if (test_case.positions[i] != test_case.positions[i % tokens]) return true;
  return false;
}

bool is_packed(const seen_case& c) {
  return !c.drawn.sequence_offset.empty() || !c.form.sequence_offset.empty();
}

/// A predicate on cases, with its description.
struct property {
  const char* words;
  bool (*holds)(const seen_case&);
};

constexpr property properties[] = {
    {"backward", [](const seen_case& c) { return (c.drawn.flags & ROPEWALK_BACKWARD) != 0; }},
    {"forward", [](const seen_case& c) { return (c.drawn.flags & ROPEWALK_BACKWARD) == 0; }},
    {"unit rotations", [](const seen_case& c) { return (c.drawn.flags & ROPEWALK_UNIT) != 0; }},
    {"no unit rotation", [](const seen_case& c) { return (c.drawn.flags & ROPEWALK_UNIT) == 0; }},
    {"a tensor in place", [](const seen_case& c) { return c.drawn.in_place || c.drawn.key_otherwise; }},
    {"in place", [](const seen_case& c) { return c.drawn.in_place && !c.drawn.key_otherwise; }},
    {"out of place", [](const seen_case& c) { return !c.drawn.in_place && !c.drawn.key_otherwise; }},
    {"query and key, one of them in place", [](const seen_case& c) { return c.drawn.key_otherwise; }},
    {"query and key as heads of one tensor", [](const seen_case& c) { return c.drawn.fused; }},
    {"with a key", [](const seen_case& c) { return c.drawn.key_heads > 0; }},
    {"without a key", [](const seen_case& c) { return c.drawn.key_heads == 0; }},
    {"several batch rows", [](const seen_case& c) { return c.drawn.batch > 1; }},
    {"several tokens", [](const seen_case& c) { return c.drawn.tokens > 1; }},
    {"one token", [](const seen_case& c) { return c.drawn.tokens == 1; }},
    {"packed sequences", is_packed},
    {"tensors without a batch axis", [](const seen_case& c) { return c.form.rank_3 && !is_packed(c); }},
    {"a part of the tokens", [](const seen_case& c) { return c.form.part || !c.form.cuts.empty(); }},
    {"one row of positions for all batch rows", [](const seen_case& c) { return c.form.shared_positions; }},
    {"positions that are counted, not given",
     [](const seen_case& c) { return c.drawn.counted || c.form.counted_positions; }},
    {"positions in binary64", [](const seen_case& c) { return c.drawn.has_real_positions; }},
    {"positions that are not whole", [](const seen_case& c) { return has_position_between(c.drawn); }},
    {"positions that differ between axes", [](const seen_case& c) { return has_unlike_axes(c.drawn); }},
    {"unlike numbers of heads in query and key",
     [](const seen_case& c) { return c.drawn.key_heads > 0 && c.drawn.key_heads != c.drawn.query_heads; }},
    {"several heads",
     [](const seen_case& c) { return std::max(c.drawn.query_heads, c.drawn.key_heads) > 1; }},
    {"memory that is not dense", [](const seen_case& c) { return !is_dense(c.drawn); }},
    {"a plan with a range of positions",
     [](const seen_case& c) { return c.drawn.table.begin != c.drawn.table.end; }},
    {"a caller that changed the floating environment",
     [](const seen_case& c) { return c.drawn.environment != caller_environment::usual; }},
};

/// Cap on the probability that a reported common property is due to chance.
constexpr double largest_chance = 0.001;
constexpr std::int64_t largest_step = 64;

constexpr std::size_t enough_cases = 5;  // with wrong elements, to report where these are

/// Numbers of the wrong batch rows, heads or tokens.
struct numbers {
  const char* noun;
  std::set<std::int64_t> wrong{};
  std::int64_t most = 0;  // in a case
  bool are_last = true;

  void add(std::int64_t number, std::int64_t count) {
    wrong.insert(number);
    most = std::max(most, count);
    are_last = are_last && number + 1 == count;
  }

  /// "head 0 alone", "the last head alone", "odd heads alone", "heads from 4 on", "heads among 1 to 6"; empty
  /// if 0 is among several.
  std::string text() const {
    const std::int64_t first = *wrong.begin(), last = *wrong.rbegin();
    if (wrong.size() > 1 && are_last) return fmt::format("the last {} alone", noun);
    if (wrong.size() == 1) return most > 1 ? fmt::format("{} {} alone", noun, first) : "";
    if (first == 0) return "";
    constexpr std::size_t enough_odd = 4;  // fewer may be odd by chance
    if (wrong.size() >= enough_odd &&
        std::all_of(wrong.begin(), wrong.end(), [](std::int64_t index) { return index % 2 == 1; }))
      return fmt::format("odd {}s alone", noun);
    return last + 1 == most && last - first + 1 == static_cast<std::int64_t>(wrong.size())
               ? fmt::format("{}s from {} on", noun, first)
               : fmt::format("{}s among {} to {}", noun, first, last);
  }
};

class facts {
 public:
  facts(const std::vector<seen_case>& seen, int pairs, bool has_factor)
      : seen_(seen), pairs_(pairs), has_factor_(has_factor) {}

  std::string text() {
    add_dtypes();
    add_positions();
    add_properties();
    add_places();
    return text_;
  }

 private:
  void add(const std::string& words) { text_ += (text_.empty() ? "" : "; ") + words; }

  template <class Test>
  bool every_failing(Test test) const {
    return std::all_of(seen_.begin(), seen_.end(),
                       [&](const auto& item) { return !item.fails || test(item); });
  }
  /// Whether every failing case has a property that some passing case lacks, and that this many drawn cases
  /// would rarely share by chance.
  template <class Test>
  bool is_shared(Test test) const {
    if (!every_failing(test)) return false;
    std::set<std::size_t> failing;
    double passing = 0, passing_with = 0;
    bool is_lacked = false;  // some passing case lacks it
    for (const seen_case& test_case : seen_) {
      if (!test_case.fails) is_lacked = is_lacked || !test(test_case);
      if (!test_case.is_drawn) continue;
      if (test_case.fails)
        failing.insert(test_case.number);
      else
        ++passing, passing_with += test(test_case) ? 1 : 0;
    }
    if (!is_lacked) return false;
    const double share = (passing_with + 1) / (passing + 2);  // rule of succession, Laplace
    return static_cast<double>(failing.size()) * std::log(share) <= std::log(largest_chance);
  }

  void add_dtypes() {
    std::set<ropewalk_dtype> failing;
    for (const seen_case& test_case : seen_)
      if (test_case.fails) failing.insert(test_case.drawn.dtype);
    if (!is_shared([&](const seen_case& test_case) { return failing.contains(test_case.drawn.dtype); }))
      return;
    std::string names;
    for (const ropewalk_dtype dtype : failing) names += std::string(" ") + ropewalk::name_of(dtype);
    add("dtype" + names);
  }

  void add_positions() {
    double least = std::numeric_limits<double>::infinity();
    for (const seen_case& test_case : seen_)
      if (test_case.fails) least = std::min(least, nearest_wrong(test_case));
    if (least > 1 &&
        is_shared([&](const seen_case& test_case) { return farthest(test_case.drawn) >= least; }))
      add(fmt::format("positions at least {} from 0", least));
    if (is_shared(is_of_negative_positions)) add("negative positions");
  }

  void add_properties() {
    for (const property& property : properties)
      if (has_factor_ || std::string_view(property.words).find("unit rotation") == std::string_view::npos)
        if (is_shared([&](const seen_case& c) { return c.is_place || property.holds(c); }))
          add(property.words);
  }

  void add_places() {
    std::set<std::int64_t> wrong_pairs, tensors, channels, axes;
    std::set<double> positions;
    numbers rows{"batch row"}, heads{"head"}, tokens{"token"};
    std::int64_t most_axes = 0;
    std::set<std::size_t> cases;
    std::set<std::pair<std::size_t, std::int64_t>> pairs_of_cases;
    std::set<std::size_t> with_wrong_calls;
    for (const seen_case& test_case : seen_)
      if (test_case.fails && !test_case.is_place && !test_case.wrong.empty())
        with_wrong_calls.insert(test_case.number);
    for (const seen_case& test_case : seen_) {
      if (!test_case.fails) continue;
      if (!test_case.wrong.empty()) cases.insert(test_case.number);
      for (const element& at : test_case.wrong) {
        if (at.where.pair >= 0) {
          axes.insert(axis_of(test_case.drawn, static_cast<int>(at.where.pair)));
          wrong_pairs.insert(at.where.pair), pairs_of_cases.emplace(test_case.number, at.where.pair);
        } else if (!test_case.is_place) {
          channels.insert(at.where.channel);
        }
        if (test_case.is_place && with_wrong_calls.contains(test_case.number))
          continue;  // other checks show it better
        tensors.insert(at.where.tensor == operand::key ? 1 : 0);
        rows.add(at.where.row, test_case.drawn.batch);
        heads.add(at.where.head, heads_of(test_case.drawn, at.where.tensor));
        tokens.add(at.where.token, test_case.drawn.tokens);
        if (!test_case.is_place) positions.insert(at.where.position);
        most_axes = std::max<std::int64_t>(most_axes, test_case.drawn.axes);
      }
    }
    if (cases.size() < enough_cases) return;  // too few to exclude chance
    if (pairs_ > 0 && channels.empty() && are_chosen(wrong_pairs.size(), pairs_of_cases.size()))
      add(pairs_text(wrong_pairs));
    if (pairs_ > 0 && wrong_pairs.empty()) add("channels that pass through");
    if (tensors.size() == 1 && *tensors.begin() == 1) add("the key alone");
    if (tensors.size() == 1 && *tensors.begin() == 0 &&
        std::any_of(seen_.begin(), seen_.end(), [](const seen_case& test_case) {
          return test_case.fails && test_case.drawn.key_heads > 0;
        }))
      add("the query alone");
    for (const numbers* numbers : {&rows, &heads, &tokens})
      if (const std::string text = numbers->text(); !text.empty()) add(text);
    add_wrong_positions(positions);
    if (most_axes > 1 && axes.size() == 1) add(fmt::format("pairs of axis {} alone", *axes.begin()));
  }

  /// Reports a single wrong position, or a power of two whose multiples are right.
  void add_wrong_positions(const std::set<double>& wrong) {
    if (wrong.size() == 1) {
      if (is_asked_elsewhere(*wrong.begin())) add(fmt::format("position {} alone", *wrong.begin()));
      return;
    }
    for (std::int64_t step = 2; step <= largest_step; step *= 2) {
      const bool none = std::none_of(wrong.begin(), wrong.end(),
                                     [=](double p) { return std::fmod(p, static_cast<double>(step)) == 0; });
      const double chance = std::log1p(-1 / static_cast<double>(step));
      if (none && static_cast<double>(wrong.size()) * chance <= std::log(largest_chance)) {
        add(step == 2 ? "odd positions alone" : fmt::format("no position that is a multiple of {}", step));
        return;
      }
    }
  }

  /// Whether a failing case also has another position.
  bool is_asked_elsewhere(double position) const {
    return std::any_of(seen_.begin(), seen_.end(), [&](const seen_case& test_case) {
      return test_case.fails &&
             std::any_of(test_case.drawn.positions.begin(), test_case.drawn.positions.end(),
                         [&](double p) { return p != position; });
    });
  }

  /// "pairs 3 to 9"; if the first and the last pair are wrong, "all pairs but 41", or how many.
  std::string pairs_text(const std::set<std::int64_t>& wrong) const {
    if (*wrong.begin() != 0 || *wrong.rbegin() + 1 != pairs_) return "pairs " + range_text(wrong);
    constexpr std::size_t few = 4;
    std::vector<std::int64_t> others;
    for (int pair = 0; pair < pairs_; ++pair)
      if (!wrong.contains(pair)) others.push_back(pair);
    return others.size() <= few ? fmt::format("all pairs but {}", fmt::join(others, ", "))
                                : fmt::format("{} of the {} pairs", wrong.size(), pairs_);
  }

  /// Whether chance would rarely leave so few wrong pairs: there are binomial(pairs, wrong) choices, each
  /// with probability (wrong / pairs)^times.
  bool are_chosen(std::size_t wrong, std::size_t times) const {
    const double some = static_cast<double>(wrong), all = pairs_;
    if (some == 0 || some >= all) return false;
    const double choices = std::lgamma(all + 1) - std::lgamma(some + 1) - std::lgamma(all - some + 1);
    return choices + static_cast<double>(times) * std::log(some / all) <= std::log(largest_chance);
  }

  const std::vector<seen_case>& seen_;
  int pairs_;
  bool has_factor_;
  std::string text_;
};

}  // namespace

std::string range_text(const std::set<std::int64_t>& numbers) {
  if (numbers.size() == 1) return std::to_string(*numbers.begin());
  const bool is_whole = *numbers.rbegin() - *numbers.begin() + 1 == static_cast<std::int64_t>(numbers.size());
  return fmt::format("{}{} to {}", is_whole ? "" : "among ", *numbers.begin(), *numbers.rbegin());
}

std::string shared_by_failures(const std::vector<seen_case>& seen, int pairs, bool has_factor) {
  return facts(seen, pairs, has_factor).text();
}

}  // namespace ropewalk::diagnosis
