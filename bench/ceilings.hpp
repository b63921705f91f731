#pragma once
// Copy speed of this machine at each level of its memory: a ceiling for kernels that read and write.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ropewalk::bench {

/// Copy speed with a working set that fits in one level of memory. A working set includes source and
/// destination of all threads.
struct ceiling {
  std::string level;  // L1, L2, ..., memory, device
  int threads = 1;
  std::size_t above = 0;        // working sets up to this size belong to a nearer level
  std::size_t capacity = 0;     // the largest working set of the level
  std::size_t working_set = 0;  // the working set copied
  std::string way{};            // the fastest of copy_ways for this set
  // Bytes read and written, one value per round; each copied byte counts twice.
  std::vector<double> bytes_per_second{};
};

/// Ceilings in the given order of threads, then from the nearest level outwards; and the skipped levels as
/// "L3: why".
struct ceiling_list {
  std::vector<ceiling> ceilings;
  std::vector<std::string> left_out;
};

/// One level of data cache, as the system states it.
struct cache_level {
  int level = 1;
  std::size_t bytes = 0;  // size of one such cache
  int sharing = 1;        // processors that share one cache
};

/// The caches of the first processor, nearest first.
std::vector<cache_level> data_caches();

/// Bytes that this process can still allocate: the system's available memory, within the limit of the control
/// group. 0 if unknown.
std::uint64_t free_memory();

/// The working sets for `measured`: for each cache level, halfway between the capacity of the level below and
/// its own; for memory, four times the last cache.
///
/// domain  each of thread_counts >= 1; caches nearest first
ceiling_list planned_ceilings(std::span<const cache_level> caches, std::uint64_t available,
                              std::span<const int> thread_counts);

/// Measures planned working sets. Every round copies each of them in each of copy_ways; the way with the best
/// median counts. Takes less than a second per number of threads; on a slow or busy machine it runs fewer
/// rounds.
///
/// domain  as returned by planned_ceilings
/// throws  std::logic_error if a copy differs from its source
ceiling_list measured(ceiling_list planned);

/// The ceilings of this machine for some numbers of threads.
ceiling_list machine_ceilings(std::span<const int> thread_counts);

/// One thread; two if there are two processors; and as many as there are processors.
std::vector<int> usual_thread_counts();

/// The ceiling for a kernel that touches `bytes` on `threads` threads; null if not measured.
const ceiling* ceiling_of(std::span<const ceiling> among, std::size_t bytes, int threads);

}  // namespace ropewalk::bench
