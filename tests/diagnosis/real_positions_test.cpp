// Faults of real positions and of axes with frequencies of their own: each is caught by a law, and named.

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "diagnosis/diagnosed_faults.hpp"
#include "fault/faults.hpp"
#include "fault/known_faults.hpp"

namespace ropewalk::diagnosed {
namespace {

/// Three axes of unlike widths, as videos have them: 2 (d // 6) channels of a head of 64 for two, the rest
/// for time.
model::model of_video() {
  model::model result = models().front();
  result.name = "video";
  result.encoding = {.base = 10000, .rotary_dim = 64};
  result.layout = {.head_dim = 64};
  result.axes = own_axes(12, 10, 10);
  result.config = "{}";
  return result;
}

/// Rows and columns of an image by DINOv3's frequencies: of base 100, in turns.
model::model of_image_in_turns() {
  model::model result = of_video();
  result.name = "image in turns";
  const frequencies turn = falling_from_one(100, 0, angle_unit::turn);
  result.axes = own_axes(16, 16);
  result.axes.axis[0].turn = result.axes.axis[1].turn = turn;
  return result;
}

/// Three axes with LTX-Video's rising frequencies, after two pairs that stand still.
model::model of_rising_video() {
  model::model result = of_video();
  result.name = "rising video";
  result.axes = own_axes(10, 10, 10);
  result.axes.order = axis_order::round_robin;
  result.axes.still_pairs = 2;
  for (int axis = 0; axis < 3; ++axis)
    result.axes.axis[static_cast<std::size_t>(axis)].turn =
        geometric_between({1, 1}, {10000, 1}, angle_unit::quarter_turn);
  return result;
}

fault::known_fault named(const std::string& name) {
  for (fault::known_fault planted : fault::known_rotation_faults())
    if (planted.kernel.name == name) {
      planted.kernel.limits = &every_position_kind;
      return planted;
    }
  throw std::invalid_argument("no fault " + name);
}

void expect_named(const fault::known_fault& fault, const model::model& model) {
  auto causes = causes_on(model);
  const counts counts = diagnosed_fault(fault, causes, promise::canonical, {ROPEWALK_F32}, 3, model.name);
  EXPECT_EQ(counts.silent, 0) << fault.kernel.name << ": no law failed";
  EXPECT_EQ(counts.rightly, 1) << fault.kernel.name << ": " << counts.text();
}

TEST(RealPositionFaults, AreCaughtAndNamedOnOneAxis) {
  for (const fault::known_fault& position : fault::mapped_real_positions())
    expect_named(position, models().front());
}

TEST(RealPositionFaults, OfEveryPositionAreNamedWhereRealOnesAreAsked) {
  for (const char* const name :
       {"fault-positions-bf16", "fault-positions-f16", "fault-positions-f32", "fault-position-off-by-one"})
    expect_named(named(name), models().front());
}

TEST(RealPositionFaults, OfAxesAreCaughtAndNamed) {
  model::model video = of_video();
  for (const char* const name :
       {"fault-axes-reversed", "fault-axes-over-head", "fault-axes-over-equal-share", "fault-axes-rest-last",
        "fault-axes-as-in-text", "fault-axes-to-the-end", "fault-axes-half-exponent", "fault-axis-first",
        "fault-axis-exchanged", "fault-axes-exchanged-first", "fault-axes-exchanged-ends", "fault-period"})
    expect_named(named(name), video);
  for (const char* const name : {"fault-axes-base-256", "fault-axes-base-100", "fault-axes-base-2000"})
    expect_named(named(name), video);
  video.encoding.base = 256;
  expect_named(named("fault-axes-base-10000"), video);
}

TEST(RealPositionFaults, OfAScaleTakenTheWrongWayAreCaughtAndNamed) {
  model::model video = of_video();
  for (int axis = 0; axis < video.axes.count; ++axis)
    video.axes.axis[static_cast<std::size_t>(axis)].scaling = linear{.factor = 2.0 + axis};
  expect_named(named("fault-axes-inverse-scale"), video);
}

TEST(RealPositionFaults, OfFrequenciesInTurnsAreCaughtAndNamed) {
  for (const char* const name : {"fault-period", "fault-axes-base-10000", "fault-axes-over-head"})
    expect_named(named(name), of_image_in_turns());
}

TEST(RealPositionFaults, OfRisingFrequenciesAreCaughtAndNamed) {
  for (const char* const name : {"fault-axes-reversed", "fault-axis-first", "fault-period"})
    expect_named(named(name), of_rising_video());
}

/// A promise whose frequencies the kernel forms decides on axes with frequencies of their own, too, in
/// radians and in parts of a turn: what is not turned at all breaks it.
TEST(RealPositionFaults, OfFormedFrequenciesBreakThePromiseOfAngles) {
  const auto is_held = [](const model::model& model) {
    return checked_on(model, named("fault-copied").kernel, promise::hf);
  };
  const model::model video = of_video(), image = of_image_in_turns();
  for (const auto& held : {is_held(video), is_held(image)}) {
    EXPECT_TRUE(held->has_bound(ROPEWALK_F32));
    EXPECT_FALSE(search::search(rotation_laws::accuracy, *held, ROPEWALK_F32, 3, {40, 40}, never).holds());
  }
}

/// On axes that share the frequencies of text, faults of axes of their own change nothing.
TEST(RealPositionFaults, OfOwnFrequenciesAreSilentWhereAxesShareThem) {
  const auto& shared = *std::find_if(models().begin(), models().end(),
                                     [](const model::model& model) { return model.name == "three axes"; });
  for (const fault::known_fault& axis : fault::changed_axes()) {
    const auto held = checked_on(shared, axis.kernel, promise::canonical);
    for (const law<checked_rotation>* law : {&rotation_laws::canonical, &rotation_laws::own_axis}) {
      const search::outcome outcome = search::search(*law, *held, ROPEWALK_F32, 3, {40, 40}, never);
      EXPECT_TRUE(outcome.holds()) << axis.kernel.name << " " << law->name;
    }
  }
}

}  // namespace
}  // namespace ropewalk::diagnosed
