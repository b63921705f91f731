#include "diagnosis/inquiry.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/case_generator.hpp"
#include "search/schedule.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr std::int64_t enough_passing = 16;
constexpr std::int64_t further_rounds = 24;      // cases per law, drawn until enough pass
constexpr std::size_t failing_with_simpler = 4;  // failing cases from which simpler ones are derived
constexpr std::int64_t simpler_of_each = 24;

const auto& laws_of(const checked_rotation&) { return rotation_laws::all; }
const auto& laws_of(const checked_addition&) { return addition_laws::all; }

/// Pseudorandom number in [-1, 1), rounded to the dtype; depends only on the index.
std::uint64_t number_at(ropewalk_dtype dtype, std::size_t index) {
  std::uint64_t mixed = (index + 1) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9;
  const double value = std::ldexp(static_cast<double>(mixed >> 11), -52) - 1;
  return with_format(dtype,
                     [&]<class Float>() -> std::uint64_t { return convert<Float, double>(to_bits(value)); });
}

/// Positions where formats, tables and integer types end: next to powers of two and halfway between them,
/// with both signs.
std::vector<std::int64_t> decisive_positions() {
  std::vector<std::int64_t> positions{0};
  for (int power = 0; power <= 31; ++power) {
    const std::int64_t length = std::int64_t{1} << power;
    for (const std::int64_t position : {length - 1, length, length + 1, length + length / 2})
      for (const std::int64_t sign : {1, -1}) positions.push_back(sign * position);
  }
  return positions;
}

}  // namespace

template <class Kernel>
bool inquiry<Kernel>::look_at(const std::vector<failed_case<Kernel>>& failed, bool large) {
  std::vector<const failed_case<Kernel>*> ordered;
  for (const auto& item : failed)
    if (is_large(item.law) == large) ordered.push_back(&item);
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) {
    return a->test_case.query.size() + a->test_case.key.size() <
           b->test_case.query.size() + b->test_case.key.size();
  });
  if (ordered.size() > most_failed_cases) ordered.resize(most_failed_cases);
  for (const failed_case<Kernel>* failure : ordered) {
    if (!failure->is_reproducible) return false;
    if (time_.is_over()) return true;
    if (!failure->law->applies(kernel_)) continue;
    const std::optional<seen> seen_case = observer_.observe(failure->law, failure->test_case);
    if (!seen_case) continue;
    if (!seen_case->fails && !is_looser_) return false;
    if (!large && !observer_.is_same_when_repeated(*seen_case)) return false;
    has_refused_ = has_refused_ || !refusal_in(*seen_case).empty();
    take_in(*seen_case);
  }
  return true;
}

template <class Kernel>
void inquiry<Kernel>::look_at_fresh_cases(std::int64_t first, std::int64_t count) {
  std::size_t drawn = 0;
  for (std::int64_t number = first; number < first + count; ++number)
    for (const law<Kernel>& law : laws_of(kernel_)) {
      if (time_.is_over()) return;
      const ropewalk_dtype dtype = how_.dtypes[drawn++ % how_.dtypes.size()];
      if (is_large(&law) || !kernel_.served().serves(dtype) || !law.applies(kernel_) ||
          !law.beyond_limits(kernel_).empty())
        continue;
      // With one seed, all laws would draw nearly the same cases.
      const std::uint64_t seed = search::job_seed(how_.seed, "fresh", dtype, law.name);
      const law_case test_case = search::case_of(law, kernel_, dtype, seed, number);
      if (test_case.query.size() + test_case.key.size() <=
          most_fresh_elements + 2 * static_cast<std::size_t>(test_case.head_dim))
        look_at(&law, test_case, true);
    }
}

template <class Kernel>
void inquiry<Kernel>::look_for_passing_cases(std::int64_t first) {
  for (std::int64_t round = 0;
       round < further_rounds && cases_.passing() < enough_passing && !time_.is_over(); ++round)
    look_at_fresh_cases(first + round, 1);
}

template <class Kernel>
void inquiry<Kernel>::look_beside(const std::vector<failed_case<Kernel>>& failed) {
  std::size_t number = 0;
  for (const failed_case<Kernel>& failure : failed) {
    if (is_large(failure.law) || !failure.law->applies(kernel_) || ++number > failing_with_simpler) continue;
    auto simpler = search::simpler_cases(search::domain_of(*failure.law, kernel_, failure.test_case.dtype),
                                         failure.test_case);
    std::int64_t count = 0;
    for (auto next = simpler.next(); next && count < simpler_of_each && !time_.is_over();
         next = simpler.next(), ++count)
      look_at(failure.law, *next, false);
  }
}

