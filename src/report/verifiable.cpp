#include "report/verifiable.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "export/record.hpp"
#include "input/bad_input.hpp"
#include "kernel/simd/simd.hpp"
#include "model/model.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/kernel/served_calls.hpp"
#include "verify/tables.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report {
namespace {

using input::json;

void print_laws(const char* title, const std::vector<law_text>& laws) {
  std::cout << title << "\n";
  for (const law_text& one : laws) std::cout << fmt::format("  {:<18} {}\n", one.name, one.statement);
}

std::vector<law_text> table_laws() {
  std::vector<law_text> r;
  std::set<std::string_view> seen;
  for (const verify::judged_table& one : verify::own_tables())
    for (const law_text& law : one.laws)
      if (seen.insert(law.name).second) r.push_back(law);
  return r;
}

std::string stated_by(const ropewalk_kernel& kernel) {
  return name_of(promise_of(kernel), static_cast<ropewalk_operation>(kernel.operation));
}

void list_for_people() {
  std::cout << "kernels\n";
  for (const verify::chosen_kernel& kernel : verify::nameable_kernel_list())
    std::cout << fmt::format("  {:<28} promises {}\n", kernel.kernel->name, stated_by(*kernel.kernel));
  std::cout
      << "  library:PATH              every kernel of a shared library that exports kernel.h's interface\n"
         "  program:COMMAND           every kernel that a program describes over its input and output\n"
         "  files:DIR                 the same, with requests and answers in files, for another machine\n"
         "targets\n";
  for (const simd::target* one : simd::targets()) std::cout << fmt::format("  {}\n", one->name);
  print_laws("laws", verify::laws_of_one_kernel(ROPEWALK_ROTATE));
  print_laws("laws of kernels that add", verify::laws_of_one_kernel(ROPEWALK_ADD_ROW));
  print_laws("laws of tables", table_laws());
  std::cout << "promises\n";
  for (const promise_description& one : ropewalk::promises)
    std::cout << fmt::format("  {:<18} {}\n", one.name, one.statement);
  std::cout << "models\n";
  for (const std::string& name : model::catalogue_names()) std::cout << fmt::format("  {}\n", name);
}

void put_laws(json& to, const std::vector<law_text>& laws) {
  for (const law_text& one : laws) to.push_back({{"name", one.name}, {"statement", one.statement}});
}

void list_as_json() {
  json r;
  for (const verify::chosen_kernel& kernel : verify::nameable_kernel_list())
    r["kernels"].push_back({{"name", kernel.kernel->name}, {"promise", stated_by(*kernel.kernel)}});
  for (const simd::target* one : simd::targets()) r["targets"].push_back(one->name);
  put_laws(r["laws"], verify::laws_of_one_kernel(ROPEWALK_ROTATE));
  put_laws(r["addition_laws"], verify::laws_of_one_kernel(ROPEWALK_ADD_ROW));
  put_laws(r["table_laws"], table_laws());
  for (const promise_description& one : ropewalk::promises) r["promises"].push_back(one.name);
  for (const std::string& name : model::catalogue_names()) r["models"].push_back(name);
  std::cout << output::pretty(r);
}

}  // namespace

void print_kernels(const std::vector<verify::chosen_kernel>& kernels, bool as_json) {
  json r;
  for (const verify::chosen_kernel& one : kernels) {
    const ropewalk_kernel& kernel = *one.kernel;
    const std::string limits = kernel.limits == nullptr ? "" : served_calls(*kernel.limits).text();
    if (as_json)
      r["kernels"].push_back({{"name", kernel.name},
                              {"option", one.option()},
                              {"promise", stated_by(kernel)},
                              {"limits", limits.empty() ? json() : json(limits)}});
    else
      std::cout << fmt::format("{}: promises {}{}\n", printable(one.option()), stated_by(kernel),
                               limits.empty() ? "" : "; limits: " + limits);
  }
  if (as_json) std::cout << output::pretty(r);
}

void print_verifiable(bool as_json) { as_json ? list_as_json() : list_for_people(); }

}  // namespace ropewalk::report
