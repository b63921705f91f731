#pragma once
// A child process that answers on its standard output. A watcher process starts it and kills its process
// group when this program ends, however it ends, or when the child does.

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

/// The end of a wait, and how long it is in words of messages.
struct deadline {
  explicit deadline(std::chrono::seconds longest) : limit(longest), at(monotonic_clock::now() + longest) {}

  std::chrono::seconds limit;
  monotonic_clock::time_point at;
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
  explicit no_answer(const std::string& text, bool is_silent = false)
      : std::runtime_error(text), is_silent_(is_silent) {}
  /// Whether the time for an answer was over.
  bool is_silent() const noexcept { return is_silent_; }

 private:
  bool is_silent_;
};

/// The end of a run's budget, after which no answer is awaited.
inline std::atomic<monotonic_clock::time_point> end_of_waiting{monotonic_clock::time_point::max()};

/// The budget was over before a child answered: no fault of the child's.
struct budget_is_over {};

/// throws  budget_is_over
inline void require_budget() {
  if (monotonic_clock::now() >= end_of_waiting.load()) throw budget_is_over();
}

/// Whether processes that a kernel started could not be ended: it started others faster.
inline std::atomic<bool> processes_outlive{false};

/// The user interrupted the program while it waited for a child: no fault of the child's.
struct interrupted_wait {};

/// What a child runs.
struct child_program {
  std::vector<std::string> words;  // the path of the program, and its arguments
  int memory = -1;                 // a descriptor that the program finds as `memory_descriptor`; -1: none
  int errors = -1;                 // its standard error; -1: this program's
};

inline constexpr int memory_descriptor = 3;

class child {
 public:
  /// Starts a program in a session of its own, without core files. From then on no other process of the same
  /// user may read or write this program's memory (but in builds with sanitizers, which need that).
  ///
  /// throws  machine_shortage if no process can be started
  child(const child_program& program, const child_limits& limits);
  /// Closes the child's input, gives it a moment to end by itself, and kills its group and what left that.
  /// Ends in some seconds whatever the child does to its watcher.
  ~child();
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  /// Refuses a child that has written what it was not asked for, or that has ended.
  ///
  /// throws  no_answer; machine_shortage, as all functions below, if its process could not be set up
  void require_silence();
  /// Writes to the child's standard input.
  ///
  /// throws  no_answer if the child has ended or does not read before `until`
  void send(std::span<const std::byte> bytes, const deadline& until);
  /// Fills `bytes` from the child's standard output.
  ///
  /// throws  no_answer if the child has ended or does not write before `until`
  void receive(std::span<std::byte> bytes, const deadline& until);
  /// Waits until the child has ended, and returns its exit code, or -1 if a signal ended it.
  ///
  /// throws  no_answer if it has not ended before `until`
  int wait_for_end(const deadline& until);
  /// How a child that has ended did so: "was ended by signal 11 (SIGSEGV)".
  std::string how_it_ended() const;

 private:
  void end();
  /// Waits until a descriptor is ready.
  ///
  /// throws  no_answer, interrupted_wait, budget_is_over
  void wait_for(int descriptor, short events, const deadline& until) const;
  /// How the child ended, as waitpid tells it; nullopt if that is not known in time.
  ///
  /// throws  machine_shortage if its process could not be set up
  std::optional<int> status() const;

  child_limits limits_;
  std::string program_;  // its path
  pid_t watcher_ = -1;
  pid_t started_ = -1;  // the child
  int to_ = -1;         // the child's standard input
  int from_ = -1;       // its standard output
  int life_ = -1;       // the watcher acts when this closes
  int count_ = -1;      // the watcher writes its reports
  std::optional<search::counted_process> counted_;
  mutable std::optional<int> status_;  // what it wrote
  mutable bool is_silent_ = false;     // whether a wait was in vain
};

}  // namespace ropewalk::transport
