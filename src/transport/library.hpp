#pragma once
// A shared library that is judged as kernels: `library:PATH`. Processes of this program load it, one for each
// thread that calls it, and share memory with that thread. A process that has ended is started again.

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

/// A plan of a library's kernel: its encoding, which is sent to each process that applies the plan.
struct library_plan {
  std::int32_t kernel = 0;  // index
  std::uint64_t number = 0;
  const ropewalk_head* encoding = nullptr;
};

/// It lives until the program ends. Every function but end() may throw no_answer, failed_answer and
/// interrupted_wait, and may be called from any thread.
class library : public call_memory {
 public:
  library(std::string path, const child_limits& limits) : path_(std::move(path)), limits_(limits) {}

  const std::string& path() const { return path_; }
  /// The kernels that the library exports.
  ///
  /// throws  unusable_library
  std::vector<described_kernel> describe();

  /// Makes a plan in the process of the calling thread; `is_made`: whether the kernel returned one.
  remote_answer make(const library_plan& plan, bool& is_made);
  /// Applies a plan to a call of the operation. Its tensors and positions lie in this memory or are NULL.
  template <class Call>
  remote_answer apply(const library_plan& plan, const Call& call, const floating_registers& callers,
                      bool takes_error);
  /// Frees a plan, in each process before its next request.
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

  /// Bytes that its processes printed, to standard output and standard error.
  std::int64_t printed() const;
  /// Whether one of them printed as much as is kept of it.
  bool is_printing_cut() const;

  /// Why its processes are not kept from this program's, where the system cannot do that; else empty.
  std::string unconfined() const;

  /// Has each process free its plans and unload the library. Returns how the first of those ended that did
  /// not end as it should; empty if all did. No thread may use the library afterwards.
  std::string end();

 private:
  /// A process, its memory, and what it has been told. A thread leases it until the thread ends.
  struct worker {
    call_area area;
    printed_bytes printed;
    std::unique_ptr<child> running;
    std::set<std::uint64_t> plans;                                // that the process has
    std::set<std::uint64_t> used;                                 // that it has applied
    std::vector<std::pair<std::int32_t, std::uint64_t>> to_free;  // kernels and plans; 0: NULL
  };
  struct leases;

  worker& mine();
  void put_back(worker& worker);

  request_block& block_of(const worker& worker) const;
  /// One request, whose fields have been set, and its answer.
  void ask(worker& worker, library_request request, std::int32_t kernel, std::chrono::seconds limit);
  /// Starts the process if it does not run, and has it free what is to be freed.
  void make_ready(worker& worker, std::int32_t kernel);
  void start(worker& worker, std::int32_t kernel);
  void wait_until_ready(const worker& worker) const;
  void stop(worker& worker);
  void free_all(worker& worker);
  remote_answer send_plan(worker& worker, const library_plan& plan, bool& is_made);
  static remote_answer answer_in(const request_block& block);

  std::string path_;
  child_limits limits_;
  mutable std::mutex workers_mutex_;  // guards what follows, and to_free of each worker
  std::vector<std::unique_ptr<worker>> workers_;
  std::vector<worker*> idle_;
  std::map<std::int32_t, patience> patience_;  // by kernel
  std::string unconfined_;
};

}  // namespace ropewalk::transport
