// Each planted fault shows in its own case and is canonical in those of the others: it changes one thing.

#include "fault/faults.hpp"
#include "fault/misread_calls.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "fault/canonical_steps.hpp"
#include "kernel/kernels.hpp"
#include "kernel/rotation_case.hpp"
#include "model/model.hpp"
#include "ropewalk/kernel/floating_environment.hpp"

namespace ropewalk::test {
namespace {

const rope plain{.base = 10000, .rotary_dim = 16};
const rope scaled{
    .base = 10000, .rotary_dim = 16, .scaling = yarn{.factor = 4, .original_max_position_embeddings = 64}};

/// A case in which few faults show: 8 pairs, 4 heads, one batch row, half-split, forward, position 0.
rotation_case harmless() {
  return {.encoding = plain, .layout = {.head_dim = 16}, .tokens = 1, .query_heads = 4, .key_heads = 4};
}

/// A case with a config_json of half-split heads; `keys` are its other keys, `block` is its rope_scaling.
rotation_case configured(const std::string& keys, const std::string& block, std::int64_t seq_len = 0) {
  rotation_case configured = harmless();
  configured.positions = {3};
  configured.config_json =
      R"({"model_type": "solar_open", "rope_theta": 10000, )" + keys + R"(, "rope_scaling": )" + block + "}";
  const model::model model = model::parse_model(configured.config_json, "test");
  configured.encoding = model.encoding;
  configured.encoding.seq_len = seq_len;
  configured.layout = model.layout;
  return configured;
}

const std::string whole_head = R"("head_dim": 16, "max_position_embeddings": 131072)";

/// A YaRN ramp from pair 4.4 to 7.4; after floor and ceil from 4 to 8, beyond the last pair.
rotation_case with_yarn() {
  return configured(whole_head, R"({"rope_type": "yarn", "factor": 4.0, "attention_factor": 1.0,
                                    "original_max_position_embeddings": 32768})");
}

/// longrope with the attention factor `attention`.
rotation_case with_longrope(std::int64_t seq_len, const std::string& attention) {
  return configured(whole_head,
                    R"({"rope_type": "longrope", "short_factor": [1, 1, 1, 1, 1, 1, 1, 1],
                        "long_factor": [1, 2, 3, 4, 5, 6, 7, 8],
                        "original_max_position_embeddings": 4096, "attention_factor": )" +
                        attention + "}",
                    seq_len);
}

struct planted {
  std::string name;
  rotation_case rotation;
  floating_registers callers = default_floating_registers();
  bool in_binary64 = false;  // positions
};

std::vector<planted> all_planted() {
  const auto changed = [](auto change) {
    rotation_case rotation = harmless();
    rotation.positions = {3};
    change(rotation);
    return rotation;
  };
  const auto scaled_case = [&](std::uint32_t flags) {
    return changed([&](rotation_case& rotation) { rotation.encoding = scaled, rotation.flags = flags; });
  };
  return {
      {"fault-angle-f32", changed([](rotation_case& rotation) { rotation.positions = {1 << 20}; })},
      {"fault-half-split", changed([](rotation_case& rotation) {
         rotation.layout.pairing_in = rotation.layout.pairing_out = pairing::interleaved;
       })},
      {"fault-interleaved", changed([](rotation_case& rotation) {
         rotation.layout.pairing_in = rotation.layout.pairing_out = pairing::half_split;
       })},
      {"fault-backward-is-forward",
       changed([](rotation_case& rotation) { rotation.flags = ROPEWALK_BACKWARD; })},
      {"fault-inverse-attention", scaled_case(ROPEWALK_BACKWARD)},
      {"fault-tail", changed([](rotation_case& rotation) { rotation.query_heads = 5; })},
      {"fault-position-off-by-one", changed([](rotation_case&) {})},
      {"fault-real-positions-off-by-one", changed([](rotation_case&) {}), default_floating_registers(), true},
      {"fault-attention-dropped", scaled_case(0)},
      {"fault-attention-in-unit", scaled_case(ROPEWALK_UNIT)},
      {"fault-batch-row", changed([](rotation_case& rotation) {
         rotation.batch = 2, rotation.positions = {3, 3};
       })},
      {"fault-pass-through-zeroed", changed([](rotation_case& rotation) { rotation.layout.head_dim = 17; })},
      {"fault-nan-spreads", changed([](rotation_case&) {})},
      {"fault-small-flushed", changed([](rotation_case&) {})},
      {"fault-head-group", changed([](rotation_case& rotation) { rotation.query_heads = 12; })},
      {"fault-environment-left", changed([](rotation_case&) {})},
      {"fault-flush-to-zero", changed([](rotation_case&) {}), flushing_floating_registers()},
      {"fault-yarn-ramp-reversed", with_yarn()},
      {"fault-yarn-clamp-at-half", with_yarn()},
      {"fault-yarn-untruncated", with_yarn()},
      {"fault-attention-cos-only", scaled_case(0)},
      {"fault-attention-twice", scaled_case(0)},
      {"fault-llama3-in-prefill-only",
       configured(whole_head, R"({"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                                  "high_freq_factor": 4.0, "original_max_position_embeddings": 8192})")},
      {"fault-longrope-switch-at-original", with_longrope(4096, "1.0")},
      {"fault-longrope-attention-short-dropped", with_longrope(4095, "1.0625")},
      {"fault-dynamic-constant", configured(R"("head_dim": 16, "max_position_embeddings": 2048)",
                                            R"({"rope_type": "dynamic", "factor": 2.0})", 4096)},
      {"fault-exponent-over-head-dim", configured(R"("head_dim": 32, "partial_rotary_factor": 0.5)", "null")},
      {"fault-whole-head", changed([](rotation_case& rotation) { rotation.layout.head_dim = 18; })},
      {"fault-first-channels", changed([](rotation_case& rotation) {
         rotation.layout.head_dim = 18, rotation.layout.rotary_begin = 2;
       })},
  };
}

