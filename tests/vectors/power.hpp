#pragma once
// Which known mistakes the cases of the pack show: kernels with a planted fault, recipes of engines, and
// tables with the mistakes of public trackers.

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/tracker_faults.hpp"
#include "fault/known_faults.hpp"
#include "kernel/kernels.hpp"
#include "output/decimal.hpp"
#include "vectors/answers.hpp"
#include "vectors/pack.hpp"
#include "vectors/record.hpp"
#include "vectors/tables.hpp"

namespace ropewalk::test {

using vectors::allowed_error;
using vectors::call_case;
using vectors::call_group;

/// A mistake and the case that shows it.
struct shown_mistake {
  std::string mistake;
  std::string sentence;
  std::string case_id{};  // empty: no case shows it
  std::string promise{};  // the loosest rule that the answer breaks
  std::vector<std::string> flags{};
};

/// Whether two numbers of a format are the same, any NaN being any other.
inline bool is_same_number(ropewalk_dtype dtype, std::uint64_t a, std::uint64_t b) {
  return with_format(dtype, [&]<class Float>() {
    return a == b ||
           (is_nan<Float>(static_cast<bits_of<Float>>(a)) && is_nan<Float>(static_cast<bits_of<Float>>(b)));
  });
}

inline double number_of(ropewalk_dtype dtype, std::uint64_t bits) {
  return with_format(
      dtype, [&]<class Float>() { return output::to_double<Float>(static_cast<bits_of<Float>>(bits)); });
}

/// Whether a call's output has the expected bits.
inline bool has_bits(const call_group& group, const call_case& test_case,
                     const std::vector<std::uint64_t>& answer) {
  for (std::size_t i = 0; i < answer.size(); ++i)
    if (!is_same_number(group.dtype, answer[i], test_case.expected[i])) return false;
  return true;
}

/// Whether a rotation's output keeps the rule of a promise, as pack/README.md states it.
inline bool keeps_distance(const call_group& group, const call_case& test_case,
                           const std::vector<std::uint64_t>& answer, const allowed_error& allowed) {
  const auto& model = std::get<verify::rotation_subject>(group.encoding).model;
  bool keeps = true;
  for_each_head(test_case.call, [&](const place& at) {
    const std::size_t start = head_start(test_case.call, at);
    const auto number = [&](const std::vector<std::uint64_t>& from, int channel) {
      return number_of(group.dtype, from[start + static_cast<std::size_t>(channel)]);
    };
    std::vector<bool> turns(static_cast<std::size_t>(test_case.call.head_dim));
    for (int pair = 0; pair < pair_count(model.encoding); ++pair) {
      const channel_pair in = channels_of(pair, model.axes, model.encoding, model.layout.pairing_in),
                         out = channels_of(pair, model.axes, model.encoding, model.layout.pairing_out);
      const int first = model.layout.rotary_begin;
      for (const int channel : {out.first, out.second})
        turns[static_cast<std::size_t>(first + channel)] = true;
      const double x = std::hypot(number(test_case.call.query, first + in.first),
                                  number(test_case.call.query, first + in.second));
      const double position = position_of(test_case.call, at.row, at.token, axis_of(test_case.call, pair));
      const double relative = allowed.relative_at(pair, position);
      double squares = 0;
      bool is_finite = true;
      for (const int channel : {out.first, out.second}) {
        const double expected = number(test_case.expected, first + channel),
                     observed = number(answer, first + channel);
        if (!std::isfinite(expected)) {
          is_finite = false;
          keeps = keeps && (std::isnan(expected) ? true : observed == expected);
        } else {
          keeps = keeps && std::isfinite(observed);
          squares += (observed - expected) * (observed - expected);
        }
      }
      if (is_finite && std::isfinite(x) && relative < 1)
        keeps = keeps && std::sqrt(squares) <= relative * x + allowed.absolute;
    }
    for (int channel = 0; channel < test_case.call.head_dim; ++channel) {
      const std::size_t i = start + static_cast<std::size_t>(channel);
      if (!turns[static_cast<std::size_t>(channel)])
        keeps = keeps && is_same_number(group.dtype, answer[i], test_case.expected[i]);
    }
  });
  return keeps;
}

/// Whether an addition's output keeps the rule of a promise.
inline bool keeps_sum(const call_group& group, const call_case& test_case,
                      const std::vector<std::uint64_t>& answer, const allowed_error& allowed) {
  const addition_truth& truth = *std::get<vectors::recorded_addition>(group.encoding).subject.truth;
  bool keeps = true;
  with_format(group.dtype, [&]<class Float>() {
    using wide = rotation_format<Float>;
    std::vector<bits_of<wide>> row(static_cast<std::size_t>(truth.width()));
    for_each_head(test_case.call, [&](const place& at) {
      truth.entries<wide>(at.position, static_cast<int>(at.head), row.data());
      for (std::size_t channel = 0; channel < row.size(); ++channel) {
        const std::size_t i = head_start(test_case.call, at) + channel;
        const double x = number_of(group.dtype, test_case.call.query[i]),
                     expected = number_of(group.dtype, test_case.expected[i]),
                     observed = number_of(group.dtype, answer[i]);
        if (!std::isfinite(expected)) {
          keeps = keeps && (std::isnan(expected) || observed == expected);
          continue;
        }
        const double size = std::abs(x) + std::abs(output::to_double<wide>(row[channel]));
        keeps = keeps && std::abs(observed - expected) <= allowed.relative * size + allowed.absolute;
      }
    });
  });
  return keeps;
}

inline bool keeps(const call_group& group, const call_case& test_case,
                  const std::vector<std::uint64_t>& answer, const allowed_error& allowed) {
  return vectors::operation_of(group) == ROPEWALK_ROTATE ? keeps_distance(group, test_case, answer, allowed)
                                                         : keeps_sum(group, test_case, answer, allowed);
}

/// The first case that a kernel's answer breaks by the loosest rule of its group, else by any.
inline shown_mistake shown_by(const std::vector<call_group>& groups, const ropewalk_kernel& kernel,
                              std::string sentence) {
  shown_mistake mistake{kernel.name, std::move(sentence)};
  for (const call_group& group : groups) {
    if (vectors::operation_of(group) != kernel.operation) continue;
    const vectors::asked_kernel outside(kernel, promise::canonical, group);
    std::optional<std::vector<allowed_error>> allowed;
    for (std::size_t i = 0; i < group.cases.size(); ++i) {
      const call_case& test_case = group.cases[i];
      if (!outside.serves(test_case.call)) continue;
      std::vector<std::uint64_t> answer;
      try {
        answer = outside.answer(test_case.call);
      } catch (const kernel_trouble&) {  // it refuses, or a call does more than compute: no answer shows it
        continue;
      }
      if (has_bits(group, test_case, answer)) continue;
      if (!allowed) allowed = vectors::allowed_errors(group);
      std::string broken = "canonical";
      for (const allowed_error& rule : *allowed)
        if (!keeps(group, test_case, answer, rule)) broken = name_of(rule.value, ROPEWALK_ROTATE);
      const bool is_loosest = !allowed->empty() && broken == name_of(allowed->back().value, ROPEWALK_ROTATE);
      if (!mistake.case_id.empty() && !is_loosest) continue;
      mistake.case_id = vectors::case_id(group.id, i + 1);
      mistake.promise = broken;
      mistake.flags = {test_case.flags.begin(), test_case.flags.end()};
      if (is_loosest) return mistake;
    }
  }
  return mistake;
}

/// Whether an array that an engine made keeps a rule in a case; bits if `allowed` is null.
inline bool keeps(const vectors::entry_group& group, const vectors::entry_case& test_case,
                  const diagnosis::given_array& made, const vectors::allowed_entries& all,
                  const allowed_error* allowed) {
  const std::size_t size = size_of(group.dtype),
                    columns = static_cast<std::size_t>(group.table->about().columns);
  const std::vector<std::uint64_t> expected = vectors::entries_of(group, test_case);
  const auto value = [&](std::uint64_t bits) {
    return tables::in_format(group.dtype, [&]<class Float>() {
      return output::to_double<Float>(static_cast<bits_of<Float>>(bits));
    });
  };
  std::vector<std::byte> bytes(columns * size);
  std::size_t at = 0;
  for (const std::int64_t row : test_case.rows) {
    made.read(row, bytes.data());
    std::vector<std::uint64_t> observed(columns, 0);
    for (std::size_t column = 0; column < columns; ++column)
      std::memcpy(&observed[column], bytes.data() + column * size, size);
    const std::uint64_t* const right = expected.data() + at;
    at += columns;
    if (allowed == nullptr) {
      if (!std::equal(observed.begin(), observed.end(), right)) return false;
      continue;
    }
    const double position = all.columns.empty() ? 0 : std::stod(group.table->row_at(row).front().value);
    const auto apart = [&](std::size_t column) { return value(observed[column]) - value(right[column]); };
    for (std::size_t pair = 0; pair < all.columns.size(); ++pair) {
      const double bound = allowed->relative_at(static_cast<int>(pair), position);
      const auto [cos, sin] = all.columns[pair];
      if (bound < 1 &&
          !(std::hypot(apart(static_cast<std::size_t>(cos)), apart(static_cast<std::size_t>(sin))) <= bound))
        return false;
    }
    for (std::size_t column = 0; all.columns.empty() && column < columns; ++column)
      if (!(std::abs(apart(column)) <=
            allowed->relative * std::abs(value(right[column])) + allowed->absolute))
        return false;
  }
  return true;
}

/// The first case whose table an engine's mistake breaks by the loosest rule of its group, else by any.
inline shown_mistake shown_by(const std::vector<vectors::entry_group>& groups,
                              const table_faults::tracker_fault& fault) {
  shown_mistake mistake{"table: " + fault.fault, fault.hypothesis};
  for (const vectors::entry_group& group : groups) {
    const tables::table_content& content = group.table->content();
    const auto* rotary = std::get_if<tables::rotary_content>(&content);
    if (rotary == nullptr || (!has_positions(rotary->layout) && fault.where == table_faults::shows_in::rows))
      continue;
    std::optional<table_faults::engine_table> engine;
    try {
      engine = fault.on(rotary->model);
    } catch (const std::invalid_argument&) {  // it is one of other layers, and these do not rotate
    }
    if (!engine) continue;
    const vectors::allowed_entries allowed = vectors::allowed_errors(group);
    input::position_list positions;
    for (std::int64_t row = 0; has_positions(rotary->layout) && row < group.table->about().rows; ++row)
      positions.listed.push_back(std::stoi(group.table->row_at(row).front().value));
    positions.is_listed = true;
    const diagnosis::given_array made =
        laid_out(*engine, rotary->layout, group.dtype, positions, table_faults::working::binary64);
    for (std::size_t i = 0; i < group.cases.size(); ++i) {
      const vectors::entry_case& test_case = group.cases[i];
      if (!test_case.columns.empty() || keeps(group, test_case, made, allowed, nullptr)) continue;
      std::string broken = "rounded-once";
      for (const allowed_error& rule : allowed.errors)
        if (!keeps(group, test_case, made, allowed, &rule)) broken = name_of(rule.value, ROPEWALK_ROTATE);
      const bool is_loosest =
          !allowed.errors.empty() && broken == name_of(allowed.errors.back().value, ROPEWALK_ROTATE);
      if (!mistake.case_id.empty() && !is_loosest) continue;
      mistake.case_id = vectors::case_id(group.id, i + 1);
      mistake.promise = broken;
      mistake.flags = {test_case.flags.begin(), test_case.flags.end()};
      if (is_loosest) return mistake;
    }
  }
  return mistake;
}

}  // namespace ropewalk::test
