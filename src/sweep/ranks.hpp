#pragma once
// The processes that share one run of a sweep: this process only, or the ranks of an MPI launcher.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ropewalk::sweep {

/// Every rank must call functions marked "collective", in the same order.
class ranks {
 public:
  virtual ~ranks() = default;

  virtual int rank() const = 0;
  virtual int count() const = 0;

  /// Returns rank 0's text on every rank. Collective.
  virtual std::string from_first(const std::string& text) = 0;

  /// Starts to hand out the numbers 0 .. size - 1, each to one rank, on demand. Collective; `size` of rank 0
  /// counts.
  virtual void begin(std::int64_t size) = 0;
  /// The next number; none after the last one or after `stop`. Any thread of a rank may call it.
  virtual std::optional<std::int64_t> next() = 0;
  /// Hands out no more numbers, to any rank.
  virtual void stop() = 0;
  /// Number of numbers handed out, as far as this rank knows; rank 0 knows all.
  virtual std::int64_t handed_out() const = 0;
  /// Returns when every rank has called it. Collective.
  virtual void finish() = 0;
};

/// This process only.
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
