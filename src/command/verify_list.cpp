// ropewalk verify --list

#include <fmt/format.h>

#include <iostream>
#include <set>
#include <string_view>

#include "command/record.hpp"
#include "command/verify_request.hpp"
#include "kernel/simd/simd.hpp"

namespace ropewalk::command {
namespace {

void list_for_people() {
  std::cout << "kernels\n";
  for (const chosen_kernel& kernel : nameable_kernel_list())
    std::cout << fmt::format("  {:<25} promises {}\n", kernel.kernel->name,
                             report::name_of(static_cast<ropewalk_promise>(kernel.kernel->promise)));
  std::cout << "  library:PATH              every kernel of a shared library that exports kernel.h's "
               "interface\ntargets\n";
  for (const simd::target* one : simd::targets()) std::cout << fmt::format("  {}\n", one->name);
  std::cout << "laws\n";
  for (const law& one : ropewalk::laws) std::cout << fmt::format("  {:<18} {}\n", one.name, one.statement);
  std::cout << "laws of kernels that add\n";
  for (const law& one : addition_laws) std::cout << fmt::format("  {:<18} {}\n", one.name, one.statement);
  std::cout << "laws of tables\n";
  std::set<std::string_view> printed;
  for (const verified_table& one : verified_tables())
    if (printed.insert(one.judged_by->name).second)
      std::cout << fmt::format("  {:<18} {}\n", one.judged_by->name, one.judged_by->statement);
  std::cout << "promises\n";
  for (const ropewalk_promise promise : promises_by_strictness)
    std::cout << fmt::format("  {}\n", report::name_of(promise));
  std::cout << "models\n";
  for (const std::string& name : model::catalogue_names()) std::cout << fmt::format("  {}\n", name);
}

void list_as_json() {
  model::json r;
  for (const chosen_kernel& kernel : nameable_kernel_list())
    r["kernels"].push_back(
        {{"name", kernel.kernel->name},
         {"promise", report::name_of(static_cast<ropewalk_promise>(kernel.kernel->promise))}});
  for (const simd::target* one : simd::targets()) r["targets"].push_back(one->name);
  for (const law& one : ropewalk::laws)
    r["laws"].push_back({{"name", std::string(one.name)}, {"statement", std::string(one.statement)}});
  for (const law& one : addition_laws)
    r["addition_laws"].push_back(
        {{"name", std::string(one.name)}, {"statement", std::string(one.statement)}});
  for (const ropewalk_promise promise : promises_by_strictness)
    r["promises"].push_back(report::name_of(promise));
  for (const std::string& name : model::catalogue_names()) r["models"].push_back(name);
  std::cout << pretty(r);
}

}  // namespace

void list_verifiable(bool as_json) { as_json ? list_as_json() : list_for_people(); }

}  // namespace ropewalk::command
