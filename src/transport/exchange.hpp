#pragma once
// Files exchanged with a program on another machine: `files:DIR`. DIR/requests has the requests, DIR/answers
// the answers in the same order: `PROGRAM <DIR/requests >DIR/answers`.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "transport/message_transport.hpp"

namespace ropewalk::transport {

class exchange : public message_transport {
 public:
  /// Reads the folder's files, if they exist.
  ///
  /// throws  bad_input naming kernel: the files are not messages, or there are more answers than requests
  explicit exchange(std::string folder);

  message describe() override;
  void make(plan& wanted) override;
  call_answer apply(plan& with, const message& request) override;

  const std::string& folder() const { return folder_; }
  /// Number of unanswered requests.
  std::size_t awaited() const { return requests_.size() - answers_.size(); }
  /// Writes the requests if there are new ones.
  ///
  /// throws  bad_input naming output
  void write();

 private:
  using image = std::vector<std::byte>;

  /// Indices of a request, in order; empty if it is new.
  std::vector<std::size_t> places_of(const image& request) const;
  void append(image request);
  /// Restores the plan numbers of the requests that were read.
  void number_plans();
  /// The answer to a request. A new request is appended `times` times.
  ///
  /// throws  answer_awaited if the answer is missing
  call_answer answer_of(const message& request, int times);

  std::string folder_;
  std::vector<image> requests_;
  std::vector<image> answers_;
  std::multimap<std::uint64_t, std::size_t> places_;  // of requests, by their hash
  std::size_t written_ = 0;
};

/// A folder with requests for a program to answer.
struct awaited_answers {
  std::string folder;
  std::size_t requests = 0;
};

/// "14 requests await answers: run PROGRAM <DIR/requests >DIR/answers, then this command again".
std::string what_to_run(const awaited_answers& answers);

/// The exchange for a folder: one per folder, until this program ends.
///
/// throws  bad_input naming kernel
std::shared_ptr<exchange> exchange_in(const std::string& folder);

/// Writes the new requests of every exchange; returns the exchanges with unanswered requests.
///
/// throws  bad_input naming output
std::vector<awaited_answers> write_requests();

}  // namespace ropewalk::transport
