#pragma once
// Adds values to a list without duplicates, in the order of first occurrence.

#include <algorithm>
#include <vector>

namespace ropewalk::report {

template <class Value>
void add_once(std::vector<Value>& to, const Value& value) {
  if (std::find(to.begin(), to.end(), value) == to.end()) to.push_back(value);
}

}  // namespace ropewalk::report
