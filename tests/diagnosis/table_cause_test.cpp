// Tables with the faults of kind C of public trackers: each is made in plain arithmetic, and must be named;
// an honest engine's table is never blamed.

#include "diagnosis/table_cause.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "diagnosis/table_faults.hpp"

namespace ropewalk::table_faults {
namespace {

using diagnosis::table_cause, diagnosis::table_verdict;
using output::array_layout, output::table_dtype, output::table_kind;

constexpr array_layout frequencies{table_kind::inv_freq};
constexpr array_layout vllm{table_kind::cos_sin, output::cos_sin_layout::vllm};
constexpr array_layout hf{table_kind::cos_sin, output::cos_sin_layout::hf};

input::position_list positions(std::int64_t begin, std::int64_t end) { return {.range = {begin, end}}; }

model::model model_of(const char* name, const char* layers = "") {
  return model::catalogue_model(name, {.layer_type = layers});
}

std::string names_of(const table_cause& found) {
  std::string r;
  for (const diagnosis::named_fault& one : found.faults) r += one.name + " ";
  return r;
}

/// Expects the hypothesis among those that explain the engine's frequencies, and its cosines and sines in
/// binary32 and bfloat16.
void expect_named(const model::model& of, const engine_table& engine, const std::string& name,
                  bool shows_in_frequencies = true) {
  for (const array_layout& layout : {frequencies, vllm, hf})
    for (const table_dtype dtype : {table_dtype::f32, table_dtype::bf16}) {
      if (!shows_in_frequencies && !has_positions(layout)) continue;
      for (const working in : {working::binary64, working::binary32}) {
        const auto array = laid_out(engine, layout, dtype, positions(0, 300), in);
        const table_cause found = diagnosis::explain_table(array, of);
        EXPECT_EQ(found.found, table_verdict::explained)
            << of.name << " " << name << " " << text_of(table_kind::cos_sin).name << static_cast<int>(dtype)
            << " " << has_positions(layout) << " " << diagnosis::text_of(found);
        EXPECT_NE((" " + names_of(found)).find(" " + name + " "), std::string::npos)
            << of.name << " " << name << ": " << names_of(found);
      }
    }
}

TEST(TableCause, AnHonestTableIsNeverBlamed) {
  for (const std::string_view name : model::catalogue_spread()) {
    const model::model of = model::catalogue_model(name);
    for (const array_layout& layout : {frequencies, vllm, hf})
      for (const table_dtype dtype : {table_dtype::f64, table_dtype::f32, table_dtype::bf16})
        for (const working in : {working::binary64, working::binary32}) {
          const auto array = laid_out(right_engine(of), layout, dtype, positions(-20, 200), in);
          const table_cause found = diagnosis::explain_table(array, of);
          EXPECT_EQ(found.found, table_verdict::holds) << name << " " << diagnosis::text_of(found);
        }
  }
}

TEST(TableCause, Llama3Dropped) {
  const model::model of = model_of("llama-3.1-8b");
  expect_named(of, {plain_inv_freqs(of.encoding.base, 64, 128)}, "unscaled-without-factor");
}

}  // namespace
}  // namespace ropewalk::table_faults
