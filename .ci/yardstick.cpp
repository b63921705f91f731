// A file that never changes, and includes nothing of this tree: the processor time that its compilation
// takes is the unit in which .ci/times measures the build and the tests, whatever the machine.

#include <algorithm>
#include <functional>
#include <iomanip>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace {

using number = std::variant<int, long, float, double, std::string>;

template <int Depth>
struct nested {
  std::map<std::string, std::vector<std::pair<int, nested<Depth - 1>>>> by_name;
  std::unordered_map<int, std::set<std::string>> by_number;

  double sum(const std::function<double(const std::string&)>& of) const {
    double total = Depth;
    for (const auto& [name, entries] : by_name) {
      std::vector<std::pair<int, nested<Depth - 1>>> sorted = entries;
      std::stable_sort(sorted.begin(), sorted.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
      for (const auto& [weight, inner] : sorted) total += weight * inner.sum(of) + of(name);
    }
    for (const auto& [weight, names] : by_number)
      total += std::accumulate(names.begin(), names.end(), 0.0, [&](double so_far, const std::string& name) {
        return so_far + weight * of(name);
      });
    return total;
  }
};

template <>
struct nested<0> {
  number value;

  double sum(const std::function<double(const std::string&)>& of) const {
    return std::visit(
        [&]<class Value>(const Value& held) -> double {
          if constexpr (std::is_same_v<Value, std::string>)
            return of(held);
          else
            return static_cast<double>(held);
        },
        value);
  }
};

}  // namespace

double measured(const std::string& text) {
  nested<2> outer;
  std::istringstream in(text);
  int weight = 0;
  for (std::string name; in >> weight >> std::quoted(name);) outer.by_number[weight].insert(name);
  return outer.sum([](const std::string& name) {
    std::ostringstream out;
    out << std::quoted(name);
    return static_cast<double>(out.str().size());
  });
}
