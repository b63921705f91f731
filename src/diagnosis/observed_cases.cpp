#include "diagnosis/observed_cases.hpp"

#include <algorithm>
#include <optional>

namespace ropewalk::diagnosis {
namespace {

constexpr std::size_t most_calls_looked_at = 48;  // per failing case, to find what wrong calls share
constexpr std::size_t most_wrong_calls = 12;

rotated done_by(const checked_rotation& kernel, const transcribed_call& call) {
  return kernel.turned(call.test_case, call.form);
}
rotated done_by(const checked_addition& kernel, const transcribed_call& call) {
  return kernel.sums(call.test_case, call.form);
}

}  // namespace

template <class Kernel>
std::int64_t observed_cases<Kernel>::failing() const {
  return std::count_if(seen_.begin(), seen_.end(), [](const seen& seen_case) { return seen_case.fails; });
}

template <class Kernel>
void observed_cases<Kernel>::report_common(cause& to) const {
  std::vector<seen_case> calls;
  std::int64_t cases = 0;  // failing cases with a wrong call
  for (std::size_t i = 0; i < seen_.size(); ++i)
    if (seen_[i].fails && !is_large(seen_[i].law) && add_calls_of(i, calls)) ++cases;
  if (cases == 0) calls.clear();
  bool is_of_large_alone = true;
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    const seen& seen_case = seen_[i];
    if (is_large(seen_case.law)) continue;
    is_of_large_alone = is_of_large_alone && !seen_case.fails;
    if (!seen_case.fails || cases == 0)
      calls.push_back(without_elements(i, seen_case.test_case, {}, seen_case.fails));
    if (seen_case.measured.holds || !seen_case.measured.trouble.empty()) continue;
    calls.push_back(without_elements(i, seen_case.test_case, {}, true));
    calls.back().is_place = true;
    calls.back().wrong = {{seen_case.measured.where}};
  }
  to.failing_of_common = cases == 0 ? failing() : cases;
  const std::string trouble = shared_trouble();
  const std::string shared = is_of_large_alone
                                 ? "they are calls of the law sizes"
                                 : shared_by_failures(calls, pairs_of(kernel_), has_factor(kernel_));
  to.common = trouble + (trouble.empty() || shared.empty() ? "" : "; ") + shared;
  if (to.common.empty()) to.common = "none of the checked properties";
}

template <class Kernel>
std::string observed_cases<Kernel>::shared_trouble() const {
  std::optional<std::string> all;
  for (const seen& seen_case : seen_) {
    if (!seen_case.fails) continue;
    const std::string& trouble =
        seen_case.plain.trouble.empty() ? seen_case.measured.trouble : seen_case.plain.trouble;
    if (trouble != all.value_or(trouble)) return "";
    all = trouble;
  }
  return all.value_or("");
}

template <class Kernel>
std::string observed_cases<Kernel>::refusal() const {
  std::string text;
  for (const seen& seen_case : seen_) {
    if (!seen_case.fails) continue;
    const std::string& said = seen_case.plain.done || is_large(seen_case.law) ? seen_case.measured.trouble
                                                                              : seen_case.plain.trouble;
    if (!said.starts_with("status ")) return "";
    if (text.empty()) text = said;
  }
  return text;
}

template <class Kernel>
bool observed_cases<Kernel>::is_not_written() const {
  bool is_seen = false;
  for (const seen& seen_case : seen_) {
    if (!seen_case.fails || (seen_case.plain.done && seen_case.wrong.empty())) continue;
    if (is_large(seen_case.law) || !seen_case.plain.done) return false;
    const std::uint64_t pattern =
        0x0101010101010101u * untouched_byte >> (64 - 8 * size_of(seen_case.test_case.dtype));
    for (const element& at : seen_case.wrong) {
      const std::uint64_t bits = elements_of(*seen_case.plain.done, at.where.tensor)[at.index];
      const bool in_place = is_in_place(seen_case.test_case, at.where.tensor);
      const std::uint64_t before =
          in_place ? elements_of(seen_case.test_case, at.where.tensor)[at.index] : pattern;
      if (bits != before) return false;
      is_seen = is_seen || !in_place;
    }
  }
  return is_seen;
}

template <class Kernel>
bool observed_cases<Kernel>::is_of_environment(observer<Kernel>& observer) const {
  bool is_seen = false;
  for (const seen& seen_case : seen_) {
    if (!seen_case.fails) continue;
    is_seen = true;
    law_case usual = seen_case.test_case;
    usual.environment = caller_environment::usual;
    if (seen_case.law != nullptr && seen_case.law->needs.environments) {
      if (!seen_case.wrong.empty() && seen_case.test_case.environment == caller_environment::usual)
        return false;
      continue;
    }
    if (seen_case.test_case.environment == caller_environment::usual) return false;
    const std::optional<seen> answer = observer.observe(seen_case.law, usual);
    if (!answer || answer->fails) return false;
  }
  return is_seen;
}

template <class Kernel>
seen_case observed_cases<Kernel>::without_elements(std::size_t number, law_case test_case,
                                                   const call_form& form, bool fails) const {
  test_case.query.clear();
  test_case.key.clear();
  return {number, std::move(test_case), form, fails, false, seen_[number].is_drawn};
}

template <class Kernel>
bool observed_cases<Kernel>::add_calls_of(std::size_t number, std::vector<seen_case>& to) const {
  const seen& seen_case = seen_[number];
  std::size_t wrong = 0;
  const auto add_wrong = [&](const law_case& test_case, const call_form& form, std::vector<element> at) {
    to.push_back(without_elements(number, test_case, form, true));
    to.back().wrong = std::move(at);
    ++wrong;
  };
  if (!seen_case.wrong.empty() || !seen_case.plain.done) add_wrong(seen_case.test_case, {}, seen_case.wrong);
  std::size_t looked_at = 0;
  for (const transcribed_call& call : seen_case.calls) {
    if (time_.is_over() || wrong == most_wrong_calls || looked_at == most_calls_looked_at) break;
    if (call.test_case.query.size() + call.test_case.key.size() > most_fresh_elements) continue;
    ++looked_at;
    law_case test_case = call.test_case;
    test_case.shift = {};  // the call has the positions of one rotation
    try {
      const rotated right = done_by(causes_.right(kernel_.promised()), call);
      std::vector<element> at = differences(kernel_, call.test_case, call.done, right);
      if (!at.empty()) {
        add_wrong(test_case, call.form, std::move(at));
      } else {
        to.push_back(without_elements(number, test_case, call.form, false));
        to.back().is_drawn = false;
      }
    } catch (const undecided&) {
    } catch (const case_set_aside&) {
    }
  }
  return wrong > 0;
}

template class observed_cases<checked_rotation>;
template class observed_cases<checked_addition>;

}  // namespace ropewalk::diagnosis
