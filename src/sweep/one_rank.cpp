#include <algorithm>
#include <atomic>

#include "sweep/ranks.hpp"

namespace ropewalk::sweep {
namespace {

class lone_rank : public ranks {
 public:
  int rank() const override { return 0; }
  int count() const override { return 1; }
  std::string from_first(const std::string& text) override { return text; }
  void begin(std::int64_t size) override {
    next_ = 0;
    end_ = size;
  }
  std::optional<std::int64_t> next() override {
    if (stopped_) return std::nullopt;
    const std::int64_t number = next_++;
    if (number >= end_) return std::nullopt;
    return number;
  }
  void stop() override { stopped_ = true; }
  std::int64_t handed_out() const override { return std::min<std::int64_t>(next_, end_); }
  void finish() override {}

 private:
  std::atomic<std::int64_t> next_ = 0;
  std::int64_t end_ = 0;
  std::atomic<bool> stopped_ = false;
};

}  // namespace

std::unique_ptr<ranks> one_rank() { return std::make_unique<lone_rank>(); }

std::unique_ptr<ranks> ranks_of_this_run() { return is_under_mpi() ? mpi_ranks() : one_rank(); }

}  // namespace ropewalk::sweep