/// Elements of magnitude 1 to 2; for nan-spreads, small-flushed and flush-to-zero, the first pair of the
/// query holds a NaN or small numbers instead.
tensors elements_for(const planted& planted, std::mt19937_64& random) {
  tensors in{std::vector<std::uint64_t>(element_count(planted.rotation, planted.rotation.query_heads)),
             std::vector<std::uint64_t>(element_count(planted.rotation, planted.rotation.key_heads))};
  for (auto* elements : {&in.query, &in.key})
    for (std::uint64_t& element : *elements) element = (random() & 0x807fffff) | 0x3f800000;
  if (planted.name == "fault-nan-spreads") in.query[0] = format<float>::quiet_nan;
  if (planted.name == "fault-small-flushed") in.query[0] = in.query[8] = 0x03000001;
  if (planted.name == "fault-flush-to-zero") in.query[0] = in.query[8] = 0x00000101;
  return in;
}

/// The output, and whether the caller's floating-point environment was restored.
struct answered {
  tensors out;
  bool kept = false;
};

answered turned(const ropewalk_kernel& kernel, const planted& asked, const tensors& in) {
  const rotation_case& rotation = asked.rotation;
  laid_out memory(rotation, in);
  const std::vector<double> real(rotation.positions.begin(), rotation.positions.end());
  if (asked.in_binary64)
    memory.call.tokens.positions = {ROPEWALK_POSITIONS_F64, 1, real.data(), {0, rotation.tokens, 1}};
  const planned plan(kernel, rotation);
  EXPECT_EQ(plan.status, ROPEWALK_OK) << plan.error.text;
  const floating_registers own = read_floating_registers();
  write_floating_registers(asked.callers);
  const std::int32_t status = plan.apply(memory.call);
  const floating_registers left = read_floating_registers();
  write_floating_registers(own);
  EXPECT_EQ(status, ROPEWALK_OK) << plan.error.text;
  EXPECT_TRUE(memory.guards_are_intact());
  return {memory.read(), same_arithmetic(left, asked.callers)};
}

bool is_canonical(const rotation_case& rotation, const answered& got, const tensors& in) {
  const tensors wanted = canonical(rotation, in);
  return got.kept && first_difference(rotation.dtype, got.out.query, wanted.query) == -1 &&
         first_difference(rotation.dtype, got.out.key, wanted.key) == -1;
}

const ropewalk_kernel& fault_named(const std::string& name) {
  for (const ropewalk_kernel& kernel : fault::fault_kernels())
    if (kernel.name == name) return kernel;
  throw std::invalid_argument(name);
}

TEST(Faults, EachIsSeenInItsOwnCase) {
  std::mt19937_64 random(1);
  std::set<std::string> tried;
  for (const planted& planted : all_planted()) {
    const tensors in = elements_for(planted, random);
    EXPECT_FALSE(is_canonical(planted.rotation, turned(fault_named(planted.name), planted, in), in))
        << planted.name;
    tried.insert(planted.name);
  }
  for (const misread_call& call : misread_calls()) tried.insert(call.fault);  // seen in a test of their own
  for (const ropewalk_kernel& kernel : fault::fault_kernels())
    EXPECT_TRUE(tried.count(kernel.name)) << kernel.name;
}

