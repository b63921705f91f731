#pragma once
// A number that a configuration may leave out. Structural, unlike std::optional, so that it can be part of a
// template argument.

namespace ropewalk {

template <class Number>
struct given {
  Number value{};
  bool is_given = false;

  constexpr given() = default;
  constexpr given(Number number) : value(number), is_given(true) {}  // NOLINT: converts on purpose

  constexpr explicit operator bool() const { return is_given; }
  /// The number, or `otherwise` where the configuration leaves it out.
  constexpr Number value_or(Number otherwise) const { return is_given ? value : otherwise; }
  friend constexpr bool operator==(const given&, const given&) = default;
};

}  // namespace ropewalk
