// The ranks of an MPI launcher: the module libropewalk_mpi.so. A thread of rank 0 answers requests for
// numbers. No rank blocks inside MPI, which would keep a core busy: ranks poll and sleep. Only one thread of
// a process calls MPI at a time.

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <thread>

#include "input/bad_input.hpp"
#include "ropewalk/version.hpp"
#include "sweep/mpi_module.hpp"

namespace ropewalk::sweep {
namespace {

constexpr int server_rank = 0;
constexpr int request_tag = 1;
constexpr int answer_tag = 2;
constexpr std::int64_t no_number = -1;

/// A request to rank 0, which answers with a number or with no_number.
enum class request : std::int64_t { next, stop };

/// Sleeps between polls, first briefly, then longer: at most a hundredth of a core.
class patience {
 public:
  void sleep() {
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(2 * pause_, longest);
  }
  void renew() { pause_ = shortest; }

 private:
  static constexpr std::chrono::microseconds shortest{16}, longest{1024};
  std::chrono::microseconds pause_ = shortest;
};

bool is_complete(MPI_Request& first) {
  int complete = 0;
  MPI_Test(&first, &complete, MPI_STATUS_IGNORE);
  return complete != 0;
}

void wait_for(MPI_Request first) {
  for (patience waiting; !is_complete(first);) waiting.sleep();
}

/// Sends from rank 0 to all. Collective.
void send_to_all(void* data, int size, MPI_Datatype type) {
  MPI_Request sent{};
  MPI_Ibcast(data, size, type, server_rank, MPI_COMM_WORLD, &sent);
  wait_for(sent);
}

MPI_Request enter_barrier() {
  MPI_Request entered{};
  MPI_Ibarrier(MPI_COMM_WORLD, &entered);
  return entered;
}

class mpi_rank : public ranks {
 public:
  /// Requires that MPI has been started and that no other code uses it.
  mpi_rank() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
  }
  mpi_rank(const mpi_rank&) = delete;
  mpi_rank& operator=(const mpi_rank&) = delete;

  /// A rank that leaves by an exception, or while numbers are handed out, does not finalize MPI, which would
  /// wait for the other ranks. Its process exits without, and the launcher then ends all ranks.
  ~mpi_rank() override {
    leaves_early_ = hands_out_ || std::uncaught_exceptions() > 0;
    if (server_.joinable()) server_.join();
    if (!leaves_early_) MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int count() const override { return count_; }

  std::string from_first(const std::string& text) override {
    std::string words = text;
    auto size = static_cast<std::int64_t>(words.size());
    send_to_all(&size, 1, MPI_INT64_T);
    words.resize(static_cast<std::size_t>(size));
    // MPI counts in int, so a long text is sent in parts.
    constexpr std::int64_t part = 1 << 30;
    for (std::int64_t at = 0; at < size; at += part)
      send_to_all(words.data() + at, static_cast<int>(std::min(part, size - at)), MPI_CHAR);
    return words;
  }

  void begin(std::int64_t size) override {
    send_to_all(&size, 1, MPI_INT64_T);
    next_ = 0;
    end_ = size;
    finishes_ = false;
    hands_out_ = true;
    if (rank_ == server_rank) server_ = std::thread([this] { serve(); });
    if (stopped_) stop();
  }

  std::optional<std::int64_t> next() override {
    if (stopped_) return std::nullopt;
    const std::int64_t number = rank_ == server_rank ? take() : answer_to(request::next);
    if (number == no_number) return std::nullopt;
    if (rank_ != server_rank) ++next_;
    return number;
  }

  void stop() override {
    stopped_ = true;
    if (rank_ != server_rank) answer_to(request::stop);
  }

  std::int64_t handed_out() const override { return std::min<std::int64_t>(next_, end_); }

  void finish() override {
    finishes_ = true;
    const std::lock_guard asks_alone(asking_);
    if (server_.joinable())
      server_.join();
    else
      wait_for(enter_barrier());
    hands_out_ = false;
  }

 private:
  /// On rank 0: the next number, or no_number.
  std::int64_t take() {
    if (stopped_) return no_number;
    const std::int64_t number = next_++;
    return number < end_ ? number : no_number;
  }

  /// On other ranks: rank 0's answer; no_number outside a hand-out. The threads of a rank ask in turn.
  std::int64_t answer_to(request request) {
    const std::lock_guard asks_alone(asking_);
    if (!hands_out_) return no_number;
    std::int64_t answer = no_number;
    MPI_Request answered{}, sent{};
    MPI_Irecv(&answer, 1, MPI_INT64_T, server_rank, answer_tag, MPI_COMM_WORLD, &answered);
    MPI_Isend(&request, 1, MPI_INT64_T, server_rank, request_tag, MPI_COMM_WORLD, &sent);
    wait_for(sent);
    wait_for(answered);
    return answer;
  }

  /// On rank 0: answers until every rank has finished. A rank finishes after its last answer.
  void serve() {
    MPI_Request all_finished = MPI_REQUEST_NULL;
    bool has_entered = false;
    for (patience waiting; !leaves_early_;) {
      if (answers_one()) {
        waiting.renew();
        continue;
      }
      if (finishes_ && !has_entered) {
        all_finished = enter_barrier();
        has_entered = true;
      }
      if (has_entered && is_complete(all_finished)) return;
      waiting.sleep();
    }
  }

  /// Answers one request; false if there was none.
  bool answers_one() {
    int is_there = 0;
    MPI_Status status{};
    MPI_Iprobe(MPI_ANY_SOURCE, request_tag, MPI_COMM_WORLD, &is_there, &status);
    if (is_there == 0) return false;
    request wanted_grid{};
    MPI_Recv(&wanted_grid, 1, MPI_INT64_T, status.MPI_SOURCE, request_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (wanted_grid == request::stop) stopped_ = true;
    const std::int64_t answer = wanted_grid == request::next ? take() : no_number;
    MPI_Send(&answer, 1, MPI_INT64_T, status.MPI_SOURCE, answer_tag, MPI_COMM_WORLD);  // small: sent at once
    return true;
  }

  int rank_ = 0;
  int count_ = 1;
  // On rank 0: the next number; on others: the count of numbers received.
  std::atomic<std::int64_t> next_ = 0;
  std::int64_t end_ = 0;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> hands_out_ = false;  // between begin and finish
  std::atomic<bool> finishes_ = false;   // this rank has called finish since begin
  std::atomic<bool> leaves_early_ = false;
  std::mutex asking_;
  std::thread server_;
};

}  // namespace
}  // namespace ropewalk::sweep

extern "C" __attribute__((visibility("default"))) ropewalk::sweep::ranks* ropewalk_mpi_ranks(
    const char* version) {
  if (std::strcmp(version, ropewalk::version) != 0) return nullptr;
  int granted = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &granted);
  if (granted < MPI_THREAD_SERIALIZED) {
    MPI_Finalize();
    throw ropewalk::missing_requirement(
        "this MPI allows calls from one thread only; allowed: an MPI built with MPI_THREAD_SERIALIZED");
  }
  return new ropewalk::sweep::mpi_rank;
}
