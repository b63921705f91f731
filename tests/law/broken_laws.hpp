#pragma once
// The laws of a list that a subject breaks.

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "ropewalk/law/law.hpp"

namespace ropewalk::example {

using names = std::set<std::string_view>;

/// Names of the laws that a subject breaks in a case. Expects every law that applies to compare something.
template <class Laws, class Subject>
names broken(const Laws& laws, const Subject& subject, const typename Subject::case_type& test_case = {}) {
  names result;
  for (const law<Subject>& law : laws) {
    if (!law.applies(subject)) continue;
    const measurement measured = law.measure(subject, test_case);
    EXPECT_GT(measured.compared, 0) << law.name;
    if (!measured.holds) result.insert(law.name);
  }
  return result;
}

template <class Laws>
void expect_names_of_their_own(const Laws& laws) {
  names law_names;
  for (const auto& law : laws) EXPECT_TRUE(law_names.insert(law.name).second) << law.name;
}

}  // namespace ropewalk::example
