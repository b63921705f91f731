#include "report/law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diagnosis/known_causes.hpp"
#include "input/json_text.hpp"
#include "kernel/kernels.hpp"
#include "output/record.hpp"
#include "report/law_reasons.hpp"
#include "ropewalk/law/addition/sums.hpp"
#include "ropewalk/law/addition_laws.hpp"
#include "ropewalk/law/rotation_laws.hpp"
#include "ropewalk/law/table_laws.hpp"

namespace ropewalk::report {
namespace {

using input::json;

// Encoding and positions for printing bounds that grow with the position.
constexpr rope shown_encoding{.base = 10000, .rotary_dim = 128};
constexpr std::int64_t shown_positions[] = {0, 131072};

template <class Value>
using each_dtype = std::array<Value, all_dtypes.size()>;

/// Bounds in every format; at one position, if they grow.
struct bounds_at {
  std::optional<std::int64_t> position{};
  each_dtype<pair_bound> in{};
};

/// The bounds that one promise allows.
struct promise_bounds {
  std::string_view promise{};   // empty: bounds of a table
  std::string_view equality{};  // compared instead of a bound
  std::vector<bounds_at> at{};
  // For growing bounds, the first position at which some pair's bound is vacuous.
  each_dtype<std::optional<std::int64_t>> vacuous_from{};

  bool grows() const { return !at.empty() && at.front().position.has_value(); }
};

/// A law for one kind of subject.
struct explained_law {
  std::string_view subject;
  law_text text;
  bool is_of_kernels = false;
  bool is_of_rotations = false;
  double trivial = 0;
  std::string_view relative_to{};
  std::vector<promise_bounds> bounds{};  // empty if equality decides
  std::string_view remark{};

  bool grows() const {
    return std::any_of(bounds.begin(), bounds.end(), [](const auto& item) { return item.grows(); });
  }
};

template <class Subject>
explained_law without_bounds_of(std::string_view subject, const law<Subject>& law) {
  return {.subject = subject, .text = law.text(), .trivial = law.trivial, .relative_to = law.norm};
}

constexpr std::string_view half_an_ulp = "half an ulp in every element";

/// The comparison that a law of rotations makes instead of a bound; empty if the promise has a bound.
std::string_view equality_of(const law<checked_rotation>& law, const promise& promised) {
  const bool is_norm = same_law(law, rotation_laws::norm);
  if (law.bound_from == agreement_bound && promises_bits(promised)) return "equal bits";
  if (same_law(law, rotation_laws::sizes) && promised == promise::canonical) return "equal bits";
  return promised == promise::exact && law.bound_from == nullptr && !is_norm ? half_an_ulp
                                                                             : std::string_view();
}

promise_bounds bounds_of(const law<checked_rotation>& law, const promise_description& description) {
  promise_bounds bounds{.promise = description.name, .equality = equality_of(law, description.value)};
  if (!bounds.equality.empty()) return bounds;
  const checked_rotation kernel(cpu_table_kernel(), description.value, shown_encoding,
                                {shown_encoding.rotary_dim});
  const bool is_norm = same_law(law, rotation_laws::norm),
             grows = grows_with_position(description.value) && !is_norm;
  for (const std::int64_t position : shown_positions) {
    bounds_at at;
    if (grows) at.position = position;
    for_each_format([&]<class Float>() {
      const pair_bound accuracy = kernel.accuracy_at<Float>(static_cast<double>(position), false);
      at.in[dtype_of<Float>] = is_norm                     ? kernel.norm_within<Float>(false)
                               : law.bound_from == nullptr ? accuracy
                                                           : law.bound_from(accuracy);
    });
    bounds.at.push_back(at);
    if (!grows) break;
  }
  for (const ropewalk_dtype dtype : all_dtypes)
    if (grows) bounds.vacuous_from[dtype] = kernel.vacuous_from(law, dtype, false);
  return bounds;
}

explained_law explained(std::string_view subject, const law<checked_rotation>& law) {
  explained_law explained = without_bounds_of(subject, law);
  explained.is_of_kernels = explained.is_of_rotations = true;
  const bool has_bound = !law.norm.empty() || law.bound_from != nullptr;
  if (!has_bound || same_law(law, rotation_laws::identity))
    return explained;  // the law named by `identity` has the bound
  if (law.norm.empty()) explained.relative_to = rotation_laws::accuracy.norm;
  for (const promise_description& promise : ropewalk::promises)
    explained.bounds.push_back(bounds_of(law, promise));
  if (same_law(law, rotation_laws::sizes))
    explained.remark = "against a reference kernel: the sum of the bounds of both";
  return explained;
}

explained_law explained(std::string_view subject, const law<checked_addition>& law) {
  explained_law explained = without_bounds_of(subject, law);
  explained.is_of_kernels = true;
  if (law.norm.empty()) return explained;
  for (const promise_description& description : ropewalk::promises) {
    if (known_name_of(description.value, ROPEWALK_ADD_ROW) != description.name)
      continue;  // same parts as an earlier promise
    promise_bounds bounds{.promise = description.name};
    if (description.value == promise::exact) {
      bounds.equality = half_an_ulp;
    } else {
      bounds.at.emplace_back();
      for_each_format([&]<class Float>() {
        bounds.at[0].in[dtype_of<Float>] = addition_bound<Float>(description.value);
      });
    }
    explained.bounds.push_back(bounds);
  }
  return explained;
}

template <class Table>
explained_law explained(std::string_view subject, const law<Table>& law) {
  explained_law result = without_bounds_of(subject, law);
  if (law.bound_in == nullptr) return result;
  bounds_at at;
  for (const ropewalk_dtype dtype : all_dtypes) at.in[dtype].relative = law.bound_in(dtype);
  result.bounds.push_back({.at = {at}});
  return result;
}

/// Every law with a name.
std::vector<explained_law> laws_named(std::string_view name) {
  std::vector<explained_law> named;
  const auto look_in = [&](std::string_view subject, const auto& laws) {
    for (const auto& law : laws)
      if (law.name == name) named.push_back(explained(subject, law));
  };
  look_in("kernels that rotate", rotation_laws::all);
  look_in("kernels that add", addition_laws::all);
  look_in("two kernels that rotate", rotation_laws::of_two_kernels);
  look_in("two kernels that add", addition_laws::of_two_kernels);
  look_in("inverse frequencies", frequency_laws::all);
  look_in("cosines and sines", cos_sin_laws::all);
  look_in("rotary embeddings on several axes", axes_laws::all);
  look_in("xPos", xpos_laws::all);
  look_in("sinusoids", sinusoidal_laws::all);
  look_in("ALiBi's slopes", slope_laws::all);
  look_in("ALiBi's biases", bias_laws::all);
  look_in("T5's buckets", bucket_laws::all);
  look_in("index codes", index_code_laws::all);
  look_in("scales of queries", query_scale_laws::all);
  look_in("learned rows", learned_laws::all);
  look_in("Transformer-XL's scores", transformer_xl_laws::all);
  look_in("attention", attention_laws::all);
  return named;
}

/// The sentence of a fault in src/fault; empty if there is no such fault.
std::string_view sentence_of_fault(std::string_view name) {
  for (const auto& faults : {fault::known_rotation_faults(), fault::known_addition_faults()})
    for (const fault::known_fault& fault : faults)
      if (fault.kernel.name == name) return fault.sentence;
  return {};
}

/// The items of "A; B".
std::vector<std::string> items_of(std::string_view list) {
  constexpr std::string_view between = "; ";
  std::vector<std::string> items;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(between), list.size());
    items.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + between.size(), list.size()));
  }
  return items;
}

