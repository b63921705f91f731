#pragma once
// How fast this machine copies at each level of its memory: what no kernel that reads and writes can exceed.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ropewalk::bench {

/// Copying where a working set fits one level of memory. Working sets are those of all threads together,
/// source and destination.
struct ceiling {
  std::string level;  // L1, L2, ..., memory, device
  int threads = 1;
  std::size_t above = 0;        // smaller or equal working sets belong to a level nearer to the processor
  std::size_t capacity = 0;     // the largest working set of the level
  std::size_t working_set = 0;  // the one that was copied
  std::string way{};            // the fastest of copy_ways here
  std::vector<double> bytes_per_second{};  // read and written: each byte copied counts twice; a value a round
};

/// Ceilings by threads in the order asked for, then from the nearest level outwards; and the levels that are
/// left out, as "L3: why".
struct ceiling_list {
  std::vector<ceiling> ceilings;
  std::vector<std::string> left_out;
};

/// One level of cache for data, as the system states it.
struct cache_level {
  int level = 1;
  std::size_t bytes = 0;  // of one such cache
  int sharing = 1;        // processors that share it
};

/// The caches of the first processor, nearest first.
std::vector<cache_level> data_caches();

/// Bytes that this process can still have: what the system has available, within the limit of its control
/// group. 0 where the system does not say.
std::uint64_t free_memory();

/// The working sets that `measured` copies, not yet copied: for each level halfway between the capacity
/// of the level below and its own, for memory four times the last cache.
///
/// domain  each of thread_counts >= 1; caches nearest first
ceiling_list planned_ceilings(std::span<const cache_level> caches, std::uint64_t available,
                              std::span<const int> thread_counts);

/// Measures planned working sets: every round copies each of them in each of copy_ways, and the way with the
/// best median counts. Takes less than a second for each number of threads; on a slow or busy machine it
/// takes fewer rounds.
///
/// domain  as planned_ceilings makes it
/// throws  std::logic_error: a copy differs from its source
ceiling_list measured(ceiling_list planned);

/// The ceilings of this machine for these numbers of threads.
ceiling_list machine_ceilings(std::span<const int> thread_counts);

/// One thread, two where there are two processors, and as many threads as processors.
std::vector<int> usual_thread_counts();

/// The ceiling of a kernel that touches `bytes` on so many threads; null where none was measured.
const ceiling* ceiling_of(std::span<const ceiling> among, std::size_t bytes, int threads);

}  // namespace ropewalk::bench
