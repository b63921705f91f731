#pragma once
// A law as one value, for one kind of subject. A subject is a kernel of one operation, or a table by what it
// gives.

#include <string_view>

#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/judge/measurement.hpp"

namespace ropewalk {

/// Name and texts of a law.
struct law_text {
  std::string_view name;
  std::string_view statement;
  std::string_view norm;  // the quantity that its bound is relative to; empty where equality decides
};

/// A law of one kind of subject. A subject names the types of its cases and of a law's needs.
template <class Subject>
struct law {
  using case_type = typename Subject::case_type;

  std::string_view name;
  std::string_view statement;
  std::string_view norm{};  // the quantity that its bound is relative to; empty where equality decides
  double trivial = 0;       // the relative bound from which on it decides nothing; 0 where equality decides
  pair_bound (*bound_from)(const pair_bound&) = nullptr;  // its bound from that of accuracy; NULL: the same
  typename Subject::needs_type needs{};
  bool (*applies)(const Subject&) = [](const Subject&) { return true; };  // whether the law applies
  // Why no case of the law lies within what the subject serves; empty where some does.
  std::string_view (*beyond_limits)(const Subject&) = [](const Subject&) { return std::string_view(); };
  measurement (*measure)(const Subject&, const case_type&);

  /// The texts alone, of one type for every subject.
  constexpr law_text text() const { return {name, statement, norm}; }
};

/// Whether two values are one law.
template <class Subject>
constexpr bool same_law(const law<Subject>& a, const law<Subject>& b) {
  return a.measure == b.measure;
}

/// Laws of tables need nothing in particular of their cases.
struct no_needs {};

}  // namespace ropewalk
