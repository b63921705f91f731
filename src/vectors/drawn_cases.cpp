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

/// Channels of a head, or keys of a row of scores.
int width_of(const call_group& of) {
  if (const auto* on = std::get_if<verify::rotation_subject>(&of.encoding)) return on->model.layout.head_dim;
  return std::get<recorded_addition>(of.encoding).subject.truth->width();
}

law_case empty_call(const call_group& of, const drawn_call& call) {
  law_case r;
  r.dtype = of.dtype;
  r.head_dim = width_of(of);
  r.batch = call.batch;
  r.tokens = call.tokens;
  r.query_heads = call.heads;
  r.flags = call.flags;
  r.positions = call.positions;
  r.has_real_positions = call.is_real;
  if (const auto* on = std::get_if<verify::rotation_subject>(&of.encoding)) {
    const model::model& in = on->model;
    r.axes = axis_count(in.axes);
    for (int pair = 0; r.axes > 1 && pair < pair_count(in.encoding); ++pair)
      r.axis.push_back(axis_of(pair, in.axes, in.encoding).axis);
  }
  return r;
}

/// A seed that differs from case to case.
std::uint64_t seed_of_next(const call_group& of) { return search::seed_of(of.cases.size() + 1, of.id) | 1; }

/// All axes at one position.
std::vector<double> at_one_position(const call_group& of, double position) {
  const auto* on = std::get_if<verify::rotation_subject>(&of.encoding);
  return std::vector<double>(on == nullptr ? 1 : static_cast<std::size_t>(axis_count(on->model.axes)),
                             position);
}

template <floating_format Float>
bits_of<Float> largest_number() {
  return static_cast<bits_of<Float>>(format<Float>::infinity - 1);
}

}  // namespace

call_case drawn(const call_group& of, const drawn_call& call, std::vector<std::string_view> flags) {
  law_case r = empty_call(of, call);
  r.fill = seed_of_next(of);
  return {.call = with_listed_elements(std::move(r)), .flags = std::move(flags)};
}

call_case listed(const call_group& of, double position,
                 const std::vector<std::pair<int, std::uint64_t>>& elements,
                 std::vector<std::string_view> flags) {
  law_case r = empty_call(of, {.positions = at_one_position(of, position)});
  r.query.resize(static_cast<std::size_t>(r.head_dim));
  for (const auto& [channel, bits] : elements) r.query[static_cast<std::size_t>(channel)] = bits;
  return {.call = std::move(r), .flags = std::move(flags)};
}

std::vector<ropewalk_dtype> narrow_dtypes() {
  std::vector<ropewalk_dtype> r;
  for (const ropewalk_dtype dtype : all_dtypes)
    if (size_of(dtype) < size_of(ROPEWALK_F64)) r.push_back(dtype);
  return r;
}

std::uint64_t bits_in(ropewalk_dtype dtype, double exact) {
  return with_format(dtype,
                     [&]<class Float>() -> std::uint64_t { return convert<Float, double>(to_bits(exact)); });
}

void add_unusual_elements(call_group& to, double position) {
  with_format(to.dtype, [&]<class Float>() {
    const std::uint64_t one = bits_in(to.dtype, 1), infinity = format<Float>::infinity,
                        nan = format<Float>::quiet_nan, minus = std::uint64_t{format<Float>::sign_bit},
                        smallest = 1, largest = largest_number<Float>();
    const std::uint64_t subnormal = (std::uint64_t{1} << (format<Float>::precision - 1)) - 3;
    const int last = width_of(to) - 1;
    const auto add = [&](const std::vector<std::pair<int, std::uint64_t>>& elements, std::string_view flag) {
      to.cases.push_back(listed(to, position, elements, {flag}));
    };
    add({{0, subnormal}, {last, smallest}}, "Subnormal");
    add({{0, infinity}, {1, one}, {last, one}}, "Infinity");
    add({{0, one}, {1, one}, {last, infinity | minus}}, "Infinity");
    add({{0, nan}, {1, one}, {last, one}}, "NaN");
    add({{0, minus}, {1, minus}, {last, minus}}, "SignedZero");
    add({{0, largest}, {last, one}}, "Large");
  });
}

void add_rounding_ties(call_group& to, double position) {
  if (to.dtype != ROPEWALK_BF16 && to.dtype != ROPEWALK_F16) return;
  // The same call in binary32: an element of bfloat16 or binary16 is one of binary32, too.
  call_group wide{to.id, to.encoding, ROPEWALK_F32, {}};
  const asked_kernel canonical(canonical_kernel_for(ROPEWALK_ROTATE), promise::canonical, wide);
  const std::uint32_t half = to.dtype == ROPEWALK_BF16 ? 0x8000 : 0x1000;
  search::dice dice{rc::Random(search::seed_of(7, to.id))};
  int found = 0;
  for (int drawn = 0; drawn < 4096 && found < 4; ++drawn) {
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
    ++found;
    to.cases.push_back({.call = std::move(call), .flags = {"RoundingTie"}});
  }
}

std::vector<flagged_position> decisive_positions(std::int64_t context, bool is_open) {
  std::vector<flagged_position> r = {{0, {"Identity"}}, {1, {"SmallPosition"}}, {37, {"SmallPosition"}}};
  for (const std::int64_t power : {256, 2048, 65536}) {
    if (power + 1 >= context) continue;
    for (const std::int64_t beside : {-1, 0, 1})
      r.push_back({static_cast<double>(power + beside), {"PowerOfTwo"}});
  }
  if (context > 64) r.push_back({static_cast<double>(context - 1), {"FarPosition"}});
  if (!is_open) return r;
  r.push_back({131071, {"FarPosition", "PowerOfTwo"}});
  r.push_back({16777217, {"FarPosition", "Beyond2To24"}});
  r.push_back({2147483647, {"FarPosition", "Beyond2To24", "LargestPosition"}});
  r.push_back({-1, {"Negative"}});
  r.push_back({-4097, {"Negative", "PowerOfTwo"}});
  r.push_back({-2147483647, {"Negative", "Beyond2To24", "LargestPosition"}});
  return r;
}

verify::rotation_subject subject_of(std::string_view model, std::int64_t seq_len, std::string_view layer) {
  model::model of = model::catalogue_model(model, {.layer = std::string(layer)});
  if (seq_len != 0) of = at_length(std::move(of), {seq_len, "--seq-len"});
  return {std::move(of), "--model " + std::string(model)};
}

verify::rotation_subject subject_by_hand(double base, int head_dim, int rotary_dim, pairing layout,
                                         std::string_view scaling, int rotary_begin) {
  return {model::model_by_hand(base, head_dim, rotary_dim, layout, scaling, rotary_begin)};
}

}  // namespace ropewalk::vectors
