#include "verify/demands.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ropewalk/law/rotation_laws.hpp"

namespace ropewalk::verify {

namespace {

/// Whether some result of a kernel is answered, under one law or (empty) any law.
bool has_verdict(const std::string& kernel, std::string_view law, const std::vector<result>& lines) {
  return std::any_of(lines.begin(), lines.end(), [&](const result& line) {
    return line.kernel == kernel && (law.empty() || line.law.name == law) && is_answered(line);
  });
}

/// Whether a law was tried on a kernel, but none of its cases was run.
bool has_run_nothing(const std::string& kernel, std::string_view law, const std::vector<result>& lines) {
  bool is_tried = false;
  for (const result& line : lines) {
    if (line.kernel != kernel || line.law.name != law || finding_of(line) == finding::not_served) continue;
    if (finding_of(line) != finding::not_run) return false;
    is_tried = true;
  }
  return is_tried;
}

/// Explains why a law does not apply under the kernel's promise; empty for other laws.
std::string_view hint_for(const law_text& law, const judged_kernel& kernel, const verification& asked) {
  return !is_of_another_promise(law, kernel, asked) ? ""
         : law.name == rotation_laws::environment.name
             ? ": kernels that promise no bits are judged by it only with --environment all"
             : ": it applies only to kernels that promise canonical bits";
}

}  // namespace

bool is_of_another_promise(const law_text& law, const judged_kernel& kernel, const verification& asked) {
  return (law.name == rotation_laws::environment.name && !promises_bits(kernel.promised) &&
          !asked.asked.every_environment) ||
         (law.name == rotation_laws::canonical.name && kernel.promised != promise::canonical);
}

std::vector<std::string> failed_on(const verification& asked, const std::vector<result>& lines) {
  const fail_on& on = asked.fails_on;
  std::vector<std::string> r;
  if (on.skipped)
    for (const auto& [law, reason] : asked.skipped_laws) r.push_back("left out: " + law);
  for (const result& line : lines) {
    const std::string name =
        fmt::format("{}, {}, {}, {}", line.kernel, line.model, ropewalk::name_of(line.dtype), line.law.name);
    if (on.vacuous && finding_of(line) == finding::vacuous) r.push_back(name + ": vacuous");
    for (const fail_on::growth& one : on.growths)
      if (finding_of(line) == finding::measured && error_up_to(line, one.position) > one.percent / 100)
        r.push_back(fmt::format("{}: an error of {:.3g} % at positions up to {}", name,
                                100 * error_up_to(line, one.position), one.position));
  }
  return r;
}

std::vector<std::string> not_judged(const verification& asked, const std::vector<result>& lines) {
  std::vector<std::string> r;
  for (const judged_kernel& kernel : asked.kernels) {
    if (!asked.has_subject(kernel) && !asked.kernels_are_named) continue;
    const std::string name = kernel.chosen.label();
    const auto was_tried = [&](const law_text& one) {
      return std::any_of(lines.begin(), lines.end(), [&](const result& line) {
        return line.kernel == name && line.law.name == one.name;
      });
    };
    std::vector<law_text> wanted;
    for (const law_text& one : laws_of(kernel.operation()))
      if (asked.asks_for(one.name) && (asked.kernels_are_named || was_tried(one))) wanted.push_back(one);
    if (wanted.empty()) continue;
    if (!has_verdict(name, {}, lines)) {
      r.push_back(fmt::format("{}: nothing judged{}", name,
                              wanted.size() == 1 ? hint_for(wanted[0], kernel, asked) : ""));
      continue;
    }
    for (const law_text& one : wanted)
      if (!asked.laws.empty() && !has_verdict(name, one.name, lines))
        r.push_back(fmt::format("{}: {} judged nothing{}", name, one.name, hint_for(one, kernel, asked)));
    for (const law_text& one : wanted)
      if (asked.laws.empty() && has_run_nothing(name, one.name, lines))
        r.push_back(
            fmt::format("{}: {} was not run: no case that was drawn lies within the limits", name, one.name));
    if (asked.kernels_are_named && asked.dtypes_are_named)
      for (const ropewalk_dtype dtype : asked.dtypes)
        if (std::none_of(lines.begin(), lines.end(), [&](const result& line) {
              return line.kernel == name && line.dtype == dtype && is_answered(line);
            }))
          r.push_back(fmt::format("{}: nothing judged in {}", name, ropewalk::name_of(dtype)));
  }
  for (const given_array& array : asked.arrays) {
    const std::string name = label_of(array);
    const bool fails = std::any_of(lines.begin(), lines.end(), [&](const result& line) {
      return line.kernel == name && !line.found.holds();
    });
    for (const std::string_view law : laws_of(array))
      if (!asked.laws.empty() && asked.asks_for(law) && !fails && !has_verdict(name, law, lines))
        r.push_back(fmt::format("{}: {} judged nothing", name, law));
  }
  return r;
}

}  // namespace ropewalk::verify
