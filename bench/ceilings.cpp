#include "bench/ceilings.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "bench/copy_ways.hpp"
#include "bench/processors.hpp"
#include "bench/thread_team.hpp"
#include "bench/undisturbed.hpp"

namespace ropewalk::bench {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t no_end = std::numeric_limits<std::size_t>::max();
// Assumed size of caches that the system does not state.
constexpr std::size_t unstated_caches = std::size_t{64} << 20;
constexpr std::size_t memory_in_caches = 4;  // working set of memory / last cache
constexpr std::size_t least_in_caches = 2;
constexpr std::uint64_t share_of_free = 4;  // at most a quarter of free memory
constexpr int most_rounds = 15, fewest_rounds = 5;
constexpr std::chrono::milliseconds longest{700};  // limit per number of threads
// Copied by each thread per round; at least the whole set once.
constexpr std::size_t round_bytes = std::size_t{32} << 20;
constexpr std::size_t page = 4096;

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A working set of at most `bytes` whose halves split into equal shares of whole units.
std::size_t divisible(std::size_t bytes, int threads) {
  const std::size_t grain = 2 * static_cast<std::size_t>(threads) * copy_unit;
  return bytes / grain * grain;
}

std::string text_of(int level, int threads, std::string_view why) {
  return "L" + std::to_string(level) + " with threads " + std::to_string(threads) + ": " + std::string(why);
}

/// Plans the ceilings for one number of threads.
void plan(std::span<const cache_level> caches, std::uint64_t available, int threads, ceiling_list& to) {
  std::size_t above = 0;
  for (const cache_level& cache : caches) {
    const int instances = std::max(1, (threads + cache.sharing - 1) / std::max(1, cache.sharing));
    const std::size_t capacity = cache.bytes * static_cast<std::size_t>(instances);
    const std::size_t set = capacity > above ? divisible(above + (capacity - above) / 2, threads) : 0;
    if (set <= above) {
      to.left_out.push_back(text_of(cache.level, threads, "no larger than the level below"));
      continue;
    }
    to.ceilings.push_back({.level = "L" + std::to_string(cache.level),
                           .threads = threads,
                           .above = above,
                           .capacity = capacity,
                           .working_set = set});
    above = capacity;
  }
  if (caches.empty()) above = unstated_caches;
  const std::uint64_t allowed = std::min<std::uint64_t>(available / share_of_free, no_end);
  const std::size_t set =
      divisible(std::min<std::size_t>(memory_in_caches * above, static_cast<std::size_t>(allowed)), threads);
  if (set < least_in_caches * above)
    to.left_out.push_back("memory with threads " + std::to_string(threads) + ": a quarter of the free " +
                          std::to_string(available >> 20) + " MiB is not twice the last cache");
  else
    to.ceilings.push_back(
        {.level = "memory", .threads = threads, .above = above, .capacity = no_end, .working_set = set});
}

struct free_pages {
  void operator()(std::byte* data) const { ::operator delete[](data, std::align_val_t{page}); }
};

/// Memory of one thread, which writes it first, so that the pages are local to it.
class copied_memory {
 public:
  explicit copied_memory(std::size_t bytes)
      : data_(new (std::align_val_t{page}) std::byte[2 * bytes + page]), bytes_(bytes) {}

  std::byte* from() const { return data_.get(); }
  /// The destination is off by half a page: if the last twelve address bits agree, loads wait for earlier
  /// stores.
  std::byte* to() const { return data_.get() + bytes_ + page / 2; }
  void fill() const {
    std::memset(from(), 1, bytes_);
    std::memset(to(), 2, bytes_);
  }

 private:
  std::unique_ptr<std::byte[], free_pages> data_;
  std::size_t bytes_;
};

/// Threads that copy, each in its own memory.
class copying_team {
 public:
  copying_team(int threads, std::size_t largest_set) : team_(threads) {
    for (int member = 0; member < threads; ++member) memory_.emplace_back(share_of(largest_set));
    team_.run([&](int member) { of(member).fill(); });
  }

  /// Throws std::logic_error unless the copy of a working set is its source.
  void check(const copy_way& way, std::size_t set) {
    team_.run([&](int member) {
      const copied_memory& mine = of(member);
      std::memset(mine.to(), 0, share_of(set));
      way.copy(mine.to(), mine.from(), share_of(set));
      if (std::memcmp(mine.to(), mine.from(), share_of(set)) != 0)
        throw std::logic_error(std::string(way.name) + " does not copy its source");
    });
  }

  /// Bytes read and written per second.
  double speed(const copy_way& way, std::size_t set) {
    const std::size_t share = share_of(set), calls = std::max<std::size_t>(1, round_bytes / share);
    const auto copies = [&] {
      team_.run([&](int member) {
        const copied_memory& mine = of(member);
        for (std::size_t call = 0; call < calls; ++call) way.copy(mine.to(), mine.from(), share);
      });
    };
    const double seconds = timed_.seconds_of(1, copies);
    return static_cast<double>(calls) * static_cast<double>(set) / seconds;
  }

