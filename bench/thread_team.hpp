#pragma once
// Threads that stay between the calls that are timed. A thread that is started or woken for each call costs
// as much as a short call, and a scheduler's tick wherever it has to wait for its starter's processor.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "bench/processors.hpp"

namespace ropewalk::bench {

/// A fixed number of threads, of which the maker's is the first. Each stays on a processor of its own if
/// there are enough; the maker's thread is free again when the team ends.
///
/// Between runs they spin briefly and then wait: runs of one round follow each other at once and find every
/// thread awake; a team that is not used leaves its processors to others.
class thread_team {
 public:
  /// domain  members >= 1; the team ends on the thread that made it, and no other team lives meanwhile
  /// throws  std::system_error: a thread does not start
  explicit thread_team(int members);
  thread_team(const thread_team&) = delete;
  thread_team& operator=(const thread_team&) = delete;
  ~thread_team() { end(); }

  int members() const { return static_cast<int>(failures_.size()); }

  /// Calls work(member) for members 0 .. members() - 1, each on its own thread, and returns when all ended.
  ///
  /// domain  called by the thread that made the team, outside a run
  /// throws  what work throws: the first failure in order of members
  void run(const std::function<void(int)>& work);

  /// How often members have left their processors so far. A call during which it grows was timed together
  /// with whatever ran there meanwhile.
  long departures();

 private:
  static constexpr std::size_t apart = 64;  // bytes, so that the two counters share no cache line

  bool has_processors() const { return failures_.size() <= processors_.size(); }
  void stay(int member);
  void attempt(int member) noexcept;
  void begin(const std::function<void(int)>* work);
  void end() noexcept;

  const std::vector<int> processors_ = usable_processors();
  std::optional<moved_thread> maker_;
  const std::function<void(int)>* work_ = nullptr;        // null: members leave
  std::vector<std::exception_ptr> failures_;              // by member, of the present run
  alignas(apart) std::atomic<std::uint32_t> begun_{0};    // runs
  alignas(apart) std::atomic<std::uint32_t> running_{0};  // members of this run beside the caller
  std::vector<std::jthread> threads_;
};

/// Copies bytes with every member of a team copying one contiguous part.
void copy_on(thread_team& team, std::byte* to, const std::byte* from, std::size_t bytes);

}  // namespace ropewalk::bench
