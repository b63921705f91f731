#include "vectors/drawn_cases.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

#include "ropewalk/encoding/rope_axes.hpp"
#include "ropewalk/law/kernel/case_elements.hpp"
#include "ropewalk/numeric/float_arithmetic.hpp"
#include "search/dice.hpp"
#include "vectors/answers.hpp"

namespace ropewalk::vectors {
namespace {

/// Channels of a head, or keys in a row of scores.
int width_of(const call_group& group) {
  if (const auto* subject = std::get_if<verify::rotation_subject>(&group.encoding))
    return subject->model.layout.head_dim;
  return std::get<recorded_addition>(group.encoding).subject.truth->width();
}

law_case empty_call(const call_group& group, const drawn_call& call) {
  law_case test_case;
  test_case.dtype = group.dtype;
  test_case.head_dim = width_of(group);
  test_case.batch = call.batch;
  test_case.tokens = call.tokens;
  test_case.query_heads = call.heads;
  test_case.flags = call.flags;
  test_case.positions = call.positions;
  test_case.has_real_positions = call.is_real;
  if (const auto* subject = std::get_if<verify::rotation_subject>(&group.encoding)) {
    const model::model& in = subject->model;
    test_case.axes = axis_count(in.axes);
    for (int pair = 0; test_case.axes > 1 && pair < pair_count(in.encoding); ++pair)
      test_case.axis.push_back(axis_of(pair, in.axes, in.encoding).axis);
  }
  return test_case;
}

/// A seed that is different for each case.
std::uint64_t seed_of_next(const call_group& group) {
  return search::seed_of(group.cases.size() + 1, group.id) | 1;
}

/// The same position on all axes.
std::vector<double> at_one_position(const call_group& group, double position) {
  const auto* subject = std::get_if<verify::rotation_subject>(&group.encoding);
  return std::vector<double>(
      subject == nullptr ? 1 : static_cast<std::size_t>(axis_count(subject->model.axes)), position);
}

template <floating_format Float>
bits_of<Float> largest_number() {
  return static_cast<bits_of<Float>>(format<Float>::infinity - 1);
}

}  // namespace

call_case drawn(const call_group& group, const drawn_call& call, std::vector<std::string_view> flags) {
  law_case test_case = empty_call(group, call);
  test_case.fill = seed_of_next(group);
  return {.call = with_listed_elements(std::move(test_case)), .flags = std::move(flags)};
}

call_case listed(const call_group& group, double position,
                 const std::vector<std::pair<int, std::uint64_t>>& elements,
                 std::vector<std::string_view> flags) {
  law_case test_case = empty_call(group, {.positions = at_one_position(group, position)});
  test_case.query.resize(static_cast<std::size_t>(test_case.head_dim));
  for (const auto& [channel, bits] : elements) test_case.query[static_cast<std::size_t>(channel)] = bits;
  return {.call = std::move(test_case), .flags = std::move(flags)};
}

std::vector<ropewalk_dtype> narrow_dtypes() {
  std::vector<ropewalk_dtype> dtypes;
  for (const ropewalk_dtype dtype : all_dtypes)
    if (size_of(dtype) < size_of(ROPEWALK_F64)) dtypes.push_back(dtype);
  return dtypes;
}

std::uint64_t bits_in(ropewalk_dtype dtype, double exact) {
  return with_format(dtype,
                     [&]<class Float>() -> std::uint64_t { return convert<Float, double>(to_bits(exact)); });
}

void add_unusual_elements(call_group& to, double position) {
  with_format(to.dtype, [&]<class Float>() {
    const std::uint64_t bits = bits_in(to.dtype, 1), infinity = format<Float>::infinity,
                        nan = format<Float>::quiet_nan, minus = std::uint64_t{format<Float>::sign_bit},
                        smallest = 1, largest = largest_number<Float>();
    const std::uint64_t subnormal = (std::uint64_t{1} << (format<Float>::precision - 1)) - 3;
    const int last = width_of(to) - 1;
    const auto add = [&](const std::vector<std::pair<int, std::uint64_t>>& elements, std::string_view flag) {
      to.cases.push_back(listed(to, position, elements, {flag}));
    };
    add({{0, subnormal}, {last, smallest}}, "Subnormal");
    add({{0, infinity}, {1, bits}, {last, bits}}, "Infinity");
    add({{0, bits}, {1, bits}, {last, infinity | minus}}, "Infinity");
    add({{0, nan}, {1, bits}, {last, bits}}, "NaN");
    add({{0, minus}, {1, minus}, {last, minus}}, "SignedZero");
    add({{0, largest}, {last, bits}}, "Large");
  });
}

void add_rounding_ties(call_group& to, double position) {
  if (to.dtype != ROPEWALK_BF16 && to.dtype != ROPEWALK_F16) return;
  // The same call in binary32, which has every element of bfloat16 and binary16.
  call_group wide{to.id, to.encoding, ROPEWALK_F32, {}};
  const asked_kernel canonical(canonical_kernel_for(ROPEWALK_ROTATE), promise::canonical, wide);
  const std::uint32_t half = to.dtype == ROPEWALK_BF16 ? 0x8000 : 0x1000;
  search::dice dice{rc::Random(search::seed_of(7, to.id))};
  int count = 0;
  for (int drawn = 0; drawn < 4096 && count < 4; ++drawn) {
    law_case call = empty_call(to, {.positions = at_one_position(to, position)});
    call.fill = dice.bits() | 1;
    call = with_listed_elements(std::move(call));
    law_case in_binary32 = call;
    in_binary32.dtype = ROPEWALK_F32;
    with_format(to.dtype, [&]<class Float>() {
      for (std::uint64_t& bits : in_binary32.query)
        bits = convert<float, Float>(static_cast<bits_of<Float>>(bits));
    });
    const std::vector<std::uint64_t> results = canonical.answer(in_binary32);
    const bool has_tie = std::any_of(results.begin(), results.end(),
                                     [&](std::uint64_t bits) { return (bits & (2 * half - 1)) == half; });
    if (!has_tie) continue;
    ++count;
    to.cases.push_back({.call = std::move(call), .flags = {"RoundingTie"}});
  }
}

std::vector<flagged_position> decisive_positions(std::int64_t context, bool is_open) {
  std::vector<flagged_position> positions = {
      {0, {"Identity"}}, {1, {"SmallPosition"}}, {37, {"SmallPosition"}}};
  for (const std::int64_t power : {256, 2048, 65536}) {
    if (power + 1 >= context) continue;
    for (const std::int64_t beside : {-1, 0, 1})
      positions.push_back({static_cast<double>(power + beside), {"PowerOfTwo"}});
  }
  if (context > 64) positions.push_back({static_cast<double>(context - 1), {"FarPosition"}});
  if (!is_open) return positions;
  positions.push_back({131071, {"FarPosition", "PowerOfTwo"}});
  positions.push_back({16777217, {"FarPosition", "Beyond2To24"}});
  positions.push_back({2147483647, {"FarPosition", "Beyond2To24", "LargestPosition"}});
  positions.push_back({-1, {"Negative"}});
  positions.push_back({-4097, {"Negative", "PowerOfTwo"}});
  positions.push_back({-2147483647, {"Negative", "Beyond2To24", "LargestPosition"}});
  return positions;
}

verify::rotation_subject subject_of(std::string_view model, std::int64_t seq_len, std::string_view layer) {
  model::model read_model = model::catalogue_model(model, {.layer = std::string(layer)});
  if (seq_len != 0) read_model = at_length(std::move(read_model), {seq_len, "--seq-len"});
  return {std::move(read_model), "--model " + std::string(model)};
}

verify::rotation_subject subject_by_hand(double base, int head_dim, int rotary_dim, pairing layout,
                                         std::string_view scaling, int rotary_begin) {
  return {model::model_by_hand(base, head_dim, rotary_dim, layout, scaling, rotary_begin)};
}

}  // namespace ropewalk::vectors