 private:
  std::size_t share_of(std::size_t set) const { return set / 2 / static_cast<std::size_t>(team_.members()); }
  const copied_memory& of(int member) const { return memory_[static_cast<std::size_t>(member)]; }

  thread_team team_;
  undisturbed timed_{[this] { return team_.departures(); }};
  std::vector<copied_memory> memory_;
};

/// Measures ceilings with the same number of threads.
void measure(std::span<ceiling> ceilings) {
  const auto begin = clock::now();
  const std::span<const copy_way> ways = copy_ways();
  copying_team team(ceilings.front().threads, ceilings.back().working_set);
  for (const ceiling& ceiling : ceilings)
    for (const copy_way& way : ways) team.check(way, ceiling.working_set);
  std::vector<std::vector<double>> speeds(ceilings.size() * ways.size());
  for (int round = 0; round < most_rounds; ++round) {
    if (round >= fewest_rounds && clock::now() - begin > longest) break;
    for (std::size_t i = 0; i < speeds.size(); ++i)
      speeds[i].push_back(team.speed(ways[i % ways.size()], ceilings[i / ways.size()].working_set));
  }
  for (std::size_t i = 0; i < ceilings.size(); ++i) {
    const auto first = speeds.begin() + static_cast<std::ptrdiff_t>(i * ways.size());
    const auto best = std::max_element(
        first, first + static_cast<std::ptrdiff_t>(ways.size()),
        [](const auto& item, const auto& other) { return median_of(item) < median_of(other); });
    ceilings[i].way = ways[static_cast<std::size_t>(best - first)].name;
    ceilings[i].bytes_per_second = *best;
  }
}

/// The number at the beginning of a file; none if there is none.
std::optional<std::uint64_t> number_in(const char* path) {
  std::ifstream file(path);
  std::uint64_t bits = 0;
  return file >> bits ? std::optional(bits) : std::nullopt;
}

}  // namespace

/// A virtual machine states its host's whole cache, such as 480 MiB, which it shares with others.
constexpr std::int64_t largest_cache = std::int64_t{64} << 20;

std::vector<cache_level> data_caches() {
  std::vector<cache_level> caches;
  for (const benchmark::CPUInfo::CacheInfo& cache : benchmark::CPUInfo::Get().caches)
    if (cache.type != "Instruction" && cache.size > 0)
      caches.push_back({cache.level,
                        static_cast<std::size_t>(std::min<std::int64_t>(cache.size, largest_cache)),
                        std::max(1, cache.num_sharing)});
  std::sort(caches.begin(), caches.end(),
            [](const cache_level& level, const cache_level& other) { return level.level < other.level; });
  return caches;
}

std::uint64_t free_memory() {
  std::uint64_t memory = 0;
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;)
    if (word == "MemAvailable:" && file >> memory) break;
  memory *= 1024;  // the file counts KiB
  const auto most = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
  if (most && used) memory = std::min(memory, *most - std::min(*most, *used));
  return memory;
}

ceiling_list planned_ceilings(std::span<const cache_level> caches, std::uint64_t available,
                              std::span<const int> thread_counts) {
  ceiling_list ceilings;
  for (const int level : {1, 2, 3})
    if (std::none_of(caches.begin(), caches.end(),
                     [=](const cache_level& cache) { return cache.level == level; }))
      ceilings.left_out.push_back("L" + std::to_string(level) + ": the system states no such cache");
  for (const int threads : thread_counts) plan(caches, available, threads, ceilings);
  return ceilings;
}

ceiling_list measured(ceiling_list planned) {
  for (auto first = planned.ceilings.begin(); first != planned.ceilings.end();) {
    const auto last = std::find_if(first, planned.ceilings.end(),
                                   [&](const ceiling& ceiling) { return ceiling.threads != first->threads; });
    measure({first, last});
    first = last;
  }
  return planned;
}

ceiling_list machine_ceilings(std::span<const int> thread_counts) {
  return measured(planned_ceilings(data_caches(), free_memory(), thread_counts));
}

std::vector<int> usual_thread_counts() {
  const int all = std::max(1, static_cast<int>(usable_processors().size()));
  std::vector<int> counts{1};
  if (all >= 2) counts.push_back(2);
  if (all > 2) counts.push_back(all);
  return counts;
}

const ceiling* ceiling_of(std::span<const ceiling> among, std::size_t bytes, int threads) {
  const auto match = std::find_if(among.begin(), among.end(), [&](const ceiling& ceiling) {
    return ceiling.threads == threads && ceiling.above < bytes && bytes <= ceiling.capacity;
  });
  return match == among.end() ? nullptr : &*match;
}

}  // namespace ropewalk::bench
