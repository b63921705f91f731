#pragma once
// Tables with one fault each, and the law that is the first to fail on drawn cases.

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "ropewalk/law/law.hpp"
#include "ropewalk/numeric/format.hpp"
#include "search/table_cases.hpp"
#include "search/table_search.hpp"
#include "verify/tables.hpp"

namespace ropewalk::example {

using namespace search;

/// A fault that a law names: the law's list, the law that must catch it, its sentence for the fault, and the
/// law that fails first on the cases of a seed.
struct table_fault {
  std::string_view name;
  std::string_view law;
  std::string_view sentence;
  std::function<std::string_view(std::uint64_t seed)> first_to_fail;
};

/// The first law of the list to fail on the first failing case; empty if none
/// fails. subject(case) is the table.
template <class Laws, class Case, class Make>
std::string_view first_to_fail(const Laws& laws, const rc::Gen<Case>& cases, const Make& subject,
                               std::uint64_t seed) {
  for (std::int64_t number = 0; number < verify::table_cases; ++number) {
    const Case test_case = draw_table_case(cases, seed, number).value();
    const auto judged = subject(test_case);
    for (const auto& law : laws)
      if (law.applies(judged) && !law.measure(judged, test_case.input).holds) return law.name;
  }
  return {};
}

class table_faults {
 public:
  /// Adds the fault that `caught`, one of `laws`, names; subject(case) is the table with it.
  template <class Laws, class Case, class Make>
  void add(std::string_view name, const Laws& laws, const typename Laws::value_type& caught,
           rc::Gen<Case> cases, Make subject) {
    all.push_back({name, caught.name, caught.catches,
                   [=, &laws](std::uint64_t seed) { return first_to_fail(laws, cases, subject, seed); }});
  }

  std::vector<table_fault> all;
};

/// Moves a non-zero number below 2^-6 one ulp away from zero, which norms do not detect.
inline float small_ones_off(float value) {
  const float size = value < 0 ? -value : value;
  if (size == 0 || size >= 0x1p-6f) return value;
  return from_bits<float>(static_cast<std::uint32_t>(to_bits(value) + 1));
}
inline std::uint64_t small_ones_off(std::uint64_t bits) {
  return to_bits(small_ones_off(from_bits<float>(static_cast<std::uint32_t>(bits))));
}

}  // namespace ropewalk::example
