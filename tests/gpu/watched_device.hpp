#pragma once
// A device for tests under the validation layer, which must be installed: each of its messages is a failure.

#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <vector>

#include "gpu/kernel_device.hpp"

namespace ropewalk::test {

/// While it lives, plans are made on a device under the validation layer. Messages are checked after the
/// device is destroyed.
class watched_device {
 public:
  explicit watched_device(const vulkan::device_options& options = {}, bool on_device = false)
      : validation_{[this](const std::string& text) { note(text); }, on_device} {
    vulkan::wish_for({.device = {}, .validated = &validation_, .options = options});
  }
  watched_device(const watched_device&) = delete;
  watched_device& operator=(const watched_device&) = delete;
  ~watched_device() {
    vulkan::wish_for({});  // destroys the device, as all plans are gone
    EXPECT_EQ(messages_, std::vector<std::string>{});
  }

 private:
  void note(const std::string& text) {
    const std::lock_guard lock(noting_);
    messages_.push_back(text);
  }

  std::mutex noting_;
  std::vector<std::string> messages_;
  vulkan::validation validation_;
};

}  // namespace ropewalk::test
