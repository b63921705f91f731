#include "verify/failure_causes.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "diagnosis/engines.hpp"
#include "diagnosis/parting.hpp"
#include "input/kernel_words.hpp"
#include "output/terminal.hpp"
#include "ropewalk/table/in_order.hpp"
#include "search/schedule.hpp"
#include "verify/held.hpp"

namespace ropewalk::verify {
namespace {

using time_point = search::clock::time_point;

/// Diagnoses kernels that failed in one verification.
class diagnoser {
 public:
  diagnoser(const verification& request, const std::atomic<bool>& stopped)
      : request_(request), stopped_(stopped) {}

  void diagnose(failing& failing, time_point deadline) const {
    std::visit([&](const auto& failed) { diagnose_on(failed, failing, deadline); }, failing.failed);
  }

 private:
  template <class Kernel, class Subject>
  void diagnose_on(const failures<Kernel, Subject>& failed, failing& failing, time_point deadline) const {
    const Subject& subject = *failed.subject;
    const ropewalk_kernel& kernel = *failing.kernel->chosen.entry;
    const diagnosis::effort how{search::job_seed(request_.seed, failing.model, ROPEWALK_F32, "diagnosis"),
                                request_.dtypes, deadline};
    if (request_.same_as) {
      failing.cause = diagnosis::parting(*hold(kernel, failing.kernel->promised, subject, request_.calls),
                                         failed.cases, how, stopped_);
      return;
    }
    diagnosis::known_causes<Kernel> causes(failing.kernel->operation(),
                                           [&](ropewalk_kernel other, promise promised) {
                                             other.limits = kernel.limits;
                                             return hold(other, promised, subject, request_.calls);
                                           });
    failing.cause =
        diagnosis::diagnose(kernel, failing.kernel->promised, causes, failed.cases, how, stopped_);
    if constexpr (std::is_same_v<Subject, rotation_subject>)
      failing.cause.sentence += diagnosis::as_engines_do(subject.model, failing.cause.faults);
  }

  const verification& request_;
  const std::atomic<bool>& stopped_;
};

}  // namespace

void report_diagnosis(std::vector<diagnosed>& to, const std::string& kernel, const std::string& model,
                      const diagnosis::cause& cause) {
  for (diagnosed& diagnosed : to) {
    if (diagnosed.kernel != kernel) continue;
    if (auto both = common_cause(diagnosed.cause, cause)) {
      diagnosed.models.push_back(model);
      diagnosed.cause = *std::move(both);
      return;
    }
  }
  to.push_back({kernel, {model}, cause});
}

void diagnose_failures(const verification& request, std::vector<failing> all, time_point deadline,
                       const std::atomic<bool>& stopped, std::vector<diagnosed>& to) {
  const diagnoser by(request, stopped);
  std::atomic<std::size_t> next{0};
  output::progress_bar progress("causes", all.size(), request.quiet);
  progress.show(0);
  on_threads(request.threads, [&](int thread) {
    for (std::size_t i = next++; i < all.size() && !stopped; i = next++) {
      const auto now = search::clock::now();
      const auto share = std::max(deadline - now, search::clock::duration{}) * request.threads /
                         static_cast<std::int64_t>(all.size() - i);
      by.diagnose(all[i], deadline == time_point{} ? deadline : now + share);
      if (thread == 0) progress.show(std::min<std::size_t>(next, all.size()));
    }
  });
  for (failing& failing : all) {
    if (stopped) break;
    failing.cause.sentence = input::visible(failing.cause.sentence);
    report_diagnosis(to, failing.kernel->chosen.label(), failing.model, failing.cause);
  }
}

}  // namespace ropewalk::verify
