#pragma once
// A law as a value, for one kind of subject: kernels of one operation, tables of one kind, or programs.

#include <string_view>

#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/judge/bound.hpp"
#include "ropewalk/law/judge/measurement.hpp"

namespace ropewalk {

/// Name and texts of a law.
struct law_text {
  std::string_view name;
  std::string_view statement;
  std::string_view norm;      // the quantity that its bound is relative to; empty if equality decides
  std::string_view equality;  // the comparison made without a bound; empty if a bound always applies
  std::string_view proof;     // "FILE, THEOREM; ..." for the bound, or for the equality; empty: none
  // A fault that the law catches: for kernels its name in src/fault, for tables a sentence.
  std::string_view catches;
};

/// A law of one kind of subject. A subject names the types of its cases and of a law's needs. The texts are
/// those of law_text.
template <class Subject>
struct law {
  using case_type = typename Subject::case_type;

  std::string_view name;
  std::string_view statement;
  std::string_view norm{};
  std::string_view equality{};
  std::string_view proof{};
  std::string_view catches{};
  // Relative bounds from this one on decide nothing. 0: equality decides, or the bound is the same at every
  // position.
  double trivial = 0;
  // Derives the law's bound from that of accuracy; NULL: the same.
  pair_bound (*bound_from)(const pair_bound&) = nullptr;
  // The relative bound of a law of tables in each format; NULL: equality decides.
  double (*bound_in)(ropewalk_dtype) = nullptr;
  typename Subject::needs_type needs{};
  bool (*applies)(const Subject&) = [](const Subject&) { return true; };
  // Reason why the subject serves no case of the law; empty if it serves some.
  std::string_view (*beyond_limits)(const Subject&) = [](const Subject&) { return std::string_view(); };
  measurement (*measure)(const Subject&, const case_type&);

  /// The texts alone, in a type that does not depend on the subject.
  constexpr law_text text() const { return {name, statement, norm, equality, proof, catches}; }
};

/// Whether two values are the same law.
template <class Subject>
constexpr bool same_law(const law<Subject>& a, const law<Subject>& b) {
  return a.measure == b.measure;
}

/// For laws without requirements on their cases, such as those of tables.
struct no_needs {};

}  // namespace ropewalk
