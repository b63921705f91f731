#pragma once
// A child process that answers on its standard output. A watcher process starts it and kills its process
// group when this program ends, however it ends, or when the child does.

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace ropewalk::door {

using door_clock = std::chrono::steady_clock;

/// The end of a wait, and how long it is in words of messages.
struct deadline {
  explicit deadline(std::chrono::seconds longest) : limit(longest), at(door_clock::now() + longest) {}

  std::chrono::seconds limit;
  door_clock::time_point at;
};

/// Limits of the children that this program starts.
struct child_limits {
  std::chrono::seconds call{10};                      // for an answer
  std::chrono::seconds first{120};                    // for describe, plan and the first apply of a plan
  std::uint64_t memory = 0;                           // bytes of data (RLIMIT_DATA); 0: no limit
  const std::atomic<bool>* is_interrupted = nullptr;  // when it turns true, waiting ends
};

/// A child that gave no answer. The text says how it ended, or how long it was waited for.
class no_answer : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The user interrupted the program while it waited for a child: no fault of the child's.
struct interrupted_wait {};

class child {
 public:
  /// Starts `/bin/sh -c COMMAND` in a process group of its own, with this program's standard error and
  /// without core files.
  ///
  /// throws  std::system_error if no process can be started
  child(const std::string& command, const child_limits& limits);
  /// Closes the child's input, gives it a moment to end by itself, and kills its group.
  ~child();
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  /// Refuses a child that has written what it was not asked for, or that has ended.
  ///
  /// throws  no_answer
  void require_silence();
  /// Writes to the child's standard input.
  ///
  /// throws  no_answer if the child has ended or does not read before `until`
  void send(std::span<const std::byte> bytes, const deadline& until);
  /// Fills `bytes` from the child's standard output.
  ///
  /// throws  no_answer if the child has ended or does not write before `until`
  void receive(std::span<std::byte> bytes, const deadline& until);

 private:
  /// Waits until a descriptor is ready.
  void wait_for(int descriptor, short events, const deadline& until) const;
  /// Says how the child ended, after its end of a pipe was closed.
  std::string how_it_ended() const;

  child_limits limits_;
  pid_t watcher_ = -1;
  int to_ = -1;      // the child's standard input
  int from_ = -1;    // its standard output
  int life_ = -1;    // the watcher acts when this closes
  int status_ = -1;  // the watcher writes how the child ended
};

}  // namespace ropewalk::door
