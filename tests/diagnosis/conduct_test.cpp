// Failures that the diagnosis explains without a known fault: state, refusals, and output that is never
// written.

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "diagnosis/diagnosed_faults.hpp"
#include "diagnosis/diagnosed_kernels.hpp"
#include "fault/canonical_steps.hpp"
#include "kernel/kernels.hpp"

namespace ropewalk::diagnosed {
namespace {

/// cpu-table with another apply.
template <class Apply>
ropewalk_kernel changed(const char* name, Apply apply) {
  ropewalk_kernel kernel = cpu_table_kernel();
  kernel.name = name;
  kernel.apply = apply;
  return kernel;
}

/// The call that a head begins; an empty one if the head is refused.
ropewalk_rotation_call call_of(const ropewalk_head* head) {
  try {
    return read_struct<ropewalk_rotation_call>(head, ROPEWALK_ROTATE, "call");
  } catch (const refused_call&) {
    return {};
  }
}

TEST(Diagnosis, SaysThatAKernelIsNotReproducible) {
  const ropewalk_kernel kernel = changed(
      "wavering",
      [](const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) -> std::int32_t {
        static std::atomic<int> calls{0};
        const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
        const auto call = call_of(head);
        if (status == ROPEWALK_OK && calls++ % 2 == 1)
          std::memset(call.query_out.data, 0,
                      static_cast<std::size_t>(size_of(static_cast<ropewalk_dtype>(call.query_out.dtype))));
        return status;
      });
  EXPECT_EQ(cause_of(kernel, model_named("unscaled"), promise::canonical).verdict,
            diagnosis::verdict::not_reproducible);
}

/// Right in the first call of a plan; in later ones the first element is 0, unless the call has the first
/// one's number of tokens.
TEST(Diagnosis, SaysThatAKernelKeepsState) {
  static std::map<const ropewalk_plan*, std::int64_t> first_tokens;
  ropewalk_kernel kernel = changed(
      "keeping",
      [](const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) -> std::int32_t {
        const std::int32_t status = cpu_table_kernel().apply(plan, head, error);
        const auto call = call_of(head);
        if (status != ROPEWALK_OK || call.query_in.rank < 3) return status;
        const std::int64_t tokens = call.query_in.shape[call.query_in.rank - 3];
        const std::int64_t kept = first_tokens.try_emplace(plan, tokens).first->second;
        const bool is_empty =
            std::count(call.query_in.shape, call.query_in.shape + call.query_in.rank, 0) > 0;
        if (kept != tokens && !is_empty)
          std::memset(call.query_out.data, 0,
                      static_cast<std::size_t>(size_of(static_cast<ropewalk_dtype>(call.query_out.dtype))));
        return status;
      });
  kernel.free_plan = [](ropewalk_plan* plan) {
    first_tokens.erase(plan);
    cpu_table_kernel().free_plan(plan);
  };
  const diagnosis::cause cause = cause_of(kernel, model_named("unscaled"), promise::canonical);
  EXPECT_EQ(cause.verdict, diagnosis::verdict::not_reproducible) << text_of(cause);
  EXPECT_NE(cause.sentence.find("keeps state between calls"), std::string::npos) << text_of(cause);
}

TEST(Diagnosis, SaysThatOutputIsNeverWritten) {
  EXPECT_EQ(cause_of(changed("idle",
                             [](const ropewalk_plan*, const ropewalk_head*, ropewalk_error*) -> std::int32_t {
                               return ROPEWALK_OK;
                             }),
                     model_named("unscaled"), promise::canonical)
                .verdict,
            diagnosis::verdict::not_written);
}

TEST(Diagnosis, SaysWhatIsReportedOfEveryCall) {
  const diagnosis::cause cause =
      cause_of(changed("locale",
                       [](const ropewalk_plan*, const ropewalk_head*, ropewalk_error* error) -> std::int32_t {
                         std::snprintf(error->text, sizeof error->text, "the locale was changed");
                         return no_status;
                       }),
               model_named("unscaled"), promise::canonical);
  EXPECT_EQ(cause.verdict, diagnosis::verdict::conduct);
  EXPECT_EQ(text_of(cause).find("the locale was changed (in all "), 0u) << text_of(cause);
  EXPECT_LT(cause.failing, 100) << "a call without an output tells nothing of known faults";
}

/// The second token of each batch row is not written.
struct second_token_steps : fault::canonical_steps {
  bool skips(const token_place& place) const { return place.token == 1; }
};

TEST(Diagnosis, SaysThatAPartOfTheOutputIsNeverWritten) {
  const diagnosis::cause cause = cause_of(fault::kernel_with<second_token_steps>("second-token"),
                                          model_named("yarn"), promise::canonical, every_dtype);
  EXPECT_EQ(cause.verdict, diagnosis::verdict::not_written) << text_of(cause);
  EXPECT_NE(cause.sentence.find("several tokens"), std::string::npos) << text_of(cause);
}

TEST(Diagnosis, SaysThatCallsAreRefused) {
  const ropewalk_kernel kernel = changed(
      "refusing",
      [](const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) -> std::int32_t {
        return (call_of(head).flags & ROPEWALK_BACKWARD) != 0 ? ROPEWALK_INVALID_ARGUMENT
                                                              : cpu_table_kernel().apply(plan, head, error);
      });
  const diagnosis::cause cause = cause_of(kernel, model_named("unscaled"), promise::canonical);
  EXPECT_EQ(cause.verdict, diagnosis::verdict::refused) << text_of(cause);
}

/// Pair 3 has the sine of pair 2, in every call.
struct exchanged_sine_steps : fault::canonical_steps {
  template <floating_format Table>
  void fill(token_row<Table>& row, const rotation_plan& plan, const token_place& place, bool unit,
            bool backward) const {
    row.fill(plan, place, unit, backward);
    row.set(3, {row.at(3).first, row.at(2).second});
  }
};

TEST(Diagnosis, TakesNoWrongNumberForOneThatWasNeverWritten) {
  const diagnosis::cause cause = cause_of(fault::kernel_with<exchanged_sine_steps>("exchanged-sine"),
                                          model_named("unscaled"), promise::canonical);
  EXPECT_EQ(cause.verdict, diagnosis::verdict::not_explained) << text_of(cause);
}

}  // namespace
}  // namespace ropewalk::diagnosed
