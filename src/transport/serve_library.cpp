#include "transport/serve_library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "ropewalk/kernel/error.hpp"
#include "transport/call_area.hpp"
#include "transport/call_arrays.hpp"
#include "transport/calls_at_once.hpp"
#include "transport/child.hpp"
#include "transport/confinement.hpp"
#include "transport/library_request.hpp"
#include "transport/loaded_library.hpp"
#include "transport/process_state.hpp"
#include "transport/system_failure.hpp"

namespace ropewalk::transport {
namespace {

/// The x87 unit's control and tag registers. A kernel that leaves a value on the stack, or changes the
/// precision, affects later code; a kernel that used MMX must empty the tags.
class x87_state {
 public:
#if defined(__x86_64__)
  x87_state() {
    std::array<std::uint32_t, 7> environment{};
    asm volatile("fnstenv %0\n\tfldenv %0" : "+m"(environment));
    control_ = static_cast<std::uint16_t>(environment[0]);
    tags_ = static_cast<std::uint16_t>(environment[2]);
  }
  static void reset() { asm volatile("fninit"); }
#else
  static void reset() {}
#endif
  friend bool operator==(const x87_state&, const x87_state&) = default;

 private:
  std::uint16_t control_ = 0;
  std::uint16_t tags_ = 0;
};

class server {
 public:
  server(std::string path, call_area& area, int input, int output)
      : path_(std::move(path)), area_(area), input_(input), output_(output) {}

  int run() {
    for (;;) {
      char byte = 0;
      ssize_t came = 0;
      while ((came = ::read(input_, &byte, 1)) < 0 && errno == EINTR) {
      }
      if (came != 1) return input_has_ended;
      const library_request request = block().request;
      block().is_failed = block().is_spoiled = block().is_short = false;
      block().status = ROPEWALK_OK;
      block().error = {};
      block().step = library_step::answering;
      answer(request);
      if (request == library_request::unload) return was_unloaded;
      while ((came = ::write(output_, &byte, 1)) < 0 && errno == EINTR) {
      }
      if (came != 1) return input_has_ended;
      block().step = library_step::waiting;
    }
  }

 private:
  request_block& block() const { return *reinterpret_cast<request_block*>(area_.request()); }

  void fail(std::string_view why) {
    block().is_failed = true;
    detail::report(&block().error, ROPEWALK_OK, "", why);
  }

  void answer(library_request request) {
    try {
      switch (request) {
        case library_request::load: return load();
        case library_request::plan: return plan();
        case library_request::apply: return apply();
        case library_request::free_plan: return free_plan();
        case library_request::unload: return unload();
      }
    } catch (const unusable_library& why) {
      fail(why.what());
    } catch (const machine_shortage& shortage) {
      fail(shortage.what());
      block().is_short = true;
    } catch (const std::exception& thrown) {
      fail(std::string("an exception left the library: ") + thrown.what());
    } catch (...) {
      fail("an exception left the library");
    }
  }

  void load() {
    library_ = load_library(path_);
    arrays_behind behind(area_.request() + behind_request);
    std::vector<entry_record> entries;
    for (const ropewalk_kernel* const kernel : library_.kernels) {
      entry_record record{};
      detail::copy_text(record.name, kernel->name);
      record.operation = kernel->operation;
      record.promise = *kernel->promise;
      if (kernel->limits != nullptr) record.limits = *kernel->limits;
      record.limits.head_dims = behind.copy(record.limits.head_dims, record.limits.head_dim_count);
      record.limits.shapes = reinterpret_cast<const std::int64_t(*)[4]>(behind.copy(
          reinterpret_cast<const std::int64_t*>(record.limits.shapes), 4 * record.limits.shape_count));
      entries.push_back(record);
    }
    block().entry_count = static_cast<std::int32_t>(entries.size());
    block().entries = behind.copy(entries.data(), block().entry_count);
    area_.forbid_writes(sizeof(request_block));
  }

  const ropewalk_kernel& kernel() const {
    return *library_.kernels.at(static_cast<std::size_t>(block().kernel));
  }

  /// Calls a function of the library in the caller's floating-point environment; computes nothing in between.
  template <class Call>
  std::int32_t call_in(const floating_registers& callers, Call call) {
    const x87_state before;
    const floating_registers own = read_floating_registers();
    write_floating_registers(callers);
    std::int32_t status = ROPEWALK_OK;
    try {
      status = call();
    } catch (...) {
      write_floating_registers(own);
      throw;
    }
    const floating_registers left = read_floating_registers();
    write_floating_registers(own);
    block().left = left;
    if (!(x87_state() == before)) {
      x87_state::reset();
      if (same_arithmetic(left, callers)) fail("the kernel changed the state of the x87 unit");
    }
    if (const std::string changed = process_state().difference_from(before_load_); !changed.empty()) {
      fail("the library changed " + changed);
      block().is_spoiled = true;
    }
    return status;
  }