/// The reference quantity of a law's bounds, and the conditions for the printed bounds.
std::string scale_of(const explained_law& law) {
  if (law.relative_to == "absolute") return "absolute";
  return fmt::format("relative to {}, where {}nothing underflows", law.relative_to,
                     law.is_of_rotations ? "the attention factor a is 1 and " : "");
}

std::string headline_of(const explained_law& law) {
  if (law.bounds.empty()) return std::string(law.text.equality);
  if (law.text.equality.empty()) return scale_of(law);
  return fmt::format("{}; otherwise {}", law.text.equality, scale_of(law));
}

/// Why a relative bound of `trivial` is vacuous.
std::string_view why_vacuous(double trivial) {
  return trivial == trivial_bound ? "a kernel that answers zeros keeps such a bound"
                                  : "the answers of any two rotations are within 2 of each other";
}

constexpr std::size_t margin = 11, most_columns = 100;

/// Prints a label and its text, in lines of at most most_columns characters.
void print_labelled(std::string_view label, std::string_view text) {
  std::string line = fmt::format("  {:<{}}", label, margin - 2);
  bool is_empty = true;
  const auto add = [&](std::string_view word) {
    if (!is_empty && line.size() + 1 + word.size() > most_columns) {
      std::cout << line << "\n";
      line.assign(margin, ' ');
      is_empty = true;
    }
    line += (is_empty ? "" : " ") + std::string(word);
    is_empty = false;
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    add(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::cout << line << "\n";
}

/// Prints one line of the table of bounds: promise, position and one cell per format.
void print_bound_line(const explained_law& law, std::string_view promise, std::string_view position,
                      const each_dtype<std::string>& cells) {
  std::string line(margin + 2, ' ');
  if (law.is_of_kernels) line += fmt::format("{:<15}", promise);
  if (law.grows()) line += fmt::format("{:<14}", position);
  for (const std::string& cell : cells) line += fmt::format("{:<11}", cell);
  line.erase(line.find_last_not_of(' ') + 1);
  std::cout << line << "\n";
}

void print_bounds(const explained_law& law) {
  each_dtype<std::string> cells;
  for (const ropewalk_dtype dtype : all_dtypes) cells[dtype] = name_of(dtype);
  print_bound_line(law, "promise", "position", cells);
  for (const promise_bounds& bound : law.bounds) {
    if (!bound.equality.empty()) print_bound_line(law, bound.promise, "any", {std::string(bound.equality)});
    std::string_view promise = bound.promise;
    for (const bounds_at& at : bound.at) {
      for (const ropewalk_dtype dtype : all_dtypes)
        cells[dtype] = fmt::format("{:.4g}", at.in[dtype].relative);
      print_bound_line(law, promise, at.position ? std::to_string(*at.position) : "any", cells);
      promise = {};
    }
    if (!bound.grows()) continue;
    for (const ropewalk_dtype dtype : all_dtypes)
      cells[dtype] = bound.vacuous_from[dtype] ? std::to_string(*bound.vacuous_from[dtype]) : "never";
    print_bound_line(law, promise, "vacuous from", cells);
  }
  if (law.grows())
    print_labelled("",
                   fmt::format("base {}, rotary_dim {}: the largest of the {} pairs' bounds, and the first "
                               "position at which it is vacuous",
                               shown_encoding.base, shown_encoding.rotary_dim, pair_count(shown_encoding)));
  if (!law.remark.empty()) print_labelled("", law.remark);
}

void print_explained(const explained_law& law) {
  std::cout << law.text.name << ", of " << law.subject << "\n";
  print_labelled("says", law.text.statement);
  print_labelled("bound", headline_of(law));
  if (!law.bounds.empty()) print_bounds(law);
  if (!law.bounds.empty() && law.trivial != 0)
    print_labelled("vacuous", fmt::format("from {}: {}", law.trivial, why_vacuous(law.trivial)));
  std::string_view label = "proof";
  for (const std::string& item : items_of(law.text.proof)) print_labelled(std::exchange(label, ""), item);
  print_labelled("catches", law.is_of_kernels
                                ? fmt::format("{}: {}", law.text.catches, sentence_of_fault(law.text.catches))
                                : std::string(law.text.catches));
  if (!law.is_of_kernels) return;
  const law_reason& reason = reason_of(law.text.name);
  print_labelled("matters", reason.why);
  if (!reason.name.empty()) print_labelled("seen", reason.name);
  if (law.text.name == rotation_laws::same_as.name)
    return print_labelled("ask", "ropewalk verify --kernel KERNEL --same-as OTHER --model MODEL");
  print_labelled("ask", fmt::format("ropewalk verify --kernel KERNEL --model MODEL --law {}", law.text.name));
  print_labelled("skip", fmt::format("ropewalk verify --kernel KERNEL --model MODEL --skip-law {}=REASON",
                                     law.text.name));
}

json record_of(const explained_law& law, const bounds_at& at) {
  json record = json::object();
  if (at.position) record["position"] = *at.position;
  for (const ropewalk_dtype dtype : all_dtypes) {
    json& value = record["formats"][name_of(dtype)];
    value["relative"] = at.in[dtype].relative;
    if (law.is_of_kernels) value["absolute"] = at.in[dtype].absolute;
  }
  return record;
}

json record_of(const explained_law& law, const promise_bounds& bounds) {
  json record = json::object();
  if (!bounds.promise.empty()) record["promise"] = bounds.promise;
  if (!bounds.equality.empty()) record["equality"] = bounds.equality;
  for (const bounds_at& at : bounds.at) record["bounds"].push_back(record_of(law, at));
  for (const ropewalk_dtype dtype : all_dtypes)
    if (bounds.vacuous_from[dtype]) record["some_vacuous_from"][name_of(dtype)] = *bounds.vacuous_from[dtype];
  return record;
}

json record_of(const explained_law& law) {
  json record{{"subject", law.subject}, {"statement", law.text.statement}, {"bound", json::object()}};
  json& bound = record["bound"];
  if (!law.text.equality.empty()) bound["equality"] = law.text.equality;
  if (!law.bounds.empty()) {
    bound["relative_to"] = law.relative_to;
    if (law.is_of_rotations) bound["attention_factor"] = 1;
    if (law.grows()) bound["base"] = shown_encoding.base, bound["rotary_dim"] = shown_encoding.rotary_dim;
    if (law.trivial != 0) bound["vacuous_from"] = law.trivial;
    if (!law.remark.empty()) bound["remark"] = law.remark;
    for (const promise_bounds& bounds : law.bounds) bound["promises"].push_back(record_of(law, bounds));
  }
  record["proof"] = items_of(law.text.proof);
  if (law.is_of_kernels) {
    const law_reason& reason = reason_of(law.text.name);
    record["catches"]["fault"] = law.text.catches;
    record["matters"] = reason.why;
    if (!reason.name.empty()) record["seen"] = reason.name;
  }
  record["catches"]["sentence"] = law.is_of_kernels ? sentence_of_fault(law.text.catches) : law.text.catches;
  return record;
}

}  // namespace

void print_law(std::string_view name, bool as_json) {
  const std::vector<explained_law> laws = laws_named(name);
  if (as_json) {
    json object{{"law", name}, {"subjects", json::array()}};
    for (const explained_law& law : laws) object["subjects"].push_back(record_of(law));
    std::cout << output::pretty(object);
    return;
  }
  std::string_view between;
  for (const explained_law& law : laws) {
    std::cout << std::exchange(between, "\n");
    print_explained(law);
  }
}

}  // namespace ropewalk::report
