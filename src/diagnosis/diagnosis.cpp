#include "diagnosis/diagnosis.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "diagnosis/inquiry.hpp"
#include "diagnosis/kept_state.hpp"

namespace ropewalk::diagnosis {
namespace {

constexpr std::int64_t fresh_cases_of_each = 4;     // per law, over all dtypes together
constexpr std::int64_t decisive_cases_of_each = 8;  // added if several causes or few failing cases remain

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
    if (first.is_silent() && first.cases().failing() == 0) return silent();
    // Known faults give canonical bits except for the fault, so no match explains a failure of `exact`.
    if (promised_ != promise::exact && first.has_causes()) return first.explained();
    if (const std::string refusal = first.cases().refusal(); !refusal.empty())
      return with_sentence(first.counted(verdict::refused),
                           "calls that should be served are refused: " + refusal);
    if (first.is_of_conduct())
      return with_sentence(first.counted(verdict::conduct), first.cases().shared_trouble());
    if (first.cases().is_not_written()) {
      cause cause;
      first.cases().report_common(cause);
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
    first.cases().report_common(run);
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
        (asked_inquiry.has_causes() && asked_inquiry.cases().failing() < enough_failing))
      asked_inquiry.look_at_fresh_cases(fresh_cases_of_each, decisive_cases_of_each);
    if (!asked_inquiry.is_over() && !asked_inquiry.look_at(failed_, true)) return false;
    if (!asked_inquiry.is_over()) asked_inquiry.settle();
    return true;
  }

  bool keeps_state() const { return diagnosis::keeps_state(kernel_, promised_, causes_, failed_); }

  std::optional<cause> explained_within(const promise& looser) const {
    const std::unique_ptr<Kernel> judged = causes_.hold(kernel_, looser);
    inquiry<Kernel> second(*judged, causes_, how_, stopped_, true);
    if (!gather(second) || second.is_over()) return std::nullopt;
    if (second.is_awaiting()) return awaiting();
    if (second.cases().failing() == 0) {
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
