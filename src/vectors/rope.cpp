// Rotations on one axis: by hand in every dtype and pairing, and of models.

#include <string>

#include "ropewalk/kernel/kernel.h"
#include "vectors/answers.hpp"
#include "vectors/drawn_cases.hpp"

namespace ropewalk::vectors {
namespace {

constexpr std::string_view yarn_of_16 =
    R"({"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096})";

call_group group(std::string id, verify::rotation_subject subject, ropewalk_dtype dtype) {
  id += "-" + std::string(name_of(dtype));
  return {std::move(id), std::move(subject), dtype, {}};
}

void add_at(call_group& to, const std::vector<flagged_position>& positions, std::string_view more) {
  for (const flagged_position& at : positions) {
    std::vector<std::string_view> flags = at.flags;
    if (!more.empty()) flags.push_back(more);
    to.cases.push_back(drawn(to, {.positions = {at.position}}, std::move(flags)));
  }
}

void add_unit_vectors(call_group& to, int channels, double position) {
  for (int channel = 0; channel < channels; ++channel)
    to.cases.push_back(listed(to, position, {{channel, bits_in(to.dtype, 1)}}, {"UnitVector"}));
}

/// Every dtype and both pairings with one head of 8 channels, and everything that a larger head has.
void add_small_heads(topic& to) {
  for (const pairing layout : {pairing::interleaved, pairing::half_split})
    for (const ropewalk_dtype dtype : all_dtypes) {
      call_group first =
          group("rope-" + std::string(name_of(layout)), subject_by_hand(10000, 8, 8, layout), dtype);
      add_at(first, decisive_positions(1048576, true), "WholeHead");
      add_unit_vectors(first, 8, 5);
      add_unusual_elements(first, 5);
      add_rounding_ties(first, 1000);
      to.calls.push_back(std::move(first));
    }
}

/// One token of a call, as a separate call.
call_case alone(const call_case& all, std::int64_t token) {
  call_case alone = all;
  const auto elements = static_cast<std::ptrdiff_t>(all.call.query_heads * all.call.head_dim);
  const auto first = all.call.query.begin() + token * elements;
  alone.call.tokens = 1;
  alone.call.positions = {all.call.positions[static_cast<std::size_t>(token)]};
  alone.call.query.assign(first, first + elements);
  alone.flags = {"Decode"};
  return alone;
}

/// Calls of several tokens, heads and batch rows.
void add_shapes(call_group& to) {
  to.cases.push_back(drawn(to, {.tokens = 5, .heads = 3, .positions = {3, 4, 5, 6, 7}}, {"SeveralTokens"}));
  to.cases.push_back(
      drawn(to, {.tokens = 4, .heads = 2, .positions = {4095, 17, 90000, 2}}, {"SeveralTokens"}));
  to.cases.push_back(
      drawn(to, {.batch = 3, .tokens = 2, .heads = 2, .positions = {0, 1, 700, 701, 31, 32}}, {"BatchRows"}));
  to.cases.push_back(drawn(to, {.heads = 13, .positions = {77}}, {"ManyHeads"}));
  to.cases.push_back(
      drawn(to, {.tokens = 8, .positions = {0, 1, 2, 0, 1, 0, 1, 2}}, {"Packed", "SeveralTokens"}));
  const call_case prefill = drawn(to, {.tokens = 4, .positions = {500, 501, 502, 503}}, {"Prefill"});
  to.cases.push_back(prefill);
  for (const std::int64_t token : {0, 3}) to.cases.push_back(alone(prefill, token));
  to.cases.push_back(
      drawn(to, {.tokens = 2, .positions = {9, 20000}, .flags = ROPEWALK_BACKWARD}, {"Backward"}));
}

void add_calls(topic& to) {
  for (const ropewalk_dtype dtype : narrow_dtypes()) {
    call_group first = group("rope-shapes", subject_by_hand(10000, 16, 16, pairing::half_split), dtype);
    add_shapes(first);
    to.calls.push_back(std::move(first));
    call_group factor =
        group("rope-factor", subject_by_hand(10000, 16, 16, pairing::interleaved, yarn_of_16), dtype);
    add_at(factor, decisive_positions(16384, false), "AttentionFactor");
    add_unit_vectors(factor, 16, 5);
    factor.cases.push_back(
        drawn(factor, {.positions = {5}, .flags = ROPEWALK_BACKWARD}, {"Backward", "AttentionFactor"}));
    factor.cases.push_back(drawn(factor, {.positions = {5}, .flags = ROPEWALK_UNIT}, {"Unit"}));
    to.calls.push_back(std::move(factor));
  }
}

/// YaRN with a ramp that ends beyond half of the pairs.
void add_long_ramp(topic& to) {
  constexpr std::string_view config =
      R"({"model_type": "solar_open", "rope_theta": 10000, "head_dim": 16, "max_position_embeddings": 131072,
          "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "attention_factor": 1.0,
                           "original_max_position_embeddings": 32768}})";
  call_group first =
      group("rope-long-ramp", {model::parse_model(config, "a YaRN ramp from pair 4 to 8"), {}}, ROPEWALK_F32);
  add_at(first, {{3, {"SmallPosition"}}, {131071, {"FarPosition"}}}, "WholeHead");
  to.calls.push_back(std::move(first));
}

