#pragma once
// Tables with one fault each, and the law that is the first to see it on cases that are drawn.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/numeric/format.hpp"
#include "search/table_cases.hpp"
#include "search/table_search.hpp"
#include "verify/tables.hpp"

namespace ropewalk::example {

using namespace search;

/// A fault: the list of laws, the law it is for, and the one that fails first on cases of a seed.
struct table_fault {
  std::string_view of;
  std::string_view law;
  std::string what;
  std::function<std::string_view(std::uint64_t seed)> first_to_fail;
};

/// The first law to fail, case after case, in the order of the list; empty where none does. subject(case) is the table.
template <class Laws, class Case, class Make>
std::string_view first_to_fail(const Laws& laws, const rc::Gen<Case>& cases, const Make& subject,
                               std::uint64_t seed) {
  for (std::int64_t number = 0; number < verify::table_cases; ++number) {
    const Case given = draw_table_case(cases, seed, number).value();
    const auto judged = subject(given);
    for (const auto& one : laws)
      if (one.applies(judged) && !one.measure(judged, given.given).holds) return one.name;
  }
  return {};
}

class table_faults {
 public:
  template <class Laws, class Case, class Make>
  void add(std::string_view of, const Laws& laws, std::string_view law, const char* what, rc::Gen<Case> cases,
           Make subject) {
    all.push_back({of, law, what,
                   [=, &laws](std::uint64_t seed) { return first_to_fail(laws, cases, subject, seed); }});
  }

  std::vector<table_fault> all;
};

/// Numbers that are not 0 and below 2^-6 one unit in the last place farther from zero: what norms do not see.
inline float small_ones_off(float value) {
  const float size = value < 0 ? -value : value;
  if (size == 0 || size >= 0x1p-6f) return value;
  return from_bits<float>(static_cast<std::uint32_t>(to_bits(value) + 1));
}
inline std::uint64_t small_ones_off(std::uint64_t bits) {
  return to_bits(small_ones_off(from_bits<float>(static_cast<std::uint32_t>(bits))));
}

}  // namespace ropewalk::example
