#include "transport/described_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "input/bad_input.hpp"
#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/head_layout.hpp"
#include "ropewalk/config/position_range.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/kernel/kernel_of.hpp"
#include "ropewalk/kernel/pairing_number.hpp"
#include "ropewalk/law/kernel/call_memory.hpp"

namespace ropewalk::transport {
namespace {

using input::json;

/// A feature that a description disables with `false`.
struct feature {
  const char* key;
  std::uint32_t bit;
};

constexpr feature features[] = {{"partial", ROPEWALK_NO_PARTIAL},
                                {"crossing", ROPEWALK_NO_CROSSING},
                                {"backward", ROPEWALK_NO_BACKWARD},
                                {"unit", ROPEWALK_NO_UNIT},
                                {"key", ROPEWALK_NO_KEY}};

/// The names of operations in messages.
constexpr std::pair<std::string_view, ropewalk_operation> operation_words[] = {
    {"rotate", ROPEWALK_ROTATE}, {"add-row", ROPEWALK_ADD_ROW}, {"add-bias", ROPEWALK_ADD_BIAS}};

/// The elements of a list, or a single value; empty if the key is absent.
std::vector<json> list_of(const json& item, const char* key) {
  const json& value = input::value_of(item, key);
  if (value.is_null()) return {};
  if (value.is_array()) return {value.begin(), value.end()};
  return {value};
}

[[noreturn]] void refuse(const std::string& key, const json& value, const std::string& allowed) {
  throw bad_input("kernels." + key, input::shown(value), allowed);
}

std::int64_t whole(const std::string& key, const json& value, std::int64_t smallest) {
  constexpr std::int64_t largest = std::int64_t{1} << 31;
  if (!value.is_number_integer() || value.get<double>() > static_cast<double>(largest) ||
      value.get<std::int64_t>() < smallest)
    refuse(key, value, fmt::format("a whole number from {} to {}", smallest, largest));
  return value.get<std::int64_t>();
}

void read_formats(described_kernel& to, const json& value) {
  for (const json& item : list_of(value, "dtypes")) {
    const auto dtype = item.is_string() ? dtype_named(item.get<std::string>()) : std::nullopt;
    if (!dtype) refuse("dtypes", item, dtype_names());
    to.limits.dtypes |= 1u << *dtype;
  }
  for (const json& item : list_of(value, "pairing")) {
    std::uint32_t named = 0;
    for (const pairing kind : every_pairing)
      if (item == name_of(kind)) named = 1u << number_of(kind);
    if (named == 0) refuse("pairing", item, "interleaved, half-split, half-split-by-axis");
    to.limits.pairings |= named;
  }
}

/// Reads the forms of ALiBi that a kernel serves, named as on the command line.
void read_forms(described_kernel& to, const json& value) {
  for (const json& item : list_of(value, "forms")) {
    std::uint64_t named = 0;
    for (const alibi_form form : alibi_forms)
      if (item == name_of(form)) named = form_bit(form);
    if (named == 0) refuse("forms", item, "causal, symmetric, bloom, mpt");
    to.limits.forms |= named;
  }
}

void read_extents(described_kernel& to, const json& value) {
  for (const json& item : list_of(value, "head_dims"))
    to.head_dims.push_back(
        static_cast<std::int32_t>(std::min<std::int64_t>(whole("head_dims", item, 1), 1 << 30)));
  const auto axes = input::integer_in(value, "axes", 1, "kernels.");
  to.limits.axes = axes ? static_cast<std::int32_t>(std::min<std::int64_t>(axes.value, 1 << 30)) : 0;
  const std::vector<json> range = list_of(value, "positions");
  if (!range.empty() && range.size() != 2)
    refuse("positions", input::value_of(value, "positions"), "[first, end]");
  if (!range.empty()) {
    to.limits.position_begin = whole("positions", range[0], smallest_position);
    to.limits.position_end = whole("positions", range[1], to.limits.position_begin + 1);
  }
  for (const json& item : list_of(value, "shapes")) {
    if (!item.is_array() || item.size() != 4) refuse("shapes", item, "[batch, tokens, heads, head_dim]");
    std::array<std::int64_t, 4> shape{};
    for (std::size_t i = 0; i < shape.size(); ++i) shape[i] = whole("shapes", item[i], 1);
    to.shapes.push_back(shape);
  }
}

}  // namespace

std::string operation_word(ropewalk_operation operation) {
  for (const auto& [word, number] : operation_words)
    if (number == operation) return std::string(word);
  throw std::invalid_argument("operation is " + std::to_string(operation) + "; allowed: 0 to 2");
}

described_kernel described_by(const json& value) {
  if (!value.is_object()) refuse("", value, "one object per kernel");
  described_kernel described;
  described.name = input::text_in(value, "name", "kernels.");
  const std::string operation = input::text_in(value, "operation", "kernels.");
  if (!operation.empty()) {
    const auto items = std::find_if(std::begin(operation_words), std::end(operation_words),
                                    [&](const auto& item) { return item.first == operation; });
    if (items == std::end(operation_words))
      throw bad_input("kernels.operation", operation, "rotate, add-row, add-bias");
    described.operation = items->second;
  }
  const std::string promised = input::text_in(value, "promise", "kernels.");
  const auto known = promise_named(promised);
  if (!known)
    throw bad_input("kernels.promise", promised.empty() ? "missing" : promised,
                    promise_names() + ", or parts as --promise takes them");
  described.promised = *known;
  described.limits.struct_size = sizeof described.limits;
  described.limits.not_served = gathered_calls;
  for (const feature& feature : features) {
    const auto serves = input::flag_in(value, feature.key, "kernels.");
    if (serves && !serves.value) described.limits.not_served |= feature.bit;
  }
  const auto begin = input::flag_in(value, "rotary_begin", "kernels.");
  if (!begin || !begin.value)
    described.limits.not_served |= ROPEWALK_NO_BEGIN;  // programs older than this feature
  const auto reals = input::flag_in(value, "real_positions", "kernels.");
  if (reals && reals.value) {
    if (described.operation == ROPEWALK_ADD_BIAS)
      refuse("real_positions", input::value_of(value, "real_positions"),
             "true only for kernels that rotate or add rows");
    described.limits.position_kinds = all_position_kinds;
  }
  const auto times = input::flag_in(value, "time", "kernels.");
  described.has_times = times && times.value;
  read_formats(described, value);
  read_forms(described, value);
  read_extents(described, value);
  return described;
}

}  // namespace ropewalk::transport
