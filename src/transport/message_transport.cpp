#include "transport/message_transport.hpp"

#include <string>
#include <string_view>

#include "input/bad_input.hpp"

namespace ropewalk::transport {

std::string message_transport::number_of(const message& request) {
  const std::uint64_t hash = hash_of(image_of(request));
  const std::lock_guard lock(numbering_);
  return std::to_string(numbers_.try_emplace(hash, numbers_.size() + 1).first->second);
}

message accepted(message answer) {
  const std::string_view status = answer.word("status");
  if (status == "ok") return answer;
  if (status == "unsupported")
    throw declined_answer{std::string(answer.word("field")), std::string(answer.word("text"))};
  if (status == "failed" || status == "died") throw failed_answer(std::string(answer.word("text")));
  throw bad_message("answered with status '" + printable(status, 40) + "'");
}

}  // namespace ropewalk::transport
