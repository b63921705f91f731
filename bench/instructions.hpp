#pragma once
// How many instructions a call takes. Of a kernel that is bound by arithmetic, time says how busy the
// processor was, instructions say with what.

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

  /// Why there is no count: what the system refused and what it would take; empty if nothing was refused. No
  /// substitute is offered: an estimate from the time or from the code would be no count.
  const std::string& not_counted() const { return not_counted_; }

  /// Mean instructions a call over `calls` calls, after an uncounted one; the loop's own, about five a call,
  /// are among them. Nothing if the system refuses, or if it shared the counter meanwhile; not_counted says
  /// why.
  ///
  /// domain  calls >= 1; work stays on the calling thread
  std::optional<double> instructions_of(const std::function<void()>& work, int calls);

 private:
  int file_ = -1;
  std::string not_counted_;
};

}  // namespace ropewalk::bench
