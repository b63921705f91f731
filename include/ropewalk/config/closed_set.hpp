#pragma once
// Closed sets: a fixed list of members, a visit function, and one overload per member where members differ.
// A missing overload is a compile error that names the function and the member.

#include <cstddef>
#include <type_traits>

#include "ropewalk/config/require.hpp"

namespace ropewalk {

/// A list of types, in order.
template <class... Types>
struct type_list {
  static constexpr int size = static_cast<int>(sizeof...(Types));
};

namespace detail {

template <class Type, class... Types>
constexpr int index_in() {
  int index = 0;
  const bool is_found = ((std::is_same_v<Type, Types> || (++index, false)) || ...);
  return is_found ? index : -1;
}

template <int Index>
struct at_index {};

/// Storage for a value of one of the types, constructed by index. Unlike std::variant it is a structural
/// type.
template <class... Types>
union alternatives;

template <class First>
union alternatives<First> {
  First first;
  constexpr alternatives(at_index<0>, const First& member) : first(member) {}
};

template <class First, class... Rest>
union alternatives<First, Rest...> {
  First first;
  alternatives<Rest...> rest;
  constexpr alternatives(at_index<0>, const First& member) : first(member) {}
  template <int Index, class Type>
  constexpr alternatives(at_index<Index>, const Type& member) : rest(at_index<Index - 1>{}, member) {}
};

}  // namespace detail

/// Index of a type in a list; -1 if the list lacks it.
template <class Type, class List>
inline constexpr int index_of = -1;
template <class Type, class... Types>
inline constexpr int index_of<Type, type_list<Types...>> = detail::index_in<Type, Types...>();

/// Calls visit.operator()<Type>() for each type of a list.
template <class... Types, class Visit>
constexpr void for_each_type(type_list<Types...>, Visit visit) {
  (visit.template operator()<Types>(), ...);
}

/// Calls visit.operator()<Type>() for the type at an index of a list.
///
/// domain  0 <= index < the list's size
template <class First, class... Rest, class Visit>
constexpr decltype(auto) visit_type(type_list<First, Rest...>, int index, Visit&& visit) {
  if constexpr (sizeof...(Rest) > 0)
    if (index != 0) return visit_type(type_list<Rest...>{}, index - 1, visit);
  return visit.template operator()<First>();
}

/// Whether a list contains a type.
template <class Type, class List>
concept listed_in = 0 <= index_of<Type, List>;

/// A value of one of the types of a list, of the first by default. It converts from each of them. It is a
/// structural type, so it can be a template argument.
template <class List>
struct one_of;

template <class First, class... Rest>
struct one_of<type_list<First, Rest...>> {
  using types = type_list<First, Rest...>;

  int index = 0;
  detail::alternatives<First, Rest...> stored;

  constexpr one_of() : one_of(First{}) {}
  template <listed_in<types> Member>
  constexpr one_of(const Member& member)  // NOLINT: converts on purpose
      : index(index_of<Member, types>), stored(detail::at_index<index_of<Member, types>>{}, member) {}

  /// Whether the stored value is of this type.
  template <class Member>
  constexpr bool is() const {
    static_assert(index_of<Member, types> >= 0);
    return index == index_of<Member, types>;
  }

  /// domain  is<Member>()
  template <class Member>
  constexpr const Member& as() const {
    return at<index_of<Member, types>>(stored);
  }
  template <class Member>
  constexpr Member& as() {
    return at<index_of<Member, types>>(stored);
  }

  /// Calls visitor(value) with the stored value.
  template <class Visit>
  constexpr decltype(auto) visit(Visit&& visitor) const {
    return visit_from<0>(visitor, stored);
  }
  template <class Visit>
  constexpr decltype(auto) visit(Visit&& visitor) {
    return visit_from<0>(visitor, stored);
  }

 private:
  template <int Index, class Storage>
  static constexpr auto& at(Storage& storage) {
    if constexpr (Index == 0)
      return storage.first;
    else
      return at<Index - 1>(storage.rest);
  }

  template <int Index, class Visit, class Storage>
  constexpr decltype(auto) visit_from(Visit& visitor, Storage& storage) const {
    if constexpr (Index < sizeof...(Rest))
      if (index != Index) return visit_from<Index + 1>(visitor, storage.rest);
    return visitor(storage.first);
  }
};

/// A member of an enumeration as a type, for overloads.
template <auto Value>
struct member {
  static constexpr auto value = Value;
};

namespace detail {

template <class Enum, Enum Last, int Index, class Visit>
constexpr decltype(auto) visit_member_from(Enum value, Visit& visit) {
  constexpr auto candidate = static_cast<Enum>(Index);
  if constexpr (candidate == Last)
    return visit(member<candidate>{});
  else if (value == candidate)
    return visit(member<candidate>{});
  else
    return visit_member_from<Enum, Last, Index + 1>(value, visit);
}

}  // namespace detail

/// Calls visit(member<value>{}) for a value of an enumeration whose members are 0 to Last.
///
/// throws  std::invalid_argument for a value that is not a member
template <auto Last, class Visit>
constexpr decltype(auto) visit_member(decltype(Last) value, Visit&& visit) {
  require(static_cast<int>(value) >= 0 && static_cast<int>(value) <= static_cast<int>(Last),
          "enumeration value", static_cast<double>(static_cast<int>(value)), "a member of the enumeration");
  return detail::visit_member_from<decltype(Last), Last, 0>(value, visit);
}

}  // namespace ropewalk
