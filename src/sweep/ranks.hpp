#pragma once
// The processes that share one run of a sweep: this one alone, or the ranks of an MPI launcher.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ropewalk::sweep {

/// Functions marked "collective" are called by every rank, in the same order.
class ranks {
 public:
  virtual ~ranks() = default;

  virtual int rank() const = 0;
  virtual int count() const = 0;

  /// Rank 0's text, on every rank. Collective.
  virtual std::string from_first(const std::string& text) = 0;

  /// Begins to hand out the numbers 0 .. size - 1, each to one rank, by demand. Collective; `size` is rank
  /// 0's.
  virtual void begin(std::int64_t size) = 0;
  /// The next number; none when all have been handed out, or after `stop`. Any thread of a rank may call it.
  virtual std::optional<std::int64_t> next() = 0;
  /// Hands out no more, to any rank.
  virtual void stop() = 0;
  /// How many numbers have been handed out, as far as this rank knows; rank 0 knows all.
  virtual std::int64_t handed_out() const = 0;
  /// Returns when every rank has called it. Collective.
  virtual void finish() = 0;
};

/// This process alone.
std::unique_ptr<ranks> one_rank();

/// Whether an MPI launcher started this process.
bool is_under_mpi();

/// The ranks of the MPI launcher.
///
/// throws  missing_requirement that names the package, if this program was built without MPI
std::unique_ptr<ranks> mpi_ranks();

/// The ranks that an MPI launcher started, or this process alone.
std::unique_ptr<ranks> ranks_of_this_run();

}  // namespace ropewalk::sweep
