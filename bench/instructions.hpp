#pragma once
// Counts the instructions of a call. For a kernel that is bound by arithmetic, time only shows that the
// processor was busy; instructions show the amount of work.

#include <functional>
#include <optional>
#include <string>

namespace ropewalk::bench {

/// Counts the instructions that the calling thread retires in user space.
class instruction_counter {
 public:
  /// Opens a counter: returns its file descriptor, or -1 and sets errno.
  using opener = std::function<int()>;

  instruction_counter();
  explicit instruction_counter(const opener& open);
  instruction_counter(const instruction_counter&) = delete;
  instruction_counter& operator=(const instruction_counter&) = delete;
  ~instruction_counter();

  /// Why there is no count: the system's refusal, and what would allow it; empty if nothing was refused.
  /// There is no substitute: an estimate from the time or from the code would not be a count.
  const std::string& not_counted() const { return not_counted_; }

  /// Mean instructions per call over `calls` calls, after an uncounted one, including about five per call for
  /// the loop. Nothing if the system refuses, or if it shared the counter meanwhile; not_counted gives the
  /// reason.
  ///
  /// domain  calls >= 1; work stays on the calling thread
  std::optional<double> instructions_of(const std::function<void()>& work, int calls);

 private:
  int file_ = -1;
  std::string not_counted_;
};

}  // namespace ropewalk::bench
