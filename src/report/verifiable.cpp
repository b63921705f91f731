#include "report/verifiable.hpp"

#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "input/bad_input.hpp"
#include "kernel/simd/simd.hpp"
#include "model/model.hpp"
#include "output/record.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/kernel/served_calls.hpp"
#include "verify/tables.hpp"
#include "verify/verification.hpp"

namespace ropewalk::report {
namespace {

using input::json;

void print_laws(const char* title, const std::vector<law_text>& laws) {
  std::cout << title << "\n";
  for (const law_text& law : laws) std::cout << fmt::format("  {:<18} {}\n", law.name, law.statement);
}

std::vector<law_text> table_laws() {
  std::vector<law_text> laws;
  std::set<std::string_view> seen;
  for (const verify::judged_table& table : verify::own_tables())
    for (const law_text& law : table.laws)
      if (seen.insert(law.name).second) laws.push_back(law);
  return laws;
}

std::string stated_by(const ropewalk_kernel& kernel) {
  return name_of(promise_of(kernel), static_cast<ropewalk_operation>(kernel.operation));
}

void list_for_people() {
  std::cout << "kernels\n";
  for (const verify::chosen_kernel& kernel : verify::nameable_kernel_list())
    std::cout << fmt::format("  {:<28} promises {}\n", kernel.entry->name, stated_by(*kernel.entry));
  std::cout
      << "  library:PATH              every kernel of a shared library that exports kernel.h's interface\n"
         "  program:COMMAND           every kernel that a program describes over its input and output\n"
         "  files:DIR                 the same, with requests and answers in files, for another machine\n"
         "targets\n";
  for (const simd::target* target : simd::targets()) std::cout << fmt::format("  {}\n", target->name);
  print_laws("laws", verify::laws_of_one_kernel(ROPEWALK_ROTATE));
  print_laws("laws of kernels that add", verify::laws_of_one_kernel(ROPEWALK_ADD_ROW));
  print_laws("laws of tables", table_laws());
  std::cout << "promises\n";
  for (const promise_description& promise : ropewalk::promises)
    std::cout << fmt::format("  {:<18} {}\n", promise.name, promise.statement);
  std::cout << "models\n";
  for (const std::string& name : model::catalogue_names()) std::cout << fmt::format("  {}\n", name);
}

void put_laws(json& to, const std::vector<law_text>& laws) {
  for (const law_text& law : laws) to.push_back({{"name", law.name}, {"statement", law.statement}});
}

void list_as_json() {
  json object;
  for (const verify::chosen_kernel& kernel : verify::nameable_kernel_list())
    object["kernels"].push_back({{"name", kernel.entry->name}, {"promise", stated_by(*kernel.entry)}});
  for (const simd::target* target : simd::targets()) object["targets"].push_back(target->name);
  put_laws(object["laws"], verify::laws_of_one_kernel(ROPEWALK_ROTATE));
  put_laws(object["addition_laws"], verify::laws_of_one_kernel(ROPEWALK_ADD_ROW));
  put_laws(object["table_laws"], table_laws());
  for (const promise_description& promise : ropewalk::promises) object["promises"].push_back(promise.name);
  for (const std::string& name : model::catalogue_names()) object["models"].push_back(name);
  std::cout << output::pretty(object);
}

}  // namespace

void print_kernels(const std::vector<verify::chosen_kernel>& kernels, bool as_json) {
  json object;
  for (const verify::chosen_kernel& chosen : kernels) {
    const ropewalk_kernel& kernel = *chosen.entry;
    const std::string limits = kernel.limits == nullptr ? "" : served_calls(*kernel.limits).text();
    if (as_json)
      object["kernels"].push_back({{"name", kernel.name},
                                   {"option", chosen.option()},
                                   {"promise", stated_by(kernel)},
                                   {"limits", limits.empty() ? json() : json(limits)}});
    else
      std::cout << fmt::format("{}: promises {}{}\n", printable(chosen.option()), stated_by(kernel),
                               limits.empty() ? "" : "; limits: " + limits);
  }
  if (as_json) std::cout << output::pretty(object);
}

void print_verifiable(bool as_json) { as_json ? list_as_json() : list_for_people(); }

}  // namespace ropewalk::report
