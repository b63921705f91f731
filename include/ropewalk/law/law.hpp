#pragma once
// What a law is: one value over what it judges. A subject is a kernel of one operation, or a table by what it gives.

#include <string_view>

#include "ropewalk/law/judge/measurement.hpp"

namespace ropewalk {

/// What a law says of itself.
struct law_text {
  std::string_view name;
  std::string_view statement;
  std::string_view norm;  // what its bound is relative to; empty where equality decides
};

/// A law of one kind of subject. A subject names the type of its cases and of what a law may ask of them.
template <class Subject>
struct law {
  using case_type = typename Subject::case_type;

  std::string_view name;
  std::string_view statement;
  std::string_view norm{};  // what its bound is relative to; empty where equality decides
  typename Subject::needs_type needs{};
  bool (*applies)(const Subject&) = [](const Subject&) { return true; };  // whether it speaks of the subject
  measurement (*measure)(const Subject&, const case_type&);

  /// The texts alone, of one type for every subject.
  constexpr law_text text() const { return {name, statement, norm}; }
};

/// Whether two values are one law.
template <class Subject>
constexpr bool same_law(const law<Subject>& a, const law<Subject>& b) {
  return a.measure == b.measure;
}

/// What a law of tables may ask of its cases: nothing.
struct no_needs {};

}  // namespace ropewalk
