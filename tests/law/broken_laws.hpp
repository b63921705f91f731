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
names broken(const Laws& laws, const Subject& subject, const typename Subject::case_type& given = {}) {
  names r;
  for (const law<Subject>& one : laws) {
    if (!one.applies(subject)) continue;
    const measurement m = one.measure(subject, given);
    EXPECT_GT(m.compared, 0) << one.name;
    if (!m.holds) r.insert(one.name);
  }
  return r;
}

template <class Laws>
void expect_names_of_their_own(const Laws& laws) {
  names found;
  for (const auto& one : laws) EXPECT_TRUE(found.insert(one.name).second) << one.name;
}

}  // namespace ropewalk::example
