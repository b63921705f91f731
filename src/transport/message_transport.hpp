#pragma once
// Transport of messages to kernels: a program, or files exchanged with a program.

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

  /// A plan, with the transport's state for it.
  struct plan {
    message request;
    int accepted_at = 0;  // for a program, its start number when it accepted the plan; 0: never
    bool is_used = false;
  };

  /// The answer to `describe`.
  ///
  /// throws  no_answer, bad_message, failed_answer, declined_answer, interrupted_wait, answer_awaited; so may
  ///         the functions below
  virtual message describe() = 0;
  /// The number of a plan, by its request without a number: 1, 2, ...; equal plans share a number.
  std::string number_of(const message& request);
  /// Sends a plan to the other side.
  virtual void make(plan& wanted) = 0;
  /// An answer, and whether the same request was answered with other bytes elsewhere.
  struct call_answer {
    message answer;
    bool are_bits_other = false;
  };
  /// The answer to a request that uses the plan.
  virtual call_answer apply(plan& with, const message& request) = 0;

  /// An answer, and the seconds that it took.
  struct awaited_answer {
    message answer;
    double seconds = 0;
  };
  /// The answer to a request to time a plan's calls; nullopt if the transport cannot time calls.
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

/// Returns an answer whose status is ok.
///
/// throws  declined_answer, failed_answer, or bad_message for any other status
message accepted(message answer);

}  // namespace ropewalk::transport
