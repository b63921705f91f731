#include "verify/failure_causes.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "diagnosis/engines.hpp"
#include "diagnosis/parting.hpp"
#include "export/terminal.hpp"
#include "input/kernel_words.hpp"
#include "ropewalk/table/in_order.hpp"
#include "search/schedule.hpp"
#include "verify/held.hpp"

namespace ropewalk::verify {
namespace {

using time_point = search::clock::time_point;

/// Diagnoses kernels that failed in one verification.
class diagnoser {
 public:
  diagnoser(const verification& asked, const std::atomic<bool>& stopped) : asked_(asked), stopped_(stopped) {}

  void diagnose(failing& one, time_point deadline) const {
    if (one.subject.first != nullptr)
      diagnose_on<checked_rotation>(*one.subject.first, one.cases.rotations, one, deadline);
    else
      diagnose_on<checked_addition>(*one.subject.second, one.cases.additions, one, deadline);
  }

 private:
  template <class Kernel, class Subject>
  void diagnose_on(const Subject& on, const std::vector<diagnosis::failed_case<Kernel>>& cases, failing& one,
                   time_point deadline) const {
    const ropewalk_kernel& kernel = *one.kernel->chosen.kernel;
    const diagnosis::effort how{search::job_seed(asked_.seed, one.model, ROPEWALK_F32, "diagnosis"),
                                asked_.dtypes, deadline};
    if (asked_.same_as) {
      one.cause =
          diagnosis::parting(*hold(kernel, one.kernel->promised, on, asked_.asked), cases, how, stopped_);
      return;
    }
    diagnosis::known_causes<Kernel> causes(one.kernel->operation(),
                                           [&](ropewalk_kernel other, promise promised) {
                                             other.limits = kernel.limits;
                                             return hold(other, promised, on, asked_.asked);
                                           });
    one.cause = diagnosis::diagnose(kernel, one.kernel->promised, causes, cases, how, stopped_);
    if constexpr (std::is_same_v<Subject, rotation_subject>)
      one.cause.sentence += diagnosis::as_engines_do(on.model, one.cause.faults);
  }

  const verification& asked_;
  const std::atomic<bool>& stopped_;
};

}  // namespace

void report_diagnosis(std::vector<diagnosed>& to, const std::string& kernel, const std::string& model,
                      const diagnosis::cause& found) {
  for (diagnosed& one : to) {
    if (one.kernel != kernel) continue;
    if (auto both = common_cause(one.cause, found)) {
      one.models.push_back(model);
      one.cause = *std::move(both);
      return;
    }
  }
  to.push_back({kernel, {model}, found});
}

void diagnose_failures(const verification& asked, std::vector<failing> all, time_point deadline,
                       const std::atomic<bool>& stopped, std::vector<diagnosed>& to) {
  const diagnoser by(asked, stopped);
  std::atomic<std::size_t> next{0};
  output::progress_bar progress("causes", all.size(), asked.quiet);
  progress.show(0);
  on_threads(asked.threads, [&](int thread) {
    for (std::size_t i = next++; i < all.size() && !stopped; i = next++) {
      const auto now = search::clock::now();
      const auto share = std::max(deadline - now, search::clock::duration{}) * asked.threads /
                         static_cast<std::int64_t>(all.size() - i);
      by.diagnose(all[i], deadline == time_point{} ? deadline : now + share);
      if (thread == 0) progress.show(std::min<std::size_t>(next, all.size()));
    }
  });
  for (failing& one : all) {
    if (stopped) break;
    one.cause.sentence = input::visible(one.cause.sentence);
    report_diagnosis(to, one.kernel->chosen.label(), one.model, one.cause);
  }
}

}  // namespace ropewalk::verify
