#pragma once
// The diagnosis of a kernel on a model.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "diagnosis/diagnosed_faults.hpp"
#include "diagnosis/diagnosis.hpp"

namespace ropewalk::diagnosed {

inline const model::model& model_named(std::string_view name) {
  return *std::find_if(models().begin(), models().end(), [&](const auto& item) { return item.name == name; });
}

inline const std::vector<ropewalk_dtype> every_dtype(std::begin(all_dtypes), std::end(all_dtypes));

/// The diagnosis of a kernel on a model.
inline diagnosis::cause cause_of(const ropewalk_kernel& kernel, const model::model& model, promise promised,
                                 const std::vector<ropewalk_dtype>& dtypes = {ROPEWALK_F32}) {
  auto causes = causes_on(model);
  const auto failed = failures_of(*causes.hold(kernel, promised), dtypes, 1, 20);
  EXPECT_FALSE(failed.empty()) << kernel.name;
  if (failed.empty()) return {};
  return diagnosis::diagnose(kernel, promised, causes, failed, {.seed = 1, .dtypes = dtypes}, never);
}

}  // namespace ropewalk::diagnosed
