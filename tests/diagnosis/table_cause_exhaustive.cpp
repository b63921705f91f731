// Tables with the faults of public trackers, with others, and honest ones, of every model of the catalogue
// that a kernel can tell from the others and each kind of its layers, in every layout and dtype.

#include <gtest/gtest.h>

#include <cstdio>
#include <stdexcept>

#include "diagnosis/named_tables.hpp"
#include "diagnosis/unknown_mistakes.hpp"
#include "model/catalogue_tables.hpp"

namespace ropewalk::table_faults {
namespace {

std::vector<model::model> every_model() {
  std::vector<model::model> r;
  for (const model::model& own : model::distinct_models()) {
    r.push_back(own);
    if (depends_on_seq_len(own.encoding.scaling))
      r.push_back(model::at_length(own, {2 * own.max_position_embeddings, "the test"}));
  }
  return r;
}

std::vector<manufacture> every_way() {
  std::vector<manufacture> r;
  for (const tables::array_layout& layout : {inv_freq_layout, vllm_layout, hf_layout})
    for (const tables::table_dtype dtype : {tables::table_dtype::f32, tables::table_dtype::bf16})
      for (const working in : {working::binary64, working::binary32}) r.push_back({layout, dtype, in});
  return r;
}

const input::position_list positions{.range = {-64, 1100}};

TEST(EveryTable, IsNamedAndNoOtherIs) {
  table_counts all;
  for (const model::model& model : every_model()) {
    diagnosis::rotary_diagnosis diagnosis(model);
    for (const tracker_fault& fault : tracker_faults())
      for (const manufacture& made : every_way()) count(all, fault, model, diagnosis, made, positions);
  }
  std::printf("%s", all.text().c_str());
  EXPECT_EQ(all.wrongly + all.unexplained + all.holding, 0) << all.text();
}

TEST(EveryTable, OfAnHonestEngineHolds) {
  std::int64_t honest = 0;
  for (const model::model& model : every_model()) {
    diagnosis::rotary_diagnosis diagnosis(model);
    for (const manufacture& made : every_way()) {
      const auto array = laid_out(right_engine(model), made.layout, made.dtype, positions, made.in);
      const diagnosis::table_cause cause = diagnosis.explain(array);
      EXPECT_EQ(cause.verdict, diagnosis::table_verdict::holds)
          << model.name << ": " << diagnosis::text_of(cause);
      ++honest;
    }
  }
  std::printf("%lld honest tables\n", static_cast<long long>(honest));
}

TEST(EveryTable, WithAMistakeThatNobodyKnowsIsNotExplained) {
  std::int64_t tried = 0, explained = 0;
  for (const model::model& model : every_model()) {
    diagnosis::rotary_diagnosis diagnosis(model);
    for (const unknown_mistake& mistake : unknown_mistakes())
      for (const manufacture& made : every_way()) {
        if (!has_positions(made.layout) && mistake.name.starts_with("positions")) continue;
        const auto array = laid_out(mistake.on(model), made.layout, made.dtype, positions, made.in);
        const diagnosis::table_cause cause = diagnosis.explain(array);
        EXPECT_EQ(cause.verdict, diagnosis::table_verdict::not_explained)
            << model.name << ", " << mistake.name << ": " << diagnosis::text_of(cause);
        ++tried;
        if (cause.verdict == diagnosis::table_verdict::explained) ++explained;
      }
  }
  std::printf("%lld tables, %lld explained\n", static_cast<long long>(tried),
              static_cast<long long>(explained));
}

}  // namespace
}  // namespace ropewalk::table_faults
