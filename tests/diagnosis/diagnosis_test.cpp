// One cause for a failing kernel: every fault is named on every model where it shows, and no other is.

#include "diagnosis/diagnosis.hpp"

#include <gtest/gtest.h>

#include "diagnosis/diagnosed_faults.hpp"

namespace ropewalk::diagnosed {
namespace {

TEST(Diagnosis, Trial) {
  counts all;
  for (const model::model& model : models()) {
    auto causes = causes_on(model);
    counts of_model;
    for (std::size_t i = 0; i < causes.count(); ++i)
      of_model.add(diagnosed<held_rotation>(causes.fault(i), causes, promise::canonical, {ROPEWALK_F32}, 1,
                                            model.name));
    std::printf("%s: %s", model.name.c_str(), of_model.text().c_str());
    std::fflush(stdout);
    all.add(of_model);
  }
  std::printf("ALL %s", all.text().c_str());
}

}  // namespace
}  // namespace ropewalk::diagnosed