template <class Kernel>
void inquiry<Kernel>::look_at_decisive_calls() {
  const std::vector<std::int64_t> all = decisive_positions();
  for (std::size_t d = 0; d < how_.dtypes.size(); ++d) {
    if (time_.is_over()) return;
    if (!kernel_.served().serves(how_.dtypes[d])) continue;
    const law_case test_case =
        search::case_of(laws_of(kernel_).front(), kernel_, how_.dtypes[d], how_.seed, 0);
    law_case plain;
    plain.dtype = test_case.dtype;
    plain.head_dim = test_case.head_dim;
    plain.query_heads = pairs_of(kernel_) > 0 ? 1 : test_case.query_heads;
    plain.axes = test_case.axes;
    plain.axis = test_case.axis;
    std::vector<std::int32_t> positions;
    for (std::size_t i = d; i < all.size(); i += how_.dtypes.size())
      if (kernel_.served().has_position(all[i])) positions.push_back(static_cast<std::int32_t>(all[i]));
    plain.tokens = static_cast<std::int64_t>(positions.size());
    look_at_call(plain, positions);
    if (pairs_of(kernel_) == 0) continue;
    plain.batch = plain.tokens = 2;
    plain.query_heads = 9;
    plain.key_heads = 5;
    look_at_call(plain, positions);
  }
}

template <class Kernel>
void inquiry<Kernel>::try_compounds() {
  causes_.try_compounds(cases_.all());
}

template <class Kernel>
bool inquiry<Kernel>::is_of_conduct() const {
  const std::string trouble = cases_.shared_trouble();
  return causes_.is_empty() && cases_.passing() == 0 && cases_.failing() >= enough_failing &&
         !trouble.empty() && !trouble.starts_with("status ");
}

template <class Kernel>
cause inquiry<Kernel>::explained() const {
  cause result = counted(verdict::explained);
  result.faults = causes_.faults();
  result.sentence = sentence_of_all(result.faults);
  return result;
}

template <class Kernel>
cause inquiry<Kernel>::counted(diagnosis::verdict verdict) const {
  cause result{.verdict = verdict};
  result.failing = cases_.failing();
  result.passing = cases_.passing();
  result.refused = refused_;
  result.refusal = refusal_;
  return result;
}

template <class Kernel>
void inquiry<Kernel>::look_at_call(law_case plain, std::vector<std::int32_t> positions) {
  for (int axis = 0; axis < plain.axes && !positions.empty(); ++axis) {
    for (std::int64_t i = 0; i < plain.batch * plain.tokens; ++i)
      plain.positions.push_back(positions[static_cast<std::size_t>(i) % positions.size()]);
    std::rotate(positions.begin(), positions.begin() + static_cast<std::ptrdiff_t>(positions.size() / 3),
                positions.end());
  }
  const auto numbers = [&](std::int64_t heads) {
    std::vector<std::uint64_t> bits(
        static_cast<std::size_t>(plain.batch * plain.tokens * heads * plain.head_dim));
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = number_at(plain.dtype, i);
    return bits;
  };
  plain.query = numbers(plain.query_heads);
  plain.key = numbers(plain.key_heads);
  if (!plain.positions.empty()) look_at(nullptr, plain, true);
}

template <class Kernel>
void inquiry<Kernel>::look_at(const law<Kernel>* law, const law_case& test_case, bool is_drawn) {
  if (!kernel_.served().allow(test_case)) return;
  std::optional<seen> seen_case = observer_.observe(law, test_case);
  if (!seen_case) return;
  if (const std::string refusal = refusal_in(*seen_case); !has_refused_ && !refusal.empty()) {
    if (refused_++ == 0) refusal_ = refusal;
    return;
  }
  seen_case->is_drawn = is_drawn;
  take_in(*std::move(seen_case));
}

template <class Kernel>
void inquiry<Kernel>::take_in(seen seen_case) {
  causes_.take_in(seen_case);
  cases_.add(std::move(seen_case));
}

template class inquiry<checked_rotation>;
template class inquiry<checked_addition>;

}  // namespace ropewalk::diagnosis
