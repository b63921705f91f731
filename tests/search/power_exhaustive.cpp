// How many cases each law needs: of the faults that it catches on many cases, how many it catches on fewer.
// The numbers of cases that verdicts want (src/verify/law_jobs.cpp) are chosen by this table.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "ropewalk/table/in_order.hpp"
#include "search/caught_faults.hpp"
#include "search/search.hpp"

namespace ropewalk::search {
namespace {

constexpr std::int64_t numbers[] = {5, 10, 20, 40, 67, 100, 200};  // of cases
constexpr std::int64_t most = 1000;
constexpr std::uint64_t seeds = 20;
const std::atomic<bool> never{false};

/// Whether a fault is caught, and on how many cases, by seed.
std::vector<std::int64_t> cases_until_caught(const law<checked_rotation>& by, const caught_fault& fault,
                                             ropewalk_dtype dtype) {
  const faulty kernel(fault.fault, fault.by);
  std::vector<std::int64_t> r;
  if (!by.applies(kernel.checked)) return r;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const outcome result = search(by, kernel.checked, dtype, seed, {0, r.empty() ? 300 : most, {}}, never);
    if (result.failure) r.push_back(result.asked());
    if (r.empty()) return r;  // no fault for this law
  }
  return r;
}

TEST(Power, OfEachLawByItsNumberOfCases) {
  std::map<std::string_view, std::vector<std::int64_t>> caught;
  std::map<std::string_view, std::map<std::string_view, std::int64_t>> slowest;
  std::vector<std::pair<const law<checked_rotation>*, caught_fault>> pairs;
  std::vector<caught_fault> faults;
  for (const caught_fault& fault : caught_faults())
    if (std::none_of(faults.begin(), faults.end(), [&](const caught_fault& other) {
          return other.fault == fault.fault && other.by.model == fault.by.model;
        }))
      faults.push_back(fault);
  for (const auto& by : rotation_laws::all)
    for (const caught_fault& fault : faults) pairs.emplace_back(&by, fault);
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  on_threads(2, [&](int) {
    for (std::size_t i = next++; i < pairs.size(); i = next++) {
      const auto& [by, fault] = pairs[i];
      const std::vector<std::int64_t> needed = cases_until_caught(*by, fault, ROPEWALK_BF16);
      const std::lock_guard lock(mutex);
      caught[by->name].insert(caught[by->name].end(), needed.begin(), needed.end());
      for (const std::int64_t cases : needed) {
        std::int64_t& so_far = slowest[by->name][fault.fault];
        so_far = std::max(so_far, cases);
      }
    }
  });
  fmt::print("{:<18} {:>6}", "law", "caught");
  for (const std::int64_t number : numbers) fmt::print(" {:>6}", number);
  fmt::print("  slowest\n");
  for (const auto& by : rotation_laws::all) {
    const std::vector<std::int64_t>& all = caught[by.name];
    fmt::print("{:<18} {:>6}", by.name, all.size());
    for (const std::int64_t number : numbers)
      fmt::print(" {:>6}",
                 std::count_if(all.begin(), all.end(), [=](std::int64_t cases) { return cases <= number; }));
    std::pair<std::string_view, std::int64_t> last{};
    for (const auto& entry : slowest[by.name])
      if (entry.second > last.second) last = entry;
    fmt::print("  {} {}\n", last.first, last.second);
    EXPECT_FALSE(all.empty()) << by.name;
  }
}

}  // namespace
}  // namespace ropewalk::search
