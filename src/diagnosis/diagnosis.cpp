#include "diagnosis/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "diagnosis/shared_by_failures.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/kernel/call_record.hpp"
#include "ropewalk/law/kernel/measure.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "search/case_generator.hpp"
#include "search/judging.hpp"
#include "search/schedule.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr std::size_t most_failed_cases = 32;      // cap on replayed cases, for large and small ones each
constexpr std::size_t most_fresh_elements = 1536;  // cap on a fresh case: enough to fill vector loops
constexpr std::size_t most_calls_looked_at = 48;   // per failing case, to find what wrong calls share
constexpr std::size_t most_wrong_calls = 12;
constexpr std::int64_t fresh_cases_of_each = 4;     // per law, over all dtypes together
constexpr std::int64_t decisive_cases_of_each = 8;  // added if several causes or few failing cases remain
constexpr std::int64_t enough_failing = 16;
constexpr std::int64_t enough_passing = 16;
constexpr std::int64_t further_rounds = 24;      // cases per law, drawn until enough pass
constexpr std::size_t failing_with_simpler = 4;  // failing cases from which simpler ones are derived
constexpr std::int64_t simpler_of_each = 24;
constexpr int times_of_state = 8;     // repetitions of each of two calls: chance would pass 1 in 65536
constexpr int most_measured = 2;      // failing cases per law on which the effect of a fault is measured
constexpr double decisive_ratio = 4;  // observed / bound: a cause that agrees then exceeds two bounds

const auto& laws_of(const checked_rotation&) { return rotation_laws::all; }
const auto& laws_of(const checked_addition&) { return addition_laws::all; }

/// A case, and one kernel's behaviour on it.
template <class Kernel>
struct observation {
  const ropewalk::law<Kernel>* law = nullptr;  // null: a plain call, and no law
  law_case test_case;
  answer plain{};
  answer right{};  // the faultless kernel's
  measurement measured{};
  std::vector<transcribed_call> calls{};  // made by the law
  std::vector<element> wrong{};           // in the plain call's answer
  bool fails = false;
  bool is_drawn = true;  // false: derived from another case, to see why that fails
};

/// Whether a law's cases are given by a few numbers instead of listed elements. Only the law itself can run
/// such a case, which costs as much as many others.
template <class Kernel>
bool is_large(const law<Kernel>* law) {
  return law != nullptr && law->needs.sizes;
}

/// Shortens "status 3, FIELD: WORDS" to "status 3": the wording differs between kernels.
std::string kind_of_trouble(const std::string& trouble) {
  return trouble.starts_with("status ") ? trouble.substr(0, trouble.find(',')) : trouble;
}

enum class match { agrees, doubtful, contradicts };

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

/// The observed cases of one kernel, judged by one promise, and the causes that they leave possible.
template <class Kernel>
class inquiry {
  using seen = observation<Kernel>;

  /// A cause that no case contradicts, and how many failing cases it explains or leaves in doubt.
  struct candidate {
    std::size_t index = 0;
    std::int64_t decisive = 0;   // explained, and is_decisive
    std::int64_t explained = 0;  // explained, but not decisive
    std::int64_t doubtful = 0;
  };

 public:
  /// `is_looser`: the promise is not the one that the failed cases were judged by; some cases may keep it.
  inquiry(const Kernel& kernel, known_causes<Kernel>& causes, const effort& how,
          const std::atomic<bool>& stopped, bool is_looser = false)
      : kernel_(kernel),
        causes_(causes),
        how_(how),
        stopped_(stopped),
        by_bits_(promises_bits(kernel.promised())),
        is_looser_(is_looser) {
    for (std::size_t i = 0; i < causes.singles(); ++i)
      if (!is_left_out(i)) left_.push_back({i});
  }

  bool is_over() const {
    return stopped_.load(std::memory_order_relaxed) ||
           (how_.deadline != search::clock::time_point{} && search::clock::now() >= how_.deadline);
  }

