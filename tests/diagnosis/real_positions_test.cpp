// Faults of real positions and of axes with frequencies of their own: each is caught by a law, and named.

#include <gtest/gtest.h>

#include <string>

#include "diagnosis/diagnosed_faults.hpp"
#include "fault/faults.hpp"
#include "fault/known_faults.hpp"

namespace ropewalk::diagnosed {
namespace {

/// Three axes of unlike widths, as videos have them: 2 (d // 6) channels of a head of 64 for two, the rest
/// for time.
model::model of_video() {
  model::model r = models().front();
  r.name = "video";
  r.encoding = {.base = 10000, .rotary_dim = 64};
  r.layout = {.head_dim = 64};
  r.axes = own_axes(12, 10, 10);
  r.config = "{}";
  return r;
}

void expect_named(const fault::known_fault& fault, const model::model& on) {
  auto causes = causes_on(on);
  const counts found = diagnosed_fault(fault, causes, promise::canonical, {ROPEWALK_F32}, 3, on.name);
  EXPECT_EQ(found.silent, 0) << fault.kernel.name << ": no law failed";
  EXPECT_EQ(found.rightly, 1) << fault.kernel.name << ": " << found.text();
}

TEST(RealPositionFaults, AreCaughtAndNamedOnOneAxis) {
  for (const fault::known_fault& one : fault::mapped_real_positions()) expect_named(one, models().front());
}

TEST(RealPositionFaults, OfEveryPositionAreNamedWhereRealOnesAreAsked) {
  for (const char* const name :
       {"fault-positions-bf16", "fault-positions-f16", "fault-positions-f32", "fault-position-off-by-one"})
    for (fault::known_fault one : fault::known_rotation_faults()) {
      if (std::string(one.kernel.name) != name) continue;
      one.kernel.limits = &every_position_kind;
      expect_named(one, models().front());
    }
}

TEST(RealPositionFaults, OfAxesAreCaughtAndNamed) {
  const model::model video = of_video();
  for (const fault::known_fault& one : fault::changed_axes()) expect_named(one, video);
  for (const fault::known_fault& one : fault::known_rotation_faults())
    for (const char* const name : {"fault-axis-first", "fault-axis-exchanged"})
      if (std::string(one.kernel.name) == name) expect_named(one, video);
}

/// On axes that share the frequencies of text, faults of axes of their own change nothing.
TEST(RealPositionFaults, OfOwnFrequenciesAreSilentWhereAxesShareThem) {
  const auto& shared = *std::find_if(models().begin(), models().end(),
                                     [](const model::model& one) { return one.name == "three axes"; });
  for (const fault::known_fault& one : fault::changed_axes()) {
    const auto held = held_on(shared, one.kernel, promise::canonical);
    for (const law<held_rotation>* of : {&rotation_laws::canonical, &rotation_laws::own_axis}) {
      const search::outcome found = search::search(*of, *held, ROPEWALK_F32, 3, {40, 40}, never);
      EXPECT_TRUE(found.holds()) << one.kernel.name << " " << of->name;
    }
  }
}

}  // namespace
}  // namespace ropewalk::diagnosed
