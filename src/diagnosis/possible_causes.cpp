#include "diagnosis/possible_causes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "ropewalk/law/kernel/measure.hpp"
#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr int most_measured = 2;  // failing cases per law on which the effect of a fault is measured

/// Shortens "status 3, FIELD: WORDS" to "status 3": the wording differs between kernels.
std::string kind_of_trouble(const std::string& trouble) {
  return trouble.starts_with("status ") ? trouble.substr(0, trouble.find(',')) : trouble;
}

/// Compares a law's findings on two kernels. Of two kernels that agree within a bound, one may pass and one
/// may fail. If their worst ratios are within 2 of each other, the match is doubtful.
match compare(const measurement& a, const measurement& b, bool by_bits) {
  if (a.declined != b.declined || kind_of_trouble(a.trouble) != kind_of_trouble(b.trouble))
    return match::contradicts;
  if (by_bits) {
    const bool is_same = a.holds == b.holds && a.worst == b.worst && a.compared == b.compared &&
                         std::equal(a.numbers.bits, a.numbers.bits + a.numbers.count, b.numbers.bits);
    return is_same ? match::agrees : match::contradicts;
  }
  if (a.holds == b.holds) return match::agrees;
  return std::isfinite(a.worst) && std::isfinite(b.worst) && std::abs(a.worst - b.worst) <= 2
             ? match::doubtful
             : match::contradicts;
}

/// Whether the errors of two kernels that agree within a bound may differ this much. A large case offers
/// nothing else to compare.
bool is_as_far_off(const measurement& a, const measurement& b) {
  return std::abs(a.worst - b.worst) <= 2 || (a.worst <= 2 * b.worst && b.worst <= 2 * a.worst);
}

}  // namespace

template <class Kernel>
possible_causes<Kernel>::possible_causes(const Kernel& kernel, known_causes<Kernel>& causes,
                                         const effort& how, const time_left& time)
    : kernel_(kernel), causes_(causes), how_(how), time_(time), by_bits_(promises_bits(kernel.promised())) {
  for (std::size_t i = 0; i < causes.singles(); ++i)
    if (!is_left_out(i)) left_.push_back({i});
}

template <class Kernel>
void possible_causes<Kernel>::try_compounds(const std::vector<observation<Kernel>>& observed) {
  left_.clear();
  std::vector<const seen*> ordered;
  for (const seen& seen_case : observed) ordered.push_back(&seen_case);
  std::stable_sort(ordered.begin(), ordered.end(), [](const seen* a, const seen* b) {
    const auto cost = [](const seen& seen_case) {
      return std::tuple(is_large(seen_case.law), !seen_case.fails,
                        seen_case.test_case.query.size() + seen_case.test_case.key.size());
    };
    return cost(*a) < cost(*b);
  });
  std::map<std::string, bool> shown;  // parts that change a failing case
  const auto shows = [&](const std::string& part) {
    const auto [entry, is_new] = shown.try_emplace(part, false);
    if (is_new) entry->second = part_shows(part, ordered);
    return entry->second;
  };
  for (std::size_t i = causes_.singles(); i < causes_.count() && !time_.is_over(); ++i) {
    const std::vector<std::string>& parts = causes_.fault(i).parts;
    if (is_left_out(i) || !std::all_of(parts.begin(), parts.end(), shows)) continue;
    candidate suspected{i};
    const bool is_left = std::all_of(ordered.begin(), ordered.end(),
                                     [&](const seen* of_case) { return takes_in(suspected, *of_case); });
    if (is_left) left_.push_back(suspected);
  }
  if (time_.is_over()) left_.clear();
  settle();
}

template <class Kernel>
bool possible_causes<Kernel>::has_one_sentence() const {
  return std::all_of(left_.begin(), left_.end(), [&](const candidate& suspected) {
    return sentence_of(suspected) == sentence_of(left_.front());
  });
}

template <class Kernel>
void possible_causes<Kernel>::settle() {
  const std::int64_t enough = by_bits_ ? 1 : 2;
  std::erase_if(left_, [=](const candidate& suspected) {
    return suspected.decisive < enough || suspected.decisive + suspected.explained < suspected.doubtful;
  });
}

template <class Kernel>
void possible_causes<Kernel>::take_in(const seen& seen_case) {
  std::erase_if(left_, [&](candidate& suspected) { return !takes_in(suspected, seen_case); });
}

template <class Kernel>
std::vector<named_fault> possible_causes<Kernel>::faults() const {
  std::vector<named_fault> faults;
  for (const candidate& left : left_)
    faults.push_back({causes_.fault(left.index).kernel.name, sentence_of(left)});
  return faults;
}

