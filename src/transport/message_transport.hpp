#pragma once
// What answers messages about kernels: a program, or files that are exchanged with one.

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "transport/message.hpp"
#include "transport/remote_kernel.hpp"

namespace ropewalk::transport {

inline constexpr const char* protocol = "1";

class message_transport {
 public:
  message_transport() = default;
  virtual ~message_transport() = default;
  message_transport(const message_transport&) = delete;
  message_transport& operator=(const message_transport&) = delete;

  /// A plan, and what a transport keeps of it.
  struct plan {
    message request;
    int accepted_at = 0;  // of a program: the start at which it accepted the plan; 0: never
    bool is_used = false;
  };

  /// The answer to `describe`.
  ///
  /// throws  no_answer, bad_message, failed_answer, declined_answer, interrupted_wait, answer_awaited; the
  ///         functions below, too
  virtual message describe() = 0;
  /// The number of a plan by its request, which has no number yet: 1, 2, ...; equal plans share one.
  std::string number_of(const message& request);
  /// Makes a plan known to the other side.
  virtual void make(plan& wanted) = 0;
  /// The answer to a request that uses a plan.
  virtual message apply(plan& with, const message& request) = 0;

  /// An answer, and the seconds from its request to it.
  struct awaited_answer {
    message answer;
    double seconds = 0;
  };
  /// The answer to a request for times of a plan's calls; nullopt where nobody waits for the program.
  virtual std::optional<awaited_answer> time(plan& /*with*/, const message& /*request*/) {
    return std::nullopt;
  }

 protected:
  static message describe_request() {
    return {.words = {{"request", "describe"}, {"protocol", protocol}}, .tensors = {}};
  }

 private:
  std::mutex numbering_;
  std::map<std::uint64_t, std::size_t> numbers_;  // by the hash of the request
};

/// An answer whose status is ok.
///
/// throws  declined_answer, failed_answer, or bad_message for any other status
message accepted(message answer);

}  // namespace ropewalk::transport
