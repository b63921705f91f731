#pragma once
// A child process that answers on its standard output. A watcher process starts it. The watcher kills the
// child's process group when this program ends, for whatever reason, or when the child ends.

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "search/budget_clock.hpp"

namespace ropewalk::transport {

using monotonic_clock = std::chrono::steady_clock;

/// The end of a wait, and its length for messages.
struct deadline {
  explicit deadline(std::chrono::seconds longest) : limit(longest), at(monotonic_clock::now() + longest) {}

  std::chrono::seconds limit;
  monotonic_clock::time_point at;
};

/// Limits of the children of this program.
struct child_limits {
  std::chrono::seconds call{10};                      // per answer
  std::chrono::seconds first{120};                    // for describe, plan and the first apply of a plan
  std::uint64_t memory = 0;                           // bytes of data (RLIMIT_DATA); 0: no limit
  const std::atomic<bool>* is_interrupted = nullptr;  // waiting ends when this becomes true
};

/// A child gave no answer. The text says how it ended, or how long the wait was.
class no_answer : public std::runtime_error {
 public:
  explicit no_answer(const std::string& text, bool is_silent = false)
      : std::runtime_error(text), is_silent_(is_silent) {}
  /// Whether the wait timed out.
  bool is_silent() const noexcept { return is_silent_; }

 private:
  bool is_silent_;
};

/// The end of a run's budget; no wait lasts longer.
inline std::atomic<monotonic_clock::time_point> end_of_waiting{monotonic_clock::time_point::max()};

/// The budget ran out before a child answered. This is no fault of the child.
struct budget_is_over {};

/// throws  budget_is_over
inline void require_budget() {
  if (monotonic_clock::now() >= end_of_waiting.load()) throw budget_is_over();
}

/// Whether some processes of a kernel outlive it, because it starts new ones faster than they can be killed.
inline std::atomic<bool> processes_outlive{false};

/// The user interrupted a wait for a child. This is no fault of the child.
struct interrupted_wait {};

/// The program of a child.
struct child_program {
  std::vector<std::string> words;  // the path of the program, and its arguments
  int memory = -1;                 // becomes descriptor `memory_descriptor` of the child; -1: none
  int errors = -1;                 // its standard error; -1: this program's
};

inline constexpr int memory_descriptor = 3;

class child {
 public:
  /// Starts a program in its own session, without core files. From then on no other process of the same user
  /// may read or write this program's memory, except in builds with sanitizers, which need that.
  ///
  /// throws  machine_shortage if no process starts
  child(const child_program& program, const child_limits& limits);
  /// Closes the child's input, gives it some time to end, and kills its group and the processes that left it.
  /// Takes at most some seconds, whatever the child does to its watcher.
  ~child();
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  /// Refuses a child that wrote unrequested bytes, or has ended.
  ///
  /// throws  no_answer; machine_shortage, as in all functions below, if its process could not be set up
  void require_silence();
  /// Writes to the child's standard input.
  ///
  /// throws  no_answer if the child has ended or does not read before `until`
  void send(std::span<const std::byte> bytes, const deadline& until);
  /// Fills `bytes` from the child's standard output.
  ///
  /// throws  no_answer if the child has ended or does not write before `until`
  void receive(std::span<std::byte> bytes, const deadline& until);
  /// Waits for the end of the child; returns its exit code, or -1 if a signal ended it.
  ///
  /// throws  no_answer if it is still running at `until`
  int wait_for_end(const deadline& until);
  /// How the child ended: "was ended by signal 11 (SIGSEGV)".
  std::string how_it_ended() const;

 private:
  void end();
  /// Waits until a descriptor is ready.
  ///
  /// throws  no_answer, interrupted_wait, budget_is_over
  void wait_for(int descriptor, short events, const deadline& until) const;
  /// The child's status from waitpid; nullopt if it is not known in time.
  ///
  /// throws  machine_shortage if its process could not be set up
  std::optional<int> status() const;

  child_limits limits_;
  std::string program_;  // the program's path
  pid_t watcher_ = -1;
  pid_t started_ = -1;  // the child
  int to_ = -1;         // the child's standard input
  int from_ = -1;       // its standard output
  int life_ = -1;       // the watcher acts when this closes
  int count_ = -1;      // the watcher's reports arrive here
  std::optional<search::counted_process> counted_;
  mutable std::optional<int> status_;  // as reported by the watcher
  mutable bool is_silent_ = false;     // whether a wait timed out
};

}  // namespace ropewalk::transport