template <class Kernel>
bool possible_causes<Kernel>::part_shows(const std::string& part, const std::vector<const seen*>& all) const {
  std::size_t index = 0;
  while (causes_.fault(index).kernel.name != part) ++index;
  std::map<const law<Kernel>*, int> measured;
  for (const seen* const seen_case : all) {
    if (!seen_case->fails || is_large(seen_case->law)) continue;
    if (time_.is_over()) return true;
    try {
      const Kernel& faulty = causes_.kernel(index, kernel_.promised());
      const answer plain = answer_of(faulty, seen_case->test_case);
      if (!diagnosis::agree(kernel_, seen_case->test_case, plain, seen_case->right)) return true;
      if (seen_case->law == nullptr || ++measured[seen_case->law] > most_measured) continue;
      if (!measure(*seen_case->law, faulty, seen_case->test_case).holds) return true;
    } catch (const undecided&) {
      return true;
    } catch (const case_set_aside&) {
      return true;
    }
  }
  return false;
}

template <class Kernel>
bool possible_causes<Kernel>::is_left_out(std::size_t index) const {
  const fault::known_fault& planted = causes_.fault(index);
  if (how_.skipped_faults.empty()) return false;
  return how_.skipped_faults.count(planted.sentence) > 0 ||
         std::any_of(planted.parts.begin(), planted.parts.end(), [&](const std::string& part) {
           return how_.skipped_faults.count(fault::sentence_of(part)) > 0;
         });
}

template <class Kernel>
bool possible_causes<Kernel>::takes_in(candidate& suspected, const seen& seen_case) const {
  const match of_case = explains(suspected.index, seen_case);
  if (seen_case.fails && of_case == match::doubtful) ++suspected.doubtful;
  if (seen_case.fails && of_case == match::agrees)
    ++(is_decisive(seen_case) ? suspected.decisive : suspected.explained);
  return of_case != match::contradicts;
}

template <class Kernel>
bool possible_causes<Kernel>::agree(const std::vector<transcribed_call>& seen_calls,
                                    const std::vector<transcribed_call>& others) const {
  auto next = others.begin();
  for (const transcribed_call& call : seen_calls) {
    const auto same = std::find_if(next, others.end(), [&](const transcribed_call& other) {
      return other.form == call.form && other.test_case == call.test_case;
    });
    if (same == others.end()) continue;
    if (!differences(kernel_, call.test_case, call.done, same->done).empty()) return false;
    next = same + 1;
  }
  return true;
}

template <class Kernel>
bool possible_causes<Kernel>::is_explained_by_calls(const seen& seen_case) const {
  return by_bits_ && !seen_case.calls.empty() && seen_case.measured.trouble.empty() &&
         seen_case.law->name != rotation_laws::layouts.name &&
         seen_case.law->name != rotation_laws::refusals.name;
}

template <class Kernel>
bool possible_causes<Kernel>::repeats(const Kernel& faulty,
                                      const std::vector<transcribed_call>& calls) const {
  return std::all_of(calls.begin(), calls.end(), [&](const transcribed_call& call) {
    const answer again = answer_of(faulty, call.test_case, call.form);
    if (again.status == ROPEWALK_UNDECIDED) throw undecided("the kernel's rounding");
    return again.done && differences(kernel_, call.test_case, call.done, *again.done).empty();
  });
}

template <class Kernel>
match possible_causes<Kernel>::explains(std::size_t index, const seen& seen_case) const try {
  if (time_.is_over()) return match::doubtful;  // the diagnosis ends anyway
  const Kernel& faulty = causes_.kernel(index, kernel_.promised());
  if (is_large(seen_case.law)) {
    const measurement measured = measure(*seen_case.law, faulty, seen_case.test_case);
    return is_as_far_off(seen_case.measured, measured) ? compare(seen_case.measured, measured, by_bits_)
                                                       : match::contradicts;
  }
  const answer plain = answer_of(faulty, seen_case.test_case);
  if (plain.status == ROPEWALK_UNDECIDED) return match::doubtful;
  if (!diagnosis::agree(kernel_, seen_case.test_case, seen_case.plain, plain)) return match::contradicts;
  bool fails = !plain.done;
  if (seen_case.law != nullptr &&
      // Avoids the exact values that the law forms.
      is_explained_by_calls(seen_case)) {
    if (!repeats(faulty, seen_case.calls)) return match::contradicts;
    fails = fails || !seen_case.measured.holds;
  } else if (seen_case.law != nullptr) {
    call_record record;
    record.keeps_calls = true;
    const measurement measured = measure(*seen_case.law, faulty, seen_case.test_case, record);
    if (compare(seen_case.measured, measured, by_bits_) == match::contradicts) return match::contradicts;
    if (!agree(seen_case.calls, record.calls)) return match::contradicts;
    fails = fails || !measured.holds;
  }
  if (fails == seen_case.fails) return match::agrees;
  fails = fails || (seen_case.right.done &&
                    !differences(kernel_, seen_case.test_case, *plain.done, *seen_case.right.done).empty());
  return fails == seen_case.fails ? match::agrees : match::doubtful;
} catch (const undecided&) {
  return match::doubtful;
} catch (const case_set_aside&) {
  return match::doubtful;
}

template class possible_causes<checked_rotation>;
template class possible_causes<checked_addition>;

}  // namespace ropewalk::diagnosis
