#include "verify/demands.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::verify {

namespace {

/// Whether a kernel answered under a law; with an empty name, under any law.
bool has_verdict(const std::string& kernel, std::string_view law, const std::vector<result>& lines) {
  return std::any_of(lines.begin(), lines.end(), [&](const result& line) {
    return line.kernel == kernel && (law.empty() || line.law.name == law) && is_answered(line);
  });
}

/// Whether a law was tried on a kernel, but no case ran.
bool has_run_nothing(const std::string& kernel, std::string_view law, const std::vector<result>& lines) {
  bool is_tried = false;
  for (const result& line : lines) {
    if (line.kernel != kernel || line.law.name != law || finding_of(line) == finding::not_served) continue;
    if (finding_of(line) != finding::not_run) return false;
    is_tried = true;
  }
  return is_tried;
}

/// Why a law does not apply under the kernel's promise; empty for other laws.
std::string_view hint_for(const law_text& law, const judged_kernel& kernel, const verification& request) {
  return !is_of_another_promise(law, kernel, request) ? ""
         : law.name == rotation_laws::environment.name
             ? ": it judges kernels that promise no bits only with --environment all"
             : ": it applies only to kernels that promise canonical bits";
}

}  // namespace

bool is_of_another_promise(const law_text& law, const judged_kernel& kernel, const verification& request) {
  return (law.name == rotation_laws::environment.name && !promises_bits(kernel.promised) &&
          !request.calls.every_environment) ||
         (law.name == rotation_laws::canonical.name && kernel.promised != promise::canonical);
}

std::vector<std::string> failed_on(const verification& request, const std::vector<result>& lines) {
  const fail_on& demand = request.fails_on;
  std::vector<std::string> failed;
  if (demand.skipped)
    for (const auto& [law, reason] : request.skipped_laws) failed.push_back("left out: " + law);
  for (const result& line : lines) {
    const std::string name =
        fmt::format("{}, {}, {}, {}", line.kernel, line.model, ropewalk::name_of(line.dtype), line.law.name);
    if (demand.vacuous && finding_of(line) == finding::vacuous) failed.push_back(name + ": vacuous");
    for (const fail_on::growth& growth : demand.growths)
      if (finding_of(line) == finding::measured && error_up_to(line, growth.position) > growth.percent / 100)
        failed.push_back(fmt::format("{}: an error of {:.3g} % at positions up to {}", name,
                                     100 * error_up_to(line, growth.position), growth.position));
  }
  return failed;
}

std::vector<std::string> not_judged(const verification& request, const std::vector<result>& lines) {
  std::vector<std::string> names;
  for (const judged_kernel& kernel : request.kernels) {
    if (!request.has_subject(kernel) && !request.kernels_are_named) continue;
    const std::string name = kernel.chosen.label();
    const auto was_tried = [&](const law_text& law) {
      return std::any_of(lines.begin(), lines.end(), [&](const result& line) {
        return line.kernel == name && line.law.name == law.name;
      });
    };
    std::vector<law_text> wanted;
    for (const law_text& law : laws_of(kernel.operation()))
      if (request.asks_for(law.name) && (request.kernels_are_named || was_tried(law))) wanted.push_back(law);
    if (wanted.empty()) continue;
    if (!has_verdict(name, {}, lines)) {
      names.push_back(fmt::format("{}: nothing judged{}", name,
                                  wanted.size() == 1 ? hint_for(wanted[0], kernel, request) : ""));
      continue;
    }
    for (const law_text& law : wanted)
      if (!request.laws.empty() && !has_verdict(name, law.name, lines))
        names.push_back(
            fmt::format("{}: {} judged nothing{}", name, law.name, hint_for(law, kernel, request)));
    for (const law_text& law : wanted)
      if (request.laws.empty() && has_run_nothing(name, law.name, lines))
        names.push_back(
            fmt::format("{}: {} was not run: no drawn case lies within the limits", name, law.name));
    if (request.kernels_are_named && request.dtypes_are_named)
      for (const ropewalk_dtype dtype : request.dtypes)
        if (std::none_of(lines.begin(), lines.end(), [&](const result& line) {
              return line.kernel == name && line.dtype == dtype && is_answered(line);
            }))
          names.push_back(fmt::format("{}: nothing judged in {}", name, ropewalk::name_of(dtype)));
  }
  for (const given_array& array : request.arrays) {
    const std::string name = label_of(array);
    const bool fails = std::any_of(lines.begin(), lines.end(), [&](const result& line) {
      return line.kernel == name && !line.outcome.holds();
    });
    for (const std::string_view law : laws_of(array))
      if (!request.laws.empty() && request.asks_for(law) && !fails && !has_verdict(name, law, lines))
        names.push_back(fmt::format("{}: {} judged nothing", name, law));
  }
  return names;
}

}  // namespace ropewalk::verify
