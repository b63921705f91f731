// Encodings that are added (sinusoids, ALiBi, T5's buckets), and scales of queries.

#include <cstdint>
#include <string>
#include <utility>

#include "array/checked_array.hpp"
#include "export/tables.hpp"
#include "ropewalk/encoding/t5_bias.hpp"
#include "vectors/answers.hpp"
#include "vectors/drawn_cases.hpp"
#include "vectors/tables.hpp"

namespace ropewalk::vectors {
namespace {

using tables::table_dtype;

call_group additions_of(std::string id, addition_truth truth, input::json record, ropewalk_dtype dtype) {
  id += "-" + std::string(name_of(dtype));
  verify::addition_subject subject{id, std::make_shared<const addition_truth>(std::move(truth))};
  return {std::move(id), recorded_addition{std::move(subject), std::move(record)}, dtype, {}};
}

struct named_sinusoids {
  const char* id;
  sinusoidal config;
};

using enum sinusoidal_layout;
constexpr named_sinusoids sinusoids[] = {
    {"sinusoidal-paper", {.d_model = 16}},
    {"sinusoidal-tensor2tensor", {.d_model = 16, .shift = 1, .layout = sin_cos}},
    {"sinusoidal-fairseq",
     {.d_model = 17, .shift = 1, .layout = sin_cos, .odd = odd_width::zero, .padding_idx = 1}},
    {"sinusoidal-musicgen", {.d_model = 16, .shift = 1, .layout = cos_sin}},
    {"sinusoidal-whisper", {.d_model = 384, .shift = 1, .layout = sin_cos}},
    {"timestep-of-diffusion", {.d_model = 32, .layout = cos_sin}},
    {"timestep-times-1000", {.d_model = 32, .layout = cos_sin, .scale = 1000}},
};

constexpr const char* sinusoidal_sources =
    "https://arxiv.org/abs/1706.03762 https://arxiv.org/abs/2006.11239";

std::vector<std::string_view> flags_at(std::int32_t position) {
  if (position == 0) return {"Row", "Identity"};
  if (position < 256) return {"Row", "SmallPosition"};
  return {"Row", "FarPosition"};
}

void add_sinusoidal_rows(topic& to, const named_sinusoids& config, table_dtype dtype) {
  const std::vector<std::int32_t> positions = {0, 1, 37, 511, 512, 65535};
  entry_group group{.id = std::string(config.id) + "-rows-" + std::string(text_of(dtype).name),
                    .table = tables::sinusoidal_table_of(config.config, listed_positions(positions)),
                    .dtype = dtype};
  for (std::size_t row = 0; row < positions.size(); ++row)
    group.cases.push_back({{static_cast<std::int64_t>(row)}, {}, flags_at(positions[row])});
  to.entries.push_back(std::move(group));
}

/// Times of diffusion models, which are real numbers.
void add_sinusoidal_times(topic& to, const named_sinusoids& config, table_dtype dtype) {
  const std::vector<double> times = {0.5, 0.999, 1.0 / 3, 937.25};
  entry_group group{.id = std::string(config.id) + "-times-" + std::string(text_of(dtype).name),
                    .table = tables::sinusoidal_table_of(config.config, real_positions(times)),
                    .dtype = dtype};
  for (std::size_t row = 0; row < times.size(); ++row)
    group.cases.push_back({{static_cast<std::int64_t>(row)}, {}, {"Row", "RealPosition"}});
  to.entries.push_back(std::move(group));
}

void add_sinusoidal_calls(topic& to, const named_sinusoids& config, ropewalk_dtype dtype) {
  call_group group = additions_of(std::string(config.id) + "-added", addition_truth(config.config),
                                  tables::encoding_record(config.config), dtype);
  for (const double position : {0, 1, 37, 512, 65535})
    group.cases.push_back(
        drawn(group, {.positions = {position}}, flags_at(static_cast<std::int32_t>(position))));
  group.cases.push_back(drawn(group, {.tokens = 3, .heads = 2, .positions = {3, 4, 700}}, {"SeveralTokens"}));
  group.cases.push_back(drawn(group, {.batch = 2, .tokens = 2, .positions = {0, 1, 50, 51}}, {"BatchRows"}));
  for (const flagged_position& at : decisive_positions(1048577, true))
    if (!config.config.padding_idx || at.position >= 0)
      group.cases.push_back(drawn(group, {.positions = {at.position}}, at.flags));
  if (!config.config.padding_idx)
    for (const double time : {0.5, -3.5, 1.0 / 3, 2.5, 937.25})
      group.cases.push_back(drawn(group, {.positions = {time}, .is_real = true}, {"RealPosition"}));
  add_unusual_elements(group, 0);  // the sines are 0, so a subnormal element stays subnormal
  answer_canonically(group);
  to.calls.push_back(std::move(group));
}

struct named_alibi_form {
  const char* id;
  alibi config;
};

constexpr named_alibi_form biases[] = {{"alibi-causal-8", {.heads = 8}},
                                       {"alibi-causal-12", {.heads = 12}},
                                       {"alibi-symmetric-12", {.heads = 12, .form = alibi_form::symmetric}},
                                       {"alibi-bloom-12", {.heads = 12, .form = alibi_form::key}},
                                       {"alibi-mpt-12", {.heads = 12, .form = alibi_form::last_key}}};

void add_alibi_calls(topic& to, const named_alibi_form& form, ropewalk_dtype dtype) {
  constexpr int keys = 9;
  call_group group = additions_of(std::string(form.id) + "-added", addition_truth(form.config, keys),
                                  tables::encoding_record(form.config), dtype);
  const int heads = form.config.heads;
  group.cases.push_back(drawn(group, {.heads = heads, .positions = {8}}, {"Bias", "Decode"}));
  group.cases.push_back(
      drawn(group, {.tokens = 2, .heads = heads, .positions = {3, 4}}, {"Bias", "SeveralTokens"}));
  group.cases.push_back(drawn(group, {.batch = 2, .tokens = 2, .heads = heads, .positions = {3, 4, 7, 8}},
                              {"Bias", "BatchRows"}));
  call_case subnormal = drawn(group, {.heads = heads, .positions = {3}}, {"Subnormal", "Bias"});
  for (std::uint64_t& bits : subnormal.call.query) bits = 5;  // most forms have bias 0 at key 3
  group.cases.push_back(std::move(subnormal));
  const bool is_first_form = form.config.heads == 8 && dtype == ROPEWALK_F32;
  for (const flagged_position& at : decisive_positions(is_first_form ? 1048577 : 64, is_first_form))
    group.cases.push_back(drawn(group, {.heads = heads, .positions = {at.position}}, at.flags));
  answer_canonically(group);
  to.calls.push_back(std::move(group));
}

/// Relative positions at which a bucket begins, and the position before each.
std::vector<std::int64_t> bucket_edges(const t5_bias& config, std::int64_t reach) {
  std::vector<std::int64_t> edges;
  for (std::int64_t relative = -reach + 1; relative <= reach; ++relative) {
    if (t5_bucket(relative, config) == t5_bucket(relative - 1, config)) continue;
    for (const std::int64_t row : {relative - 1 + reach, relative + reach})
      if (edges.empty() || edges.back() < row) edges.push_back(row);
  }
  return edges;
}

}  // namespace

topic sinusoidal_topic() {
  topic result{"sinusoidal", "Sinusoidal rows and timesteps, and rows added to tokens", sinusoidal_sources};
  for (const named_sinusoids& sinusoid : sinusoids) {
    for (const ropewalk_dtype format : all_dtypes) {
      const table_dtype dtype = array::table_dtype_of(format);
      if (sinusoid.config.d_model > 100 && dtype != table_dtype::f32) continue;
      add_sinusoidal_rows(result, sinusoid, dtype);
      if (sinusoid.config.shift == 0) add_sinusoidal_times(result, sinusoid, dtype);
    }
    if (sinusoid.config.d_model > 100) continue;
    for (const ropewalk_dtype dtype : narrow_dtypes())
      if (sinusoid.config.scale == 1) add_sinusoidal_calls(result, sinusoid, dtype);
  }
  return result;
}

topic alibi_topic() {
  topic result{"alibi", "Slopes and biases of ALiBi, and biases added to scores",
               "https://arxiv.org/abs/2108.12409"};
  for (const int heads : {1, 2, 8, 12, 16, 20, 32, 40, 71, 112})
    for (const ropewalk_dtype format : all_dtypes) {
      const table_dtype dtype = array::table_dtype_of(format);
      entry_group group{
          .id = "alibi-slopes-" + std::to_string(heads) + "-" + std::string(text_of(dtype).name),
          .table = tables::alibi_slopes_of({.heads = heads}),
          .dtype = dtype};
      group.cases.push_back(rows_of(*group.table, {"Slope"}));
      result.entries.push_back(std::move(group));
    }
  for (const named_alibi_form& bias : biases) {
    for (const ropewalk_dtype format : narrow_dtypes()) {
      const table_dtype dtype = array::table_dtype_of(format);
      entry_group group{.id = std::string(bias.id) + "-bias-" + std::string(text_of(dtype).name),
                        .table = tables::alibi_bias_of(bias.config, {3, 9}),
                        .dtype = dtype};
      group.cases.push_back(rows_of(*group.table, {"Bias"}));
      result.entries.push_back(std::move(group));
    }
    for (const ropewalk_dtype dtype : narrow_dtypes()) add_alibi_calls(result, bias, dtype);
  }
  return result;
}

topic t5_topic() {
  topic result{"t5", "Buckets of T5's relative positions, at their edges",
               "https://arxiv.org/abs/1910.10683"};
  struct buckets {
    const char* id;
    t5_bias config;
  };
  constexpr std::int64_t reach = 1100;
  for (const buckets& first :
       {buckets{"t5-32-128", {}}, buckets{"t5-32-128-causal", {.bidirectional = false}},
        buckets{"t5-64-1024", {.buckets = 64, .max_distance = 1024}},
        buckets{"t5-16-20-causal", {.buckets = 16, .max_distance = 20, .bidirectional = false}},
        buckets{"t5-320-800", {.buckets = 320, .max_distance = 800}}}) {
    entry_group group{
        .id = first.id, .table = tables::t5_buckets_of(first.config, reach), .dtype = table_dtype::i32};
    group.cases.push_back({bucket_edges(first.config, reach), {}, {"Bucket"}});
    result.entries.push_back(std::move(group));
  }
  return result;
}

topic query_scale_topic() {
  topic result{"query-scale", "Scales of queries by their position",
               "https://github.com/huggingface/transformers"};
  struct scale {
    const char* id;
    query_scale config;
  };
  for (const scale& drawn :
       {scale{"query-scale-llama-4", {0.1, 8192, 1}}, scale{"query-scale-ministral-3", {0.1, 16384, 0}}})
    for (const ropewalk_dtype format : all_dtypes) {
      const table_dtype dtype = array::table_dtype_of(format);
      std::vector<std::int32_t> positions = {0, 1};
      for (const std::int64_t step : {1, 2, 7, 63}) {
        const auto first = static_cast<std::int32_t>(first_of_step(step, drawn.config));
        positions.insert(positions.end(), {first - 1, first});
      }
      positions.push_back(1048575);
      entry_group group{.id = std::string(drawn.id) + "-" + std::string(text_of(dtype).name),
                        .table = tables::query_scales_of(drawn.config, listed_positions(positions)),
                        .dtype = dtype};
      group.cases.push_back(rows_of(*group.table, {"Step"}));
      result.entries.push_back(std::move(group));
    }
  return result;
}

}  // namespace ropewalk::vectors
