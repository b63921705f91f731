#pragma once
// Runs the table laws on this library's own tables and programs, including encodings that no kernel applies.
// Each drawn configuration is judged by every law of its subject.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/law.hpp"
#include "verify/results.hpp"

namespace ropewalk::verify {

/// One kind of table in one dtype, and its laws.
struct judged_table {
  std::string encoding;
  ropewalk_dtype dtype = ROPEWALK_F64;
  std::vector<law_text> laws;
  // Judges more cases by the named laws; so_far has one outcome per law.
  std::function<void(const std::vector<std::string_view>& laws, std::uint64_t seed,
                     const search::limits& until, const std::atomic<bool>& stopped,
                     std::vector<search::outcome>& so_far)>
      go_on;
  std::function<void(std::string_view law, std::uint64_t seed, search::counterexample& counterexample,
                     const std::atomic<bool>& stopped, search::clock::time_point deadline)>
      shrink;
};

/// This library's own tables, each with the laws that apply to it. Slow: draws cases of each.
std::vector<judged_table> own_tables();

/// Every law of tables. A name shared by several lists occurs once per list.
std::vector<law_text> laws_of_tables();

inline constexpr std::int64_t table_cases = 200;  // per law and table, if time allows

/// How tables are judged.
struct table_plan {
  std::uint64_t seed = 1;
  int threads = 1;
  std::int64_t cases = table_cases;
  search::clock::time_point end{};  // the clock's epoch: no deadline
};

struct judged_tables {
  std::vector<result> lines;  // one per judged table and law
};

/// Judges each table by its laws.
judged_tables judge(const std::vector<judged_table>& tables, const table_plan& plan,
                    const std::atomic<bool>& stopped);

}  // namespace ropewalk::verify
