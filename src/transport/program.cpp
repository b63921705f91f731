#include "transport/program.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "input/bad_input.hpp"

namespace ropewalk::transport {
namespace {

constexpr std::size_t most_shown_bytes = 60;

/// The first bytes of invalid output, as text that fits on a line.
std::string shown(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes.first(std::min(bytes.size(), most_shown_bytes))) {
    const char c = static_cast<char>(byte);
    text += c >= ' ' && c <= '~' ? c : '.';
  }
  return text;
}

/// Reads one message.
///
/// throws  bad_message with the first bytes received, or if there are more than `most` bytes of tensors
message receive_message(child& from, const deadline& until, std::size_t most) {
  std::array<std::byte, 8> head{};
  from.receive(head, until);
  std::vector<std::byte> text;
  try {
    text.resize(header_bytes(head));
  } catch (const bad_message&) {
    throw bad_message("did not answer with a message: '" + shown(head) +
                      "...' (only the transport may use stdout)");
  }
  from.receive(text, until);
  message_header header = header_from(text);
  if (header.data_bytes > most)
    throw bad_message("answered with " + size_text(header.data_bytes) + "; due: at most " + size_text(most));
  std::vector<std::byte> data(header.data_bytes);
  from.receive(data, until);
  return message_of(std::move(header), data);
}

std::string kernel_of(const program::plan& plan) { return std::string(plan.request.word("kernel")); }

}  // namespace

message program::ask(const message& request, const std::string& kernel, std::chrono::seconds limit) {
  if (limits_.is_interrupted != nullptr && *limits_.is_interrupted) throw interrupted_wait();
  require_budget();
  patience& left = patience_[kernel];
  left.require_left();
  if (!running_) running_ = std::make_unique<child>(child_program{{"/bin/sh", "-c", command_}}, limits_);
  std::size_t sent = spare_answer;
  for (const message_tensor& tensor : request.tensors) sent += tensor.bytes.size();
  try {
    const deadline until(limit);
    running_->require_silence();
    running_->send(image_of(request), until);
    message answer = receive_message(*running_, until, sent);
    if (answer.word("status") == "died") ++count_;
    return accepted(std::move(answer));
  } catch (const failed_answer&) {
    throw;
  } catch (const declined_answer&) {
    throw;
  } catch (const interrupted_wait&) {
    forget();
    throw;
  } catch (const budget_is_over&) {
    forget();
    throw;
  } catch (const no_answer& none) {
    left.count(none.is_silent());
    forget();
    throw;
  } catch (...) {  // a late answer would be taken for the next one
    left.count(false);
    forget();
    throw;
  }
}

void program::forget() {
  running_.reset();
  ++count_;
}

message program::describe() {
  const std::lock_guard lock(asking_);
  return ask(describe_request(), "", limits_.first);
}

void program::accept(plan& wanted) {
  if (wanted.accepted_at == count_) return;
  static_cast<void>(ask(wanted.request, kernel_of(wanted), limits_.first));
  wanted.accepted_at = count_;
}

void program::make(plan& wanted) {
  const std::lock_guard lock(asking_);
  accept(wanted);
}

message_transport::call_answer program::apply(plan& with, const message& request) {
  const std::lock_guard lock(asking_);
  accept(with);
  return {ask(request, kernel_of(with), std::exchange(with.is_used, true) ? limits_.call : limits_.first)};
}

std::optional<message_transport::awaited_answer> program::time(plan& with, const message& request) {
  const std::lock_guard lock(asking_);
  accept(with);
  const auto begin = monotonic_clock::now();
  message answer = ask(request, kernel_of(with), limits_.first);  // many calls: as much time as a first call
  return awaited_answer{std::move(answer),
                        std::chrono::duration<double>(monotonic_clock::now() - begin).count()};
}

}  // namespace ropewalk::transport
