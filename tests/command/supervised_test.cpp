// What somebody else's code does to its process is seen from outside.

#include "command/supervised.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

namespace ropewalk::command {
namespace {

/// Ends the program as main would: the child and the parent alike.
[[noreturn]] void end_as(exit_code (*work)()) {
  try {
    std::_Exit(static_cast<int>(run_supervised(work)));
  } catch (const std::runtime_error&) {
    std::_Exit(static_cast<int>(exit_code::bad_input));
  }
}

TEST(SupervisedDeathTest, WhatTheWorkReturnsOrThrowsIsWhatComesOut) {
  EXPECT_EXIT(end_as([] { return exit_code::holds; }), testing::ExitedWithCode(0), "^$");
  EXPECT_EXIT(end_as([] { return exit_code::missing; }), testing::ExitedWithCode(3), "^$");
  EXPECT_EXIT(end_as([]() -> exit_code { throw std::runtime_error("bad"); }), testing::ExitedWithCode(2),
              "^$");
}

TEST(SupervisedDeathTest, ACallThatEndsTheProgramWithZeroFails) {
  EXPECT_EXIT(end_as([]() -> exit_code { std::_Exit(0); }), testing::ExitedWithCode(1),
              "a kernel ended the program before it was judged");
}

TEST(SupervisedDeathTest, ASignalThatEndsItEndsAll) {
  EXPECT_EXIT(end_as([]() -> exit_code { std::abort(); }), testing::KilledBySignal(SIGABRT), "");
}

TEST(SupervisedDeathTest, ASignalThatIsSentToItReachesTheWork) {
  EXPECT_EXIT(end_as([]() -> exit_code {
                std::signal(SIGTERM, [](int) { std::_Exit(7); });
                ::kill(::getppid(), SIGTERM);
                for (;;) ::pause();
              }),
              testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace ropewalk::command
