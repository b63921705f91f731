#pragma once
// A program judged as a kernel: `program:COMMAND`. Starts at its first request, restarts after it has ended,
// and answers one request at a time.

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "transport/child.hpp"
#include "transport/message_transport.hpp"
#include "transport/patience.hpp"

namespace ropewalk::transport {

/// Tensor bytes that an answer may have in addition to those of its request.
inline constexpr std::size_t spare_answer = std::size_t{1} << 16;

class program : public message_transport {
 public:
  program(std::string command, const child_limits& limits) : command_(std::move(command)), limits_(limits) {}

  message describe() override;
  void make(plan& wanted) override;
  call_answer apply(plan& with, const message& request) override;
  std::optional<awaited_answer> time(plan& with, const message& request) override;

 private:
  message ask(const message& request, const std::string& kernel, std::chrono::seconds limit);
  void accept(plan& wanted);
  /// Ends the program; the next request restarts it.
  void forget();

  std::string command_;
  child_limits limits_;
  std::mutex asking_;
  std::unique_ptr<child> running_;
  std::map<std::string, patience> patience_;  // by kernel
  int count_ = 1;                             // increases whenever the program may have lost its plans
};

}  // namespace ropewalk::transport
