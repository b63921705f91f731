// A program whose ranks take numbers and do nothing with them: ranks_test.py runs it under mpirun.
//
//   hand_out SIZE MICROSECONDS [WHAT NUMBER]
//
// Two threads of each rank take numbers and pause after each. Who is given the number NUMBER does WHAT:
// `stop`, `throw`, `kill` (this process, as the kernel would) or `pause` (for two seconds). With `serve
// NUMBER`, only ranks from NUMBER on take numbers. A line of output is a number; lines that begin with a
// word are rank 0's.

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

#include "input/bad_input.hpp"
#include "sweep/ranks.hpp"

namespace {

using namespace ropewalk;

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double processor_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
}

/// One write a line, so that lines of several ranks do not mix.
void print(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

struct request {
  std::int64_t size;
  std::chrono::microseconds pause;
  std::string what;
  std::int64_t number;
};

/// Takes numbers until there are none, or `fails`.
void take_numbers(sweep::ranks& group, const request& request, std::atomic<bool>& fails) {
  while (const auto number = fails ? std::nullopt : group.next()) {
    print(std::to_string(*number));
    if (*number == request.number) {
      if (request.what == "stop") group.stop();
      if (request.what == "throw") fails = true;
      if (request.what == "kill") std::raise(SIGKILL);
      if (request.what == "pause") std::this_thread::sleep_for(std::chrono::seconds(2));
    }
    std::this_thread::sleep_for(request.pause);
  }
}

void run(const request& request) {
  const auto group = sweep::ranks_of_this_run();
  const std::string text = group->from_first(std::string(100000, static_cast<char>('a' + group->rank())));
  if (text != std::string(100000, 'a')) throw std::runtime_error("rank 0's text was changed");
  group->begin(group->rank() == 0 ? request.size : 0);
  const double cost_before = processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  if (request.what != "serve" || group->rank() >= request.number) {
    std::atomic<bool> fails = false;
    std::thread second([&] { take_numbers(*group, request, fails); });
    take_numbers(*group, request, fails);
    second.join();
    if (fails) throw bad_input("number", std::to_string(request.number), "others");
  }
  group->finish();
  const double cost = processor_seconds() - cost_before;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  std::ostringstream line;
  line << "rank " << group->rank() << " of " << group->count() << " knows of " << group->handed_out()
       << " in " << passed.count() << " s, processor " << cost << " s";
  print(line.str());
  group->finish();  // again: without a hand-out it is a barrier
}

}  // namespace

int main(int count, char** words) {
  if (count != 3 && count != 5) return 2;
  try {
    run({std::atoll(words[1]), std::chrono::microseconds(std::atoll(words[2])), count == 5 ? words[3] : "",
         count == 5 ? std::atoll(words[4]) : -1});
  } catch (const bad_input& error) {
    std::cerr << error.what() << "\n";
    return 2;
  } catch (const missing_requirement& error) {
    std::cerr << error.what() << "\n";
    return 3;
  }
}
