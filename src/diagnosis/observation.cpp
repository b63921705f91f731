#include "diagnosis/observation.hpp"

#include <utility>

#include "ropewalk/law/kernel/measure.hpp"
#include "search/judging.hpp"

namespace ropewalk::diagnosis {
namespace {

bool is_same_bits(const answer& a, const answer& b) {
  if (a.done.has_value() != b.done.has_value()) return false;
  return !a.done || (a.done->query == b.done->query && a.done->key == b.done->key);
}

}  // namespace

bool time_left::is_over() const {
  return stopped_.load(std::memory_order_relaxed) ||
         (how_.deadline != search::clock::time_point{} && search::clock::now() >= how_.deadline);
}

template <class Kernel>
std::optional<observation<Kernel>> observer<Kernel>::observe(const law<Kernel>* law,
                                                             const law_case& test_case) try {
  const search::judging watched(kernel_.name(), law == nullptr ? "diagnosis" : law->name);
  observation<Kernel> seen_case{.law = law, .test_case = test_case};
  if (is_large(law)) {
    seen_case.measured = measure(*law, kernel_, test_case);
    seen_case.fails = !seen_case.measured.holds;
    is_silent_ = is_silent_ || seen_case.measured.unanswered;
    return seen_case.measured.declined || seen_case.measured.unanswered ? std::nullopt
                                                                        : std::optional(seen_case);
  }
  seen_case.plain = answer_of(kernel_, test_case);
  if (seen_case.plain.status == ROPEWALK_UNDECIDED || seen_case.plain.status == ROPEWALK_UNSUPPORTED)
    return std::nullopt;
  if (law != nullptr) {
    call_record record;
    record.keeps_calls = true;
    seen_case.measured = measure(*law, kernel_, test_case, record);
    seen_case.calls = std::move(record.calls);
  }
  is_silent_ = is_silent_ || seen_case.measured.unanswered;
  if (seen_case.measured.declined || seen_case.measured.unanswered) return std::nullopt;
  seen_case.right = answer_of(causes_.right(kernel_.promised()), test_case);
  if (seen_case.plain.done && seen_case.right.done)
    seen_case.wrong = differences(kernel_, test_case, *seen_case.plain.done, *seen_case.right.done);
  seen_case.fails = !seen_case.measured.holds || !seen_case.plain.done || !seen_case.wrong.empty();
  return seen_case;
} catch (const undecided&) {
  return std::nullopt;
} catch (const unanswered_call&) {
  is_silent_ = true;
  return std::nullopt;
} catch (const answer_awaited&) {
  is_awaiting_ = true;
  return std::nullopt;
} catch (const case_set_aside&) {
  return std::nullopt;
}

template <class Kernel>
bool observer<Kernel>::is_same_when_repeated(const observation<Kernel>& seen) try {
  return is_same_bits(seen.plain, answer_of(kernel_, seen.test_case));
} catch (const unanswered_call&) {
  is_silent_ = true;
  return true;
}

template class observer<checked_rotation>;
template class observer<checked_addition>;

}  // namespace ropewalk::diagnosis
