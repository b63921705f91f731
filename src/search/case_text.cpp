// A case in words: shape, positions, flags and unusual memory layout.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>

#include "ropewalk/numeric/format.hpp"
#include "search/case_generator.hpp"
#include "search/number_bits.hpp"

namespace ropewalk::search {
namespace {

std::string memory_axes_of(std::uint32_t bits) {
  constexpr const char* names[] = {"batch", "tokens", "heads", "channels"};
  std::string text;
  for (int axis = 0; axis < 4; ++axis)
    if ((bits >> axis & 1) != 0) text += (text.empty() ? "" : " and ") + std::string(names[axis]);
  return text;
}

/// Unusual properties of a tensor's memory.
std::string text_of(const char* tensor, const tensor_layout& layout) {
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
  if (layout.gap > 0) add(fmt::format("{} unused elements after each head", layout.gap));
  if (layout.row_gap > 0) add(fmt::format("{} unused elements after each token", layout.row_gap));
  if (layout.channel_step != 1) add(fmt::format("channels {} elements apart", layout.channel_step));
  if (layout.heads_first) add("heads before tokens in memory");
  if (layout.reversed != 0) add("backward in memory along " + memory_axes_of(layout.reversed));
  if (layout.unaligned >= 16)
    add(fmt::format("{} bytes past the start of a page", layout.unaligned));
  else if (layout.unaligned != 0)
    add(fmt::format("{} bytes past a multiple of 16", layout.unaligned));
  return text.empty() ? text : fmt::format("; {}: {}", tensor, text);
}

/// A run of equal numbers, or of numbers that rise by 1.
struct number_run {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::size_t length = 1;
};

number_run run_at(const double* begin, const double* end) {
  number_run run{.first = static_cast<std::int64_t>(*begin)};
  if (end - begin > 1 && begin[1] == *begin) run.step = 0;
  const auto next = [&] { return run.first + static_cast<std::int64_t>(run.length) * run.step; };
  while (begin + run.length != end && static_cast<std::int64_t>(begin[run.length]) == next()) ++run.length;
  return run;
}

std::string text_of(const number_run& run) {
  if (run.length < 3) {
    const std::string first = fmt::format(" {}", run.first);
    return run.length == 1 ? first : first + fmt::format(" {}", run.first + run.step);
  }
  return run.step == 0 ? fmt::format(" {} times {}", run.length, run.first)
                       : fmt::format(" {} to {}", run.first, run.first + std::int64_t(run.length) - 1);
}

constexpr int most_runs = 16;  // of whole positions; also the cap on single real ones

/// Real positions of one axis: " 0.5 (0x1p-1) 3 (0x1.8p+1) and 200 more".
std::string real_positions_of_axis(const double* begin, const double* end) {
  std::string text;
  for (int listed = 0; begin != end; ++listed) {
    if (listed == most_runs) return text + fmt::format(" and {} more", end - begin);
    text += " " + text_of_position(*begin++, true);
  }
  return text;
}

/// Positions of one axis, with runs abbreviated: " 7 0 to 511 3 times 9 and 200 more".
std::string positions_of_axis(const double* begin, const double* end) {
  std::string text;
  for (int runs = 0; begin != end; ++runs) {
    if (runs == most_runs) return text + fmt::format(" and {} more", end - begin);
    const number_run run = run_at(begin, end);
    text += text_of(run);
    begin += run.length;
  }
  return text;
}

std::string positions_of(const law_case& test_case) {
  const std::size_t count = test_case.positions.size() / static_cast<std::size_t>(test_case.axes);
  std::string text;
  for (const double* begin = test_case.positions.data();
       begin != test_case.positions.data() + test_case.positions.size(); begin += count)
    text += (text.empty() ? "" : ", on the next axis") +
            (test_case.has_real_positions ? real_positions_of_axis : positions_of_axis)(begin, begin + count);
  return text;
}

/// Runs of pairs and the position row that turns each.
std::string turned_by_axes(const law_case& test_case) {
  std::string text;
  for (std::size_t first = 0, last; first < test_case.axis.size(); first = last) {
    for (last = first + 1; last < test_case.axis.size() && test_case.axis[last] == test_case.axis[first];)
      ++last;
    text += last - first == 1 ? fmt::format(" {}", test_case.axis[first])
                              : fmt::format(" {}x{}", last - first, test_case.axis[first]);
  }
  return text;
}

}  // namespace

std::string text_of_position(double position, bool is_real) {
  return is_real ? text_of(ROPEWALK_F64, to_bits(position))
                 : std::to_string(static_cast<std::int64_t>(position));
}

std::string text_of(const law_case& test_case) {
  std::string text = fmt::format("[{}, {}, {}, {}]", test_case.batch, test_case.tokens, test_case.query_heads,
                                 test_case.head_dim);
  if (test_case.key_heads > 0)
    text += fmt::format(", {} key head{}", test_case.key_heads, test_case.key_heads == 1 ? "" : "s");
  if (test_case.rotary_dim > 0)
    text += fmt::format(", all {} channels turned by a plain encoding", test_case.rotary_dim);
  const char* const kind = test_case.counted ? "counted " : test_case.has_real_positions ? "real " : "";
  text += fmt::format(" {} at {}positions", name_of(test_case.dtype), kind) + positions_of(test_case);
  if (!test_case.sequence_offset.empty())
    text += fmt::format(", in sequences from {}", fmt::join(test_case.sequence_offset, " "));
  if (test_case.axes > 1) text += ", pairs on axes" + turned_by_axes(test_case);
  if (test_case.position_step != 1)
    text += fmt::format(", positions {} numbers apart in memory", test_case.position_step);
  if (test_case.table.begin != test_case.table.end)
    text += fmt::format(", a plan with the range of positions {} to {}", test_case.table.begin,
                        test_case.table.end - 1);
  if (test_case.fill != 0) text += fmt::format(", elements drawn from {:#x}", test_case.fill);
  if (test_case.in_place || test_case.key_otherwise)
    text += !test_case.key_otherwise ? ", in place"
            : test_case.in_place     ? ", query in place"
                                     : ", key in place";
  if (test_case.fused) text += ", query and key as heads of one tensor";
  if (test_case.shares_heads) text += ", input heads broadcast (stride 0)";
  if ((test_case.flags & ROPEWALK_BACKWARD) != 0) text += ", backward";
  if ((test_case.flags & ROPEWALK_UNIT) != 0) text += ", unit";
  if (test_case.environment == caller_environment::flushing)
    text += ", the caller flushes subnormals to zero";
  if (test_case.environment == caller_environment::upward) text += ", the caller rounds upward";
  const bool keeps_query = !is_in_place(test_case, operand::query),
             keeps_key = !is_in_place(test_case, operand::key);
  text += text_of(keeps_query ? "query in" : "query", test_case.query_in);
  if (test_case.key_heads > 0 && !test_case.fused)
    text += text_of(keeps_key ? "key in" : "key", test_case.key_in);
  if (keeps_query) text += text_of("query out", test_case.query_out);
  if (test_case.key_heads > 0 && keeps_key) text += text_of("key out", test_case.key_out);
  return text;
}

}  // namespace ropewalk::search

namespace ropewalk {

void showValue(const law_case& test_case, std::ostream& to) { to << search::text_of(test_case); }

}  // namespace ropewalk
