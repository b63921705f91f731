#pragma once
// A shared library judged as kernels: `library:PATH`. Processes of this program load it, one per calling
// thread, and share memory with that thread. A process that has ended is restarted.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "transport/call_area.hpp"
#include "transport/child.hpp"
#include "transport/described_kernel.hpp"
#include "transport/library_request.hpp"
#include "transport/patience.hpp"
#include "transport/printed_bytes.hpp"
#include "transport/remote_kernel.hpp"

namespace ropewalk::transport {

/// A plan of a library's kernel. Its encoding is sent to each process that applies the plan.
struct library_plan {
  std::int32_t kernel = 0;  // index
  std::uint64_t number = 0;
  const ropewalk_head* encoding = nullptr;
};

/// Lives until the program ends. Every function except end() may throw no_answer, failed_answer and
/// interrupted_wait. Any thread may call them.
class library : public call_memory {
 public:
  library(std::string path, const child_limits& limits) : path_(std::move(path)), limits_(limits) {}

  const std::string& path() const { return path_; }
  /// The kernels that the library exports.
  ///
  /// throws  unusable_library
  std::vector<described_kernel> describe();

  /// Makes a plan in the calling thread's process; `is_made`: whether the kernel returned one.
  remote_answer make(const library_plan& plan, bool& is_made);
  /// Applies a plan to a call of the operation. The call's tensors and positions are in this memory, or NULL.
  template <class Call>
  remote_answer apply(const library_plan& plan, const Call& call, const floating_registers& callers,
                      bool takes_error);
  /// Frees a plan in each process, before the process's next request.
  void free(const library_plan& plan);
  /// Passes NULL to a kernel's free_plan, before the thread's next request.
  void free_null(std::int32_t kernel);

  std::byte* take(std::size_t bytes, block_edge edge) override { return mine().area.take(bytes, edge); }
  void give_back(std::byte* block, std::size_t bytes) noexcept override;
  bool is_zero(const std::byte* first, std::size_t bytes) override {
    return mine().area.is_zero(first, bytes);
  }
  /// Whether an address lies in the calling thread's memory.
  bool holds(const void* address) { return mine().area.holds(address); }

  /// Bytes printed by its processes, to standard output and standard error.
  std::int64_t printed() const;
  /// Whether a process printed as much as the cap allows.
  bool is_printing_cut() const;

  /// Why the system cannot confine its processes; empty if it can.
  std::string unconfined() const;

  /// Makes each process free its plans and unload the library. Returns how the first process ended that did
  /// not end normally; empty if there is none. No thread may use the library afterwards.
  std::string end();

 private:
  /// A process, its memory and the state sent to it. A thread leases it until the thread ends.
  struct worker {
    call_area area;
    printed_bytes printed;
    std::unique_ptr<child> running;
    std::set<std::uint64_t> plans;                                // plans in the process
    std::set<std::uint64_t> used;                                 // plans that it has applied
    std::vector<std::pair<std::int32_t, std::uint64_t>> to_free;  // kernels and plans; 0: NULL
  };
  struct leases;

  worker& mine();
  void put_back(worker& worker);

  request_block& block_of(const worker& worker) const;
  /// Sends one request, whose fields are set, and waits for the answer.
  void ask(worker& worker, library_request request, std::int32_t kernel, std::chrono::seconds limit);
  /// Starts the process if it is not running, and sends pending frees.
  void make_ready(worker& worker, std::int32_t kernel);
  void start(worker& worker, std::int32_t kernel);
  void wait_until_ready(const worker& worker) const;
  void stop(worker& worker);
  void free_all(worker& worker);
  remote_answer send_plan(worker& worker, const library_plan& plan, bool& is_made);
  static remote_answer answer_in(const request_block& block);

  std::string path_;
  child_limits limits_;
  mutable std::mutex workers_mutex_;  // guards the members below, and to_free of each worker
  std::vector<std::unique_ptr<worker>> workers_;
  std::vector<worker*> idle_;
  std::map<std::int32_t, patience> patience_;  // by kernel
  std::string unconfined_;
};

}  // namespace ropewalk::transport