/// Binary64 at far positions, where tables rounded to binary32 and angles computed in binary64 differ.
void add_far_positions(topic& to) {
  call_group first = group("rope-far", subject_by_hand(10000, 32, 32, pairing::half_split), ROPEWALK_F64);
  for (const double position : {131071., 16777217., 1234567890., 2147483647.})
    first.cases.push_back(drawn(first, {.positions = {position}}, {"FarPosition", "WholeHead"}));
  to.calls.push_back(std::move(first));
}

/// Heads with channels that pass through: after the rotating ones, before them, or both.
void add_partial_heads(topic& to) {
  struct partial {
    const char* id;
    int head_dim, rotary_dim, rotary_begin;
    pairing layout;
  };
  for (const partial& rotated : {partial{"rope-partial", 24, 8, 0, pairing::half_split},
                                 partial{"rope-partial-interleaved", 24, 8, 0, pairing::interleaved},
                                 partial{"rope-partial-end", 24, 8, 16, pairing::interleaved},
                                 partial{"rope-partial-40-of-80", 80, 40, 0, pairing::half_split},
                                 partial{"rope-head-192", 192, 192, 0, pairing::half_split}})
    for (const ropewalk_dtype dtype : {ROPEWALK_F32, ROPEWALK_BF16}) {
      call_group first = group(rotated.id,
                               subject_by_hand(10000, rotated.head_dim, rotated.rotary_dim, rotated.layout,
                                               {}, rotated.rotary_begin),
                               dtype);
      const std::string_view flag = rotated.head_dim == rotated.rotary_dim ? "WholeHead" : "PassThrough";
      add_at(first, {{0, {"Identity"}}, {6, {"SmallPosition"}}, {40961, {"PowerOfTwo"}}}, flag);
      if (rotated.rotary_dim < rotated.head_dim) add_unusual_elements(first, 5);
      to.calls.push_back(std::move(first));
    }
}

/// Whole models at positions of their context; for rules with lengths, below and beyond the length.
void add_models(topic& to) {
  struct whole_model {
    const char* name;
    std::int64_t seq_len;
    std::vector<ropewalk_dtype> dtypes;
    std::string_view flag;
  };
  const std::vector<ropewalk_dtype> all = narrow_dtypes(), wide = {ROPEWALK_F32},
                                    two = {ROPEWALK_F32, ROPEWALK_BF16};
  const whole_model models[] = {{"llama-2-7b", 0, two, "WholeHead"},
                                {"llama-3.1-8b", 0, all, "WholeHead"},
                                {"command-r-08-2024", 0, two, "WholeHead"},
                                {"qwen2.5-7b-yarn4", 0, two, "AttentionFactor"},
                                {"gpt-oss-20b", 0, two, "AttentionFactor"},
                                {"deepseek-v3", 0, two, "AttentionFactor"},
                                {"deepseek-coder-6.7b", 0, wide, "WholeHead"},
                                {"phi-3.5-mini", 4096, wide, "BelowLength"},
                                {"phi-3.5-mini", 4097, two, "BeyondLength"},
                                {"internlm2.5-7b-chat", 32768, wide, "BelowLength"},
                                {"internlm2.5-7b-chat", 131072, two, "BeyondLength"},
                                {"gpt-neox-20b", 0, two, "PassThrough"},
                                {"glm-4.5", 0, two, "PassThrough"}};
  for (const whole_model& chosen : models)
    for (const ropewalk_dtype dtype : chosen.dtypes) {
      const std::string length = chosen.seq_len == 0 ? "" : "-at-" + std::to_string(chosen.seq_len);
      call_group first =
          group("rope-" + std::string(chosen.name) + length, subject_of(chosen.name, chosen.seq_len), dtype);
      const model::model& in = std::get<verify::rotation_subject>(first.encoding).model;
      // Beyond its context a model's rotation is still defined, although no training used it.
      const std::int64_t context =
          chosen.seq_len != 0 ? chosen.seq_len : std::max<std::int64_t>(in.max_position_embeddings, 2048);
      add_at(first,
             {{1, {"SmallPosition"}},
              {2047, {"PowerOfTwo"}},
              {static_cast<double>(context - 1), {"FarPosition"}},
              {static_cast<double>(2 * context + 5), {"FarPosition", "BeyondContext"}}},
             chosen.flag);
      to.calls.push_back(std::move(first));
    }
}

}  // namespace

topic rope_topic() {
  topic result{"rope", "Rotary position embedding: heads before and after the rotation",
               "https://arxiv.org/abs/2104.09864 https://arxiv.org/abs/2309.00071"};
  add_small_heads(result);
  add_calls(result);
  add_long_ramp(result);
  add_far_positions(result);
  add_partial_heads(result);
  add_models(result);
  for (call_group& call : result.calls) answer_canonically(call);
  return result;
}

}  // namespace ropewalk::vectors