  /// Runs the failed cases again, either the large or the small ones, the smallest first. Returns false if
  /// the kernel is not reproducible.
  bool look_at(const std::vector<failed_case<Kernel>>& failed, bool large) {
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
      if (is_over()) return true;
      if (!failure->law->applies(kernel_)) continue;
      const std::optional<seen> seen_case = observe(kernel_, failure->law, failure->test_case);
      if (!seen_case) continue;
      if (!seen_case->fails && !is_looser_) return false;
      if (!large && !is_same_when_repeated(*seen_case)) return false;
      has_refused_ = has_refused_ || !refusal_in(*seen_case).empty();
      take_in(*seen_case);
    }
    return true;
  }

  /// Observes cases from the search's generator, for each law without large cases; the dtypes take turns.
  void look_at_fresh_cases(std::int64_t first, std::int64_t count) {
    std::size_t drawn = 0;
    for (std::int64_t number = first; number < first + count; ++number)
      for (const law<Kernel>& law : laws_of(kernel_)) {
        if (is_over()) return;
        const ropewalk_dtype dtype = how_.dtypes[drawn++ % how_.dtypes.size()];
        if (is_large(&law) || !kernel_.served().serves(dtype) || !law.applies(kernel_) ||
            !law.beyond_limits(kernel_).empty())
          continue;
        // With one seed, all laws would draw nearly the same cases.
        const std::uint64_t seed = search::job_seed(how_.seed, "fresh", dtype, law.name);
        const law_case test_case = search::case_of(law, kernel_, dtype, seed, number);
        if (test_case.query.size() + test_case.key.size() <=
            most_fresh_elements + 2 * static_cast<std::size_t>(test_case.head_dim))
          look_at(&law, test_case);
      }
  }

  /// Observes more fresh cases until enough pass: failing cases alone are weak evidence.
  void look_for_passing_cases(std::int64_t first) {
    for (std::int64_t round = 0; round < further_rounds && passing() < enough_passing && !is_over(); ++round)
      look_at_fresh_cases(first + round, 1);
  }

  /// Observes cases that are one step simpler than failing ones; most of them pass.
  void look_beside(const std::vector<failed_case<Kernel>>& failed) {
    std::size_t number = 0;
    for (const failed_case<Kernel>& failure : failed) {
      if (is_large(failure.law) || !failure.law->applies(kernel_) || ++number > failing_with_simpler)
        continue;
      auto simpler = search::simpler_cases(search::domain_of(*failure.law, kernel_, failure.test_case.dtype),
                                           failure.test_case);
      std::int64_t count = 0;
      for (auto next = simpler.next(); next && count < simpler_of_each && !is_over();
           next = simpler.next(), ++count)
        look_at(failure.law, *next, false);
    }
  }

  /// Observes plain calls at positions where formats end; for rotations also with more heads than a vector
  /// register holds.
  void look_at_decisive_calls() {
    const std::vector<std::int64_t> all = decisive_positions();
    for (std::size_t d = 0; d < how_.dtypes.size(); ++d) {
      if (is_over()) return;
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

  /// Replaces the causes by the compounds of known faults that no case contradicts.
  void try_compounds() {
    left_.clear();
    std::vector<const seen*> ordered;
    for (const seen& seen_case : seen_) ordered.push_back(&seen_case);
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
    for (std::size_t i = causes_.singles(); i < causes_.count() && !is_over(); ++i) {
      const std::vector<std::string>& parts = causes_.fault(i).parts;
      if (is_left_out(i) || !std::all_of(parts.begin(), parts.end(), shows)) continue;
      candidate suspected{i};
      const bool is_left = std::all_of(ordered.begin(), ordered.end(),
                                       [&](const seen* of_case) { return takes_in(suspected, *of_case); });
      if (is_left) left_.push_back(suspected);
    }
    if (is_over()) left_.clear();
    settle();
  }

  bool has_one_sentence() const {
    return std::all_of(left_.begin(), left_.end(), [&](const candidate& suspected) {
      return sentence_of(suspected) == sentence_of(left_.front());
    });
  }

  /// Drops causes with too few decisive cases, or with more doubtful than explained cases.
  void settle() {
    const std::int64_t enough = by_bits_ ? 1 : 2;
    std::erase_if(left_, [=](const candidate& suspected) {
      return suspected.decisive < enough || suspected.decisive + suspected.explained < suspected.doubtful;
    });
  }

  /// Whether a case was skipped because its answers are awaited.
  bool is_awaiting() const { return is_awaiting_; }
  /// Whether a call got no answer: the kernel's process ended or timed out.
  bool is_silent() const { return is_silent_; }
  bool has_causes() const { return !left_.empty(); }
  std::int64_t failing() const {
    return std::count_if(seen_.begin(), seen_.end(), [](const seen& seen_case) { return seen_case.fails; });
  }
  std::int64_t passing() const { return static_cast<std::int64_t>(seen_.size()) - failing(); }

  cause explained() const {
    cause result = counted(verdict::explained);
    for (const candidate& left : left_)
      result.faults.push_back({causes_.fault(left.index).kernel.name, sentence_of(left)});
    result.sentence = sentence_of_all(result.faults);
    return result;
  }

  cause counted(verdict verdict) const {
    cause result{.verdict = verdict};
    for (const seen& seen_case : seen_) ++(seen_case.fails ? result.failing : result.passing);
    result.refused = refused_;
    result.refusal = refusal_;
    return result;
  }

  /// Reports what the failing cases have in common; in their wrong calls, if there are any.
  void report_common(cause& to) const {
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

  /// The trouble that every failing case reports; empty if they differ.
  std::string shared_trouble() const {
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

  /// The kernel's first refusal, if it refused a call of every failing case; otherwise empty.
  std::string refusal() const {
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

  /// Whether every wrong element holds the content of its memory before the call, and some call was out of
  /// place. Cases without a wrong call of their own, such as expected refusals, do not count.
  bool is_not_written() const {
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

  /// Whether every case fails with the same report, which is no refusal, and no known fault remains.
  bool is_of_conduct() const {
    const std::string trouble = shared_trouble();
    return left_.empty() && passing() == 0 && failing() >= enough_failing && !trouble.empty() &&
           !trouble.starts_with("status ");
  }

  /// Whether every failing case fails only under a changed floating-point environment of the caller.
  bool is_of_environment() const {
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
      const std::optional<seen> answer = observe(kernel_, seen_case.law, usual);
      if (!answer || answer->fails) return false;
    }
    return is_seen;
  }

 private:
  seen_case without_elements(std::size_t number, law_case test_case, const call_form& form,
                             bool fails) const {
    test_case.query.clear();
    test_case.key.clear();
    return {number, std::move(test_case), form, fails, false, seen_[number].is_drawn};
  }

  /// Adds the calls of a failing case: the plain one, if wrong, and those that its law derives from it, as
  /// far as time and memory allow. Returns false if no call is wrong.
  bool add_calls_of(std::size_t number, std::vector<seen_case>& to) const {
    const seen& seen_case = seen_[number];
    std::size_t wrong = 0;
    const auto add_wrong = [&](const law_case& test_case, const call_form& form, std::vector<element> at) {
      to.push_back(without_elements(number, test_case, form, true));
      to.back().wrong = std::move(at);
      ++wrong;
    };
    if (!seen_case.wrong.empty() || !seen_case.plain.done)
      add_wrong(seen_case.test_case, {}, seen_case.wrong);
    std::size_t looked_at = 0;
    for (const transcribed_call& call : seen_case.calls) {
      if (is_over() || wrong == most_wrong_calls || looked_at == most_calls_looked_at) break;
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

  static rotated done_by(const checked_rotation& kernel, const transcribed_call& call) {
    return kernel.turned(call.test_case, call.form);
  }
  static rotated done_by(const checked_addition& kernel, const transcribed_call& call) {
    return kernel.sums(call.test_case, call.form);
  }

  static bool is_same_bits(const answer& a, const answer& b) {
    if (a.done.has_value() != b.done.has_value()) return false;
    return !a.done || (a.done->query == b.done->query && a.done->key == b.done->key);
  }

  /// Whether the plain call gives the same bits again; a repetition without an answer counts as the same.
  bool is_same_when_repeated(const seen& seen_case) try {
    return is_same_bits(seen_case.plain, answer_of(kernel_, seen_case.test_case));
  } catch (const unanswered_call&) {
    is_silent_ = true;
    return true;
  }

  /// Runs one case. Returns nothing if a rounding is undecided, or the kernel declines the call or does not
  /// answer.
  std::optional<seen> observe(const Kernel& kernel, const law<Kernel>* law, const law_case& test_case) const
      try {
    const search::judging watched(kernel.name(), law == nullptr ? "diagnosis" : law->name);
    seen seen_case{.law = law, .test_case = test_case};
    if (is_large(law)) {
      seen_case.measured = measure(*law, kernel, test_case);
      seen_case.fails = !seen_case.measured.holds;
      is_silent_ = is_silent_ || seen_case.measured.unanswered;
      return seen_case.measured.declined || seen_case.measured.unanswered ? std::nullopt
                                                                          : std::optional(seen_case);
    }
    seen_case.plain = answer_of(kernel, test_case);
    if (seen_case.plain.status == ROPEWALK_UNDECIDED || seen_case.plain.status == ROPEWALK_UNSUPPORTED)
      return std::nullopt;
    if (law != nullptr) {
      call_record record;
      record.keeps_calls = true;
      seen_case.measured = measure(*law, kernel, test_case, record);
      seen_case.calls = std::move(record.calls);
    }
    is_silent_ = is_silent_ || seen_case.measured.unanswered;
    if (seen_case.measured.declined || seen_case.measured.unanswered) return std::nullopt;
    seen_case.right = answer_of(causes_.right(kernel.promised()), test_case);
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

  /// Observes a plain call with pseudorandom elements at these positions, in another order per axis.
  void look_at_call(law_case plain, std::vector<std::int32_t> positions) {
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
    if (!plain.positions.empty()) look_at(nullptr, plain);
  }

  void look_at(const law<Kernel>* law, const law_case& test_case, bool is_drawn = true) {
    if (!kernel_.served().allow(test_case)) return;
    std::optional<seen> seen_case = observe(kernel_, law, test_case);
    if (!seen_case) return;
    if (const std::string refusal = refusal_in(*seen_case); !has_refused_ && !refusal.empty()) {
      if (refused_++ == 0) refusal_ = refusal;
      return;
    }
    seen_case->is_drawn = is_drawn;
    take_in(*std::move(seen_case));
  }

  /// The status or trouble that the kernel returned instead of an answer; empty if it answered.
  static std::string refusal_in(const seen& seen_case) {
    return seen_case.plain.done ? seen_case.measured.trouble : seen_case.plain.trouble;
  }

  /// Whether a fault changes a kernel's behaviour in some failing case.
  bool part_shows(const std::string& part, const std::vector<const seen*>& all) const {
    std::size_t index = 0;
    while (causes_.fault(index).kernel.name != part) ++index;
    std::map<const law<Kernel>*, int> measured;
    for (const seen* const seen_case : all) {
      if (!seen_case->fails || is_large(seen_case->law)) continue;
      if (is_over()) return true;
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

  /// Whether a cause, or a part of it, is skipped by its sentence.
  bool is_left_out(std::size_t index) const {
    const fault::known_fault& planted = causes_.fault(index);
    if (how_.left_out.empty()) return false;
    return how_.left_out.count(planted.sentence) > 0 ||
           std::any_of(planted.parts.begin(), planted.parts.end(), [&](const std::string& part) {
             return how_.left_out.count(fault::sentence_of(part)) > 0;
           });
  }

  const std::string& sentence_of(const candidate& suspected) const {
    return causes_.fault(suspected.index).sentence;
  }

  void take_in(seen seen_case) {
    std::erase_if(left_, [&](candidate& suspected) { return !takes_in(suspected, seen_case); });
    seen_.push_back(std::move(seen_case));
  }

  /// Counts a case for a cause; returns false if the case contradicts it.
  bool takes_in(candidate& suspected, const seen& seen_case) const {
    const match of_case = explains(suspected.index, seen_case);
    if (seen_case.fails && of_case == match::doubtful) ++suspected.doubtful;
    if (seen_case.fails && of_case == match::agrees)
      ++(is_decisive(seen_case) ? suspected.decisive : suspected.explained);
    return of_case != match::contradicts;
  }

  /// Whether a cause that agrees must itself break the bound: agreement allows two bounds of difference.
  bool is_decisive(const seen& seen_case) const {
    return by_bits_ || seen_case.measured.worst >= decisive_ratio;
  }

  /// Whether the calls that a law made of both kernels have matching answers. Skips calls made of only one
  /// kernel: the other may have declined, or an earlier answer that differs within the bound led elsewhere.
  bool agree(const std::vector<transcribed_call>& seen_calls,
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

  /// Whether a law's findings follow from the recorded calls alone: they are about bits, and kernels answered
  /// every call.
  bool is_explained_by_calls(const seen& seen_case) const {
    return by_bits_ && !seen_case.calls.empty() && seen_case.measured.trouble.empty() &&
           seen_case.law->name != rotation_laws::layouts.name &&
           seen_case.law->name != rotation_laws::refusals.name;
  }

  /// Whether a kernel gives the same bits in each of these calls.
  bool repeats(const Kernel& faulty, const std::vector<transcribed_call>& calls) const {
    return std::all_of(calls.begin(), calls.end(), [&](const transcribed_call& call) {
      const answer again = answer_of(faulty, call.test_case, call.form);
      if (again.status == ROPEWALK_UNDECIDED) throw undecided("the kernel's rounding");
      return again.done && differences(kernel_, call.test_case, call.done, *again.done).empty();
    });
  }

  /// Whether the kernel with a fault reproduces the observation.
  match explains(std::size_t index, const seen& seen_case) const try {
    if (is_over()) return match::doubtful;  // the diagnosis ends anyway
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

  const Kernel& kernel_;
  known_causes<Kernel>& causes_;
  const effort& how_;
  const std::atomic<bool>& stopped_;
  bool by_bits_;
  bool is_looser_;
  std::vector<candidate> left_;
  std::vector<seen> seen_;
  mutable bool is_awaiting_ = false;
  mutable bool is_silent_ = false;
  bool has_refused_ = false;  // in a failed case
  std::int64_t refused_ = 0;  // further cases that are skipped
  std::string refusal_{};
};

cause cut() { return {.verdict = verdict::cut, .sentence = "not explained: out of time"}; }

cause awaiting() { return {.verdict = verdict::cut, .sentence = "not explained yet: answers are awaited"}; }

cause silent() {
  return {.verdict = verdict::cut,
          .sentence = "not explained: no answer when the failing cases were run again"};
}

cause not_reproducible() {
  return {.verdict = verdict::not_reproducible,
          .sentence =
              "the kernel is not reproducible: the same call, made again, gave another output. It depends on "
              "earlier calls, on memory outside the call, or on chance; a repeated verification may hold"};
}

cause stateful() {
  return {.verdict = verdict::not_reproducible,
          .sentence =
              "the kernel keeps state between calls: a call that is wrong after another call is right as the "
              "first call of a plan"};
}

cause with_sentence(cause cause, std::string sentence) {
  cause.sentence = std::move(sentence);
  return cause;
}

/// The looser promise by which a kernel is judged again if no fault explains it under its own. For a promise
/// of bits, one whose bound does not grow with the position; otherwise frequencies and angles in binary32.
promise looser_than(const promise& promised) {
  return promises_bits(promised) ? promise::rounded_table : promise::hf;
}

template <class Kernel>
class diagnosing {
 public:
  diagnosing(const ropewalk_kernel& kernel, promise promised, known_causes<Kernel>& causes,
             const std::vector<failed_case<Kernel>>& failed, const effort& how,
             const std::atomic<bool>& stopped)
      : kernel_(kernel),
        promised_(promised),
        causes_(causes),
        failed_(failed),
        how_(how),
        stopped_(stopped) {}

  cause run() const {
    const std::unique_ptr<Kernel> judged = causes_.hold(kernel_, promised_);
    inquiry<Kernel> first(*judged, causes_, how_, stopped_);
    if (!gather(first)) return keeps_state() ? stateful() : not_reproducible();
    if (first.is_over()) return cut();
    if (first.is_awaiting()) return awaiting();
    if (first.is_silent() && first.failing() == 0) return silent();
    // Known faults give canonical bits except for the fault, so no match explains a failure of `exact`.
    if (promised_ != promise::exact && first.has_causes()) return first.explained();
    if (const std::string refusal = first.refusal(); !refusal.empty())
      return with_sentence(first.counted(verdict::refused),
                           "calls that should be served are refused: " + refusal);
    if (first.is_of_conduct()) return with_sentence(first.counted(verdict::conduct), first.shared_trouble());
    if (first.is_not_written()) {
      cause cause;
      first.report_common(cause);
      return with_sentence(first.counted(verdict::not_written),
                           "a part of the output is never written (" + cause.common + ")");
    }
    if (first.is_of_environment())
      return with_sentence(
          first.counted(verdict::environment),
          "the kernel does not set its own floating-point environment: right in the default one, "
          "wrong in its caller's");
    if (keeps_state()) return stateful();
    if (promised_ != promise::exact) first.try_compounds();
    if (first.has_causes()) return first.explained();
    if (promised_ != promise::hf)
      if (std::optional<cause> cause = explained_within(looser_than(promised_))) return *cause;
    if (promises_bits(promised_) && first.is_over()) return cut();  // not every bound was tried
    cause run = first.counted(verdict::not_explained);
    first.report_common(run);
    run.is_cut = first.is_over();
    if (!within_.empty()) run.common += "; every answer is within the bounds of " + within_;
    return run;
  }

 private:
  /// Collects observations; returns false if the kernel is not reproducible.
  bool gather(inquiry<Kernel>& asked_inquiry) const {
    if (!asked_inquiry.look_at(failed_, false)) return false;
    asked_inquiry.look_at_fresh_cases(0, fresh_cases_of_each);
    if (asked_inquiry.is_of_conduct()) return true;
    asked_inquiry.look_at_decisive_calls();
    asked_inquiry.look_beside(failed_);
    asked_inquiry.look_for_passing_cases(fresh_cases_of_each + decisive_cases_of_each);
    if (!asked_inquiry.has_one_sentence() ||
        (asked_inquiry.has_causes() && asked_inquiry.failing() < enough_failing))
      asked_inquiry.look_at_fresh_cases(fresh_cases_of_each, decisive_cases_of_each);
    if (!asked_inquiry.is_over() && !asked_inquiry.look_at(failed_, true)) return false;
    if (!asked_inquiry.is_over()) asked_inquiry.settle();
    return true;
  }

  /// Whether a failing call is right as the first call of a plan and wrong after another, too often to be
  /// chance.
  bool keeps_state() const {
    const failed_case<Kernel>* smallest = nullptr;
    for (const failed_case<Kernel>& failure : failed_)
      if (is_usual(failure) &&
          (smallest == nullptr || failure.test_case.query.size() < smallest->test_case.query.size()))
        smallest = &failure;
    if (smallest == nullptr) return false;
    try {
      const answer right = answer_of(causes_.right(promised_), smallest->test_case);
      const auto is_right_after = [&](const law_case* before) {
        const std::unique_ptr<Kernel> fresh = causes_.hold(kernel_, promised_);
        if (before != nullptr) answer_of(*fresh, *before);
        return agree(*fresh, smallest->test_case, answer_of(*fresh, smallest->test_case), right);
      };
      const law_case* spoils = nullptr;
      std::size_t tried = 0;
      for (const failed_case<Kernel>& failure : failed_)
        if (spoils == nullptr && is_usual(failure) && !(failure.test_case == smallest->test_case) &&
            ++tried <= most_failed_cases && !is_right_after(&failure.test_case))
          spoils = &failure.test_case;
      for (int time = 0; spoils != nullptr && time < times_of_state; ++time)
        if (!is_right_after(nullptr) || is_right_after(spoils)) return false;
      return spoils != nullptr;
    } catch (const std::exception&) {
      return false;  // no comparable answer: unknown
    }
  }

  static bool is_usual(const failed_case<Kernel>& failure) {
    return !is_large(failure.law) && failure.test_case.environment == caller_environment::usual;
  }

  std::optional<cause> explained_within(const promise& looser) const {
    const std::unique_ptr<Kernel> judged = causes_.hold(kernel_, looser);
    inquiry<Kernel> second(*judged, causes_, how_, stopped_, true);
    if (!gather(second) || second.is_over()) return std::nullopt;
    if (second.is_awaiting()) return awaiting();
    if (second.failing() == 0) {
      within_ = known_name_of(looser, ROPEWALK_ROTATE);
      return std::nullopt;
    }
    if (!second.has_causes()) second.try_compounds();
    if (!second.has_causes()) return std::nullopt;
    cause result = second.explained();
    result.to_the_bit = false;
    result.within = known_name_of(looser, ROPEWALK_ROTATE);
    return result;
  }

  const ropewalk_kernel& kernel_;
  promise promised_;
  known_causes<Kernel>& causes_;
  const std::vector<failed_case<Kernel>>& failed_;
  const effort& how_;
  const std::atomic<bool>& stopped_;
  mutable std::string within_;  // name of the looser promise that every answer keeps
};

}  // namespace

template <class Kernel>
cause diagnose(const ropewalk_kernel& kernel, promise promised, known_causes<Kernel>& causes,
               const std::vector<failed_case<Kernel>>& failed, const effort& how,
               const std::atomic<bool>& stopped) {
  return diagnosing<Kernel>(kernel, promised, causes, failed, how, stopped).run();
}

template cause diagnose(const ropewalk_kernel&, promise, known_causes<checked_rotation>&,
                        const std::vector<failed_case<checked_rotation>>&, const effort&,
                        const std::atomic<bool>&);
template cause diagnose(const ropewalk_kernel&, promise, known_causes<checked_addition>&,
                        const std::vector<failed_case<checked_addition>>&, const effort&,
                        const std::atomic<bool>&);

}  // namespace ropewalk::diagnosis
