#include "transport/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "ropewalk/kernel/operation.hpp"
#include "transport/encoding_copy.hpp"
#include "transport/loaded_library.hpp"
#include "transport/system_failure.hpp"

namespace ropewalk::transport {
namespace {

constexpr std::int32_t every_kernel = -1;  // for requests without a kernel

/// The activity of the process when it ended; empty if unknown.
std::string end_in(const request_block& block, std::int32_t operation, const ropewalk_head& call) {
  const memory_fault fault = block.fault;
  switch (block.step) {
    case library_step::answering: return text_of(fault, operation, call);
    case library_step::repeating: return text_of(fault) + ", when the call was repeated in other memory";
    case library_step::applying_at_once:
      return text_of(fault) + ", while two threads applied one plan at the same time";
    case library_step::waiting: return text_of(fault) + ", outside of any call";
  }
  return "";
}

}  // namespace

/// The processes leased by a thread; returned when the thread ends.
struct library::leases {
  std::map<library*, worker*> held;

  leases() = default;
  leases(const leases&) = delete;
  leases& operator=(const leases&) = delete;
  ~leases() {
    for (const auto& [lender, process] : held) lender->put_back(*process);
  }
};

library::worker& library::mine() {
  static thread_local leases own;
  worker*& process = own.held[this];
  if (process != nullptr) return *process;
  const std::lock_guard lock(workers_mutex_);
  if (idle_.empty()) {
    process = workers_.emplace_back(std::make_unique<worker>()).get();
  } else {
    process = idle_.back();
    idle_.pop_back();
  }
  return *process;
}

void library::put_back(worker& process) {
  const std::lock_guard lock(workers_mutex_);
  idle_.push_back(&process);
}

void library::give_back(std::byte* block, std::size_t bytes) noexcept { mine().area.give_back(block, bytes); }

request_block& library::block_of(const worker& process) const {
  return *reinterpret_cast<request_block*>(process.area.request());
}

void library::ask(worker& process, library_request request, std::int32_t kernel, std::chrono::seconds limit) {
  if (limits_.is_interrupted != nullptr && *limits_.is_interrupted) throw interrupted_wait();
  require_budget();
  block_of(process).request = request;
  block_of(process).kernel = kernel;
  try {
    std::array<std::byte, 1> mark{};
    const deadline until(limit);
    process.running->require_silence();
    process.running->send(mark, until);
    process.running->receive(mark, until);
    process.printed.pass_on();
  } catch (const no_answer& none) {
    stop(process);
    const std::lock_guard lock(workers_mutex_);
    patience_[kernel].count(none.is_silent());
    if (request == library_request::apply) throw;  // apply() knows the tensors near the access
    throw no_answer(none.what() + text_of(block_of(process).fault), none.is_silent());
  } catch (...) {
    stop(process);
    throw;
  }
  // The process may still write to its memory: read every value once, and check its range.
  const request_block& answer = block_of(process);
  if (!answer.is_failed) return;
  ropewalk_error error = answer.error;
  const std::string why(error.text, ::strnlen(error.text, sizeof error.text));
  if (answer.is_short) {
    stop(process);
    throw machine_shortage(why);
  }
  if (request == library_request::load) throw unusable_library(why);
  if (answer.is_spoiled) stop(process);
  throw failed_answer(why);
}

void library::start(worker& process, std::int32_t kernel) {
  process.running = std::make_unique<child>(child_program{{"/proc/self/exe", serve_library_option, path_,
                                                           fmt::format("{:x}", process.area.begin())},
                                                          process.area.descriptor(),
                                                          process.printed.descriptor()},
                                            limits_);
  block_of(process).fault = {};
  wait_until_ready(process);
  ask(process, library_request::load, kernel, limits_.first);
  const request_block& answer = block_of(process);
  const std::lock_guard lock(workers_mutex_);
  unconfined_.assign(answer.unconfined, ::strnlen(answer.unconfined, sizeof answer.unconfined));
}

void library::wait_until_ready(const worker& process) const {
  constexpr std::chrono::seconds longest{120};
  const deadline until(longest);
  std::string why;
  try {
    std::array<std::byte, 1> mark{};
    process.running->receive(mark, until);
    if (mark[0] == is_ready) return;
    for (;;) {
      process.running->receive(mark, until);
      why += static_cast<char>(mark[0]);
    }
  } catch (const no_answer& none) {
    if (why.empty()) why = std::string("it ") + none.what() + of_this_machine;
    throw machine_shortage("starting a library's process: " + why);
  }
}

void library::stop(worker& process) {
  process.running.reset();
  process.printed.pass_on();
  process.plans.clear();
  process.used.clear();
}

void library::free_all(worker& process) {
  std::vector<std::pair<std::int32_t, std::uint64_t>> wanted;
  {
    const std::lock_guard lock(workers_mutex_);
    wanted.swap(process.to_free);
  }
  for (const auto& [kind, number] : wanted) {
    if (number != 0 && process.plans.erase(number) == 0) continue;
    process.used.erase(number);
    block_of(process).plan = number;
    try {
      ask(process, library_request::free_plan, kind, limits_.call);
    } catch (const no_answer& none) {
      throw no_answer(std::string(none.what()) + (number == 0 ? " in free_plan(NULL)" : " in free_plan"),
                      none.is_silent());
    }
  }
}

void library::make_ready(worker& process, std::int32_t kernel) {
  {
    const std::lock_guard lock(workers_mutex_);
    patience_[kernel].require_left();
  }
  if (!process.running) start(process, kernel);
  free_all(process);
}

remote_answer library::answer_in(const request_block& block) {
  return {block.status, block.error, block.left};
}

remote_answer library::send_plan(worker& process, const library_plan& plan, bool& is_made) {
  request_block& block = block_of(process);
  arrays_behind behind(process.area.request() + behind_request);
  block.plan = plan.number;
  block.callers = default_floating_registers();
  block.head = placed_encoding(behind, *plan.encoding, true);
  ask(process, library_request::plan, plan.kernel, limits_.first);
  std::byte* const encoding =
      process.area.request() + behind_request;  // the plan must not keep a pointer to it
  std::memset(encoding, 0xff, static_cast<std::size_t>(behind.end() - encoding));
  is_made = block.is_made;
  if (is_made) process.plans.insert(plan.number);
  return answer_in(block);
}

remote_answer library::make(const library_plan& plan, bool& is_made) {
  worker& process = mine();
  make_ready(process, plan.kernel);
  return send_plan(process, plan, is_made);
}

template <class Call>
remote_answer library::apply(const library_plan& plan, const Call& call, const floating_registers& callers,
                             bool takes_error) {
  worker& process = mine();
  make_ready(process, plan.kernel);
  if (!process.plans.contains(plan.number)) {
    bool is_made = false;
    const remote_answer answer = send_plan(process, plan, is_made);
    if (answer.status != ROPEWALK_OK) return answer;
    if (!is_made) throw failed_answer("plan returned ROPEWALK_OK but no plan");
  }
  request_block& block = block_of(process);
  arrays_behind behind(process.area.request() + behind_request);
  block.plan = plan.number;
  block.callers = callers;
  block.takes_error = takes_error;
  constexpr std::int64_t longer_calls = 3;  // one in so many, by the call's tokens
  constexpr std::int64_t calls_made_at_once = 4;
  const bool is_longer = (call.tokens.begin + call.tokens.end) % longer_calls == 1;
  Call* const placed = is_longer ? behind.copy_longer(call) : behind.copy(&call, 1);
  // Invalid calls may name any number of sequences.
  placed->tokens.sequence_offset =
      behind.copy(call.tokens.sequence_offset, std::max<std::int64_t>(call.tokens.sequences, 0) + 1);
  block.head = &placed->head;
  block.is_made_at_once = (call.tokens.end - call.tokens.begin) % calls_made_at_once == 2 &&
                          callers == default_floating_registers();
  try {
    ask(process, library_request::apply, plan.kernel,
        process.used.insert(plan.number).second ? limits_.first : limits_.call);
  } catch (const no_answer& none) {
    throw no_answer(none.what() + end_in(block, plan.encoding->operation, placed->head), none.is_silent());
  }
  return answer_in(block);
}

template remote_answer library::apply(const library_plan&, const ropewalk_rotation_call&,
                                      const floating_registers&, bool);
template remote_answer library::apply(const library_plan&, const ropewalk_row_call&,
                                      const floating_registers&, bool);
template remote_answer library::apply(const library_plan&, const ropewalk_bias_call&,
                                      const floating_registers&, bool);

void library::free(const library_plan& plan) {
  const std::lock_guard lock(workers_mutex_);
  for (const auto& process : workers_) process->to_free.emplace_back(plan.kernel, plan.number);
}

void library::free_null(std::int32_t kernel) {
  worker& process = mine();
  const std::lock_guard lock(workers_mutex_);
  process.to_free.emplace_back(kernel, 0);
}

std::vector<described_kernel> library::describe() {
  worker& process = mine();
  if (!process.running) start(process, every_kernel);
  const request_block& block = block_of(process);
  const std::int32_t count = block.entry_count;
  const entry_record* const entries = block.entries;
  const auto require_within = [&](const void* data, std::int64_t elements, std::size_t bytes) {
    constexpr std::int64_t most = std::int64_t{1} << 24;
    if (elements == 0) return;
    if (elements < 0 || elements > most ||
        process.area.slot_of(static_cast<const std::byte*>(data),
                             static_cast<std::size_t>(elements) * bytes) != call_area::request_slot)
      throw unusable_library("its process overwrote the list of its kernels");
  };
  require_within(entries, count, sizeof *entries);
  std::vector<described_kernel> describe;
  for (std::int32_t i = 0; i < count; ++i) {
    const entry_record entry = entries[i];
    require_within(entry.limits.head_dims, entry.limits.head_dim_count, sizeof *entry.limits.head_dims);
    require_within(entry.limits.shapes, entry.limits.shape_count, sizeof *entry.limits.shapes);
    described_kernel about;
    about.name = std::string(entry.name, ::strnlen(entry.name, sizeof entry.name));
    if (!is_kernel_name(about.name.c_str()) || !is_operation(entry.operation))
      throw unusable_library("its process overwrote the list of its kernels");
    about.operation = static_cast<ropewalk_operation>(entry.operation);
    ropewalk_kernel stated{};
    stated.operation = entry.operation;
    stated.promise = &entry.promise;
    about.promised = promise_of(stated);
    about.limits = entry.limits;
    about.head_dims.assign(entry.limits.head_dims, entry.limits.head_dims + entry.limits.head_dim_count);
    for (std::int64_t s = 0; s < entry.limits.shape_count; ++s)
      about.shapes.push_back(std::to_array(entry.limits.shapes[s]));
    describe.push_back(std::move(about));
  }
  return describe;
}

std::string library::unconfined() const {
  const std::lock_guard lock(workers_mutex_);
  return unconfined_;
}

std::int64_t library::printed() const {
  std::int64_t count = 0;
  for (const auto& process : workers_) count += process->printed.count();
  return count;
}

bool library::is_printing_cut() const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [](const auto& item) { return item->printed.count() >= printed_bytes::most; });
}

std::string library::end() {
  std::string text;
  for (const auto& process : workers_) {
    if (!process->running) continue;
    try {
      free_all(*process);
      block_of(*process).request = library_request::unload;
      const deadline until(limits_.call);
      std::array<std::byte, 1> mark{};
      process->running->send(mark, until);
      if (process->running->wait_for_end(until) != was_unloaded && text.empty())
        text = process->running->how_it_ended() + " when it was unloaded";
    } catch (const no_answer& none) {
      if (text.empty()) text = std::string(none.what()) + (none.is_silent() ? " when it was unloaded" : "");
    } catch (const failed_answer& failed) {
      if (text.empty()) text = failed.what();
    } catch (const interrupted_wait&) {
    }
    stop(*process);
  }
  return text;
}

}  // namespace ropewalk::transport
