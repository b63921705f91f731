// Half-split for half-split by axis: caught by a law and named, and silent where no axis has halves of its
// own.

#include <gtest/gtest.h>

#include "diagnosis/diagnosed_faults.hpp"
#include "fault/known_faults.hpp"
#include "ropewalk/config/rope_axes.hpp"

namespace ropewalk::diagnosed {
namespace {

/// Rows and columns of an image, as CroCo's RoPE2D has them.
model::model of_image(pairing layout) {
  model::model result = models().front();
  result.name = "image";
  result.encoding = {.base = 100, .rotary_dim = 32};
  result.layout = {.head_dim = 32, .pairing_in = layout, .pairing_out = layout};
  result.axes = own_axes(8, 8);
  result.config = "{}";
  return result;
}

TEST(ByAxisFault, IsCaughtAndNamed) {
  const model::model image = of_image(pairing::half_split_by_axis);
  for (const fault::known_fault& pairing : fault::pairings_of_axes()) {
    auto causes = causes_on(image);
    const counts counts = diagnosed_fault(pairing, causes, promise::canonical, {ROPEWALK_F32}, 3, image.name);
    EXPECT_EQ(counts.silent, 0) << "no law failed";
    EXPECT_EQ(counts.rightly, 1) << counts.text();
  }
}

/// Laws hold of the faulty kernel where halves are of all channels, or pairs are interleaved.
TEST(ByAxisFault, IsSilentElsewhere) {
  const auto expect_holds = [](const model::model& model, const ropewalk_kernel& kernel) {
    const auto held = checked_on(model, kernel, promise::canonical);
    for (const law<checked_rotation>* law :
         {&rotation_laws::canonical, &rotation_laws::accuracy, &rotation_laws::layouts,
          &rotation_laws::own_axis, &rotation_laws::relative_position}) {
      const search::outcome outcome = search::search(*law, *held, ROPEWALK_F32, 3, {40, 40}, never);
      EXPECT_TRUE(outcome.holds()) << kernel.name << ' ' << law->name;
    }
  };
  const ropewalk_kernel faulty = fault::pairings_of_axes().front().kernel;
  expect_holds(of_image(pairing::half_split), faulty);
  expect_holds(of_image(pairing::interleaved), faulty);
}

}  // namespace
}  // namespace ropewalk::diagnosed