TEST(Faults, EachIsCanonicalInTheCasesOfTheOthers) {
  // Faults that show in every case, most of which are half-split, and pairs of a fault and another fault's
  // case in which it shows, too.
  const std::set<std::string> show_everywhere{"fault-angle-f32", "fault-interleaved",
                                              "fault-position-off-by-one", "fault-environment-left"};
  const std::set<std::pair<std::string, std::string>> show_in{
      {"fault-backward-is-forward", "fault-inverse-attention"},
      {"fault-pass-through-zeroed", "fault-exponent-over-head-dim"},
      {"fault-pass-through-zeroed", "fault-whole-head"},
      {"fault-whole-head", "fault-exponent-over-head-dim"},
      {"fault-small-flushed", "fault-flush-to-zero"}};
  const std::set<std::string> of_attention{"fault-attention-dropped", "fault-attention-cos-only",
                                           "fault-attention-twice"};
  const std::set<std::string> see_attention{"fault-attention-dropped", "fault-attention-cos-only",
                                            "fault-attention-twice", "fault-longrope-attention-short-dropped",
                                            "fault-inverse-attention"};
  const std::set<std::string> of_yarn{"fault-yarn-ramp-reversed", "fault-yarn-clamp-at-half",
                                      "fault-yarn-untruncated"};
  const auto shows_too = [&](const std::string& fault, const std::string& other) {
    return show_in.count({fault, other}) || (of_attention.count(fault) && see_attention.count(other)) ||
           (of_yarn.count(fault) && of_yarn.count(other));
  };
  std::mt19937_64 random(2);
  for (const ropewalk_kernel& kernel : fault::fault_kernels()) {
    if (show_everywhere.count(kernel.name)) continue;
    for (const planted& other : all_planted()) {
      if (other.name == kernel.name || shows_too(kernel.name, other.name)) continue;
      const tensors in = elements_for(other, random);
      EXPECT_TRUE(is_canonical(other.rotation, turned(kernel, other, in), in))
          << kernel.name << " in " << other.name;
    }
  }
}

TEST(Faults, WithoutOneTheStepsAreCanonicalForEveryDtype) {
  const ropewalk_kernel kernel = fault::kernel_with<fault::canonical_steps>("canonical-steps");
  std::mt19937_64 random(3);
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const planted& fault : all_planted()) {
      planted other = fault;
      other.rotation.dtype = dtype;
      const tensors in = random_tensors(other.rotation, random);
      EXPECT_TRUE(is_canonical(other.rotation, turned(kernel, other, in), in)) << fault.name;
    }
}

/// The case with another seq_len.
rotation_case at(rotation_case rotation, std::int64_t seq_len) {
  rotation.encoding.seq_len = seq_len;
  return rotation;
}

void expect_canonical(const std::string& fault, const rotation_case& rotation) {
  std::mt19937_64 random(5);
  const planted asked{fault, rotation};
  const tensors in = elements_for(asked, random);
  EXPECT_TRUE(is_canonical(rotation, turned(fault_named(fault), asked, in), in)) << fault;
}

TEST(Faults, OfAThresholdAreSilentBesideIt) {
  for (const std::int64_t seq_len : {0, 4095, 4097})
    expect_canonical("fault-longrope-switch-at-original", with_longrope(seq_len, "1.0"));
  expect_canonical("fault-longrope-attention-short-dropped", with_longrope(4097, "1.0625"));
  for (const planted& planted : all_planted())
    if (planted.name == "fault-dynamic-constant")
      for (const std::int64_t seq_len : {0, 2047, 2048})
        expect_canonical(planted.name, at(planted.rotation, seq_len));
}

TEST(Faults, OfPrefillAreSilentInACallOfTwoTokens) {
  for (const planted& planted : all_planted())
    if (planted.name == "fault-llama3-in-prefill-only") {
      rotation_case two = planted.rotation;
      two.tokens = 2;
      two.positions = {3, 4};
      expect_canonical(planted.name, two);
    }
}

TEST(Faults, OfAConfigurationAreSilentWithoutOne) {
  for (const planted& planted : all_planted())
    if (!planted.rotation.config_json.empty())
      for (const char* text : {"", "{", "{}", R"({"model_type": "llama", "head_dim": 16})"}) {
        rotation_case without = planted.rotation;
        without.config_json = text;
        expect_canonical(planted.name, without);
      }
}

TEST(Faults, TheBuiltInKernelHasNone) {
  std::mt19937_64 random(4);
  for (const planted& planted : all_planted()) {
    const tensors in = elements_for(planted, random);
    EXPECT_TRUE(is_canonical(planted.rotation, turned(cpu_table_kernel(), planted, in), in)) << planted.name;
  }
}

}  // namespace
}  // namespace ropewalk::test