  void plan() {
    ropewalk_plan* made = nullptr;
    const ropewalk_head* const encoding = block().head;
    ropewalk_error error{};
    block().status = call_in(block().callers, [&] { return kernel().plan(encoding, &made, &error); });
    if (!block().is_failed) block().error = error;
    block().is_made = block().status == ROPEWALK_OK && made != nullptr;
    if (block().is_made) plans_[block().plan] = made;
  }

  void apply() {
    const std::uint64_t number = block().plan;
    const ropewalk_plan* const plan = plans_.at(number);
    const ropewalk_head* const call = block().head;
    std::unique_ptr<kept_call> again;
    if (block().is_made_at_once) again = kept_call::of(area_, kernel().operation, *call);
    ropewalk_error error{};
    ropewalk_error* const error_place = block().takes_error ? &error : nullptr;
    {
      std::deque<write_permission> outputs;
      for (const call_array& array : arrays_of(kernel().operation, *call)) {
        const auto* const first = reinterpret_cast<const std::byte*>(array.begin);
        if (array.is_output && area_.slot_of(first, array.end - array.begin))
          outputs.emplace_back(first, array.end - array.begin);
      }
      block().status = call_in(block().callers, [&] { return kernel().apply(plan, call, error_place); });
    }
    if (block().is_failed) return;
    block().error = error;
    if (block().status != ROPEWALK_OK || !again) return;
    block().step = library_step::repeating;
    calls_at_once& calls = at_once_[number];
    if (!calls.take(kernel(), plan, std::move(again))) return;
    block().step = library_step::applying_at_once;
    if (calls.differ(kernel(), plan))
      fail("the kernel gave another answer when two threads applied one plan at the same time");
  }

  void free_plan() {
    const std::uint64_t number = block().plan;
    const auto kept = plans_.find(number);
    if (number != 0 && kept == plans_.end()) return;
    kernel().free_plan(number == 0 ? nullptr : kept->second);
    if (number == 0) return;
    at_once_.erase(number);
    plans_.erase(kept);
  }

  void unload() {
    if (library_.handle != nullptr) ::dlclose(library_.handle);
  }

  std::string path_;
  call_area& area_;
  int input_;
  int output_;
  loaded_library library_;
  const process_state before_load_{};
  std::map<std::uint64_t, ropewalk_plan*> plans_;
  std::map<std::uint64_t, calls_at_once> at_once_;
};

/// A copy of a descriptor, at a number that a library is unlikely to close or write to.
int moved(int descriptor) {
  constexpr int out_of_the_way = 200;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, out_of_the_way);
  return moved >= 0 ? moved : ::fcntl(descriptor, F_DUPFD_CLOEXEC, memory_descriptor + 1);
}

void write_text(int to, std::string_view text) {
  [[maybe_unused]] const ssize_t written = ::write(to, text.data(), text.size());
}

/// Gives the library its standard streams: an empty input, and outputs separate from the answers.
void move_standard_streams() {
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0) transport::fail("opening /dev/null");
  if (::dup2(nothing, STDIN_FILENO) < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    transport::fail("giving a library its standard streams");
  ::close(nothing);
}

}  // namespace

int serve_library(const char* path, const char* begin) {
  const int input = moved(STDIN_FILENO), output = moved(STDOUT_FILENO);
  const auto answer_mark = [&](std::byte mark) { return ::write(output, &mark, 1) == 1; };
  try {
    if (input < 0 || output < 0) fail("moving the descriptors of requests");
    move_standard_streams();
    call_area area(memory_descriptor, std::strtoull(begin, nullptr, 16));
    ::close(memory_descriptor);
    auto& block = *reinterpret_cast<request_block*>(area.request());
    record_memory_faults(&block.fault);
    server server(path, area, input, output);
    detail::copy_text(block.unconfined, confine_this_process());
    if (!answer_mark(is_ready)) return input_has_ended;
    return server.run();
  } catch (const std::bad_alloc&) {
    if (answer_mark(is_unable)) write_text(output, std::string("out of memory") + of_this_machine);
  } catch (const std::exception& failure) {
    if (answer_mark(is_unable)) write_text(output, failure.what());
  }
  return EXIT_FAILURE;
}

}  // namespace ropewalk::transport
