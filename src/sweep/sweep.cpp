#include "sweep/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "output/terminal.hpp"
#include "sweep/kernel_subject.hpp"
#include "sweep/results.hpp"
#include "sweep/unit_check.hpp"

namespace ropewalk::sweep {
namespace {

using steady = std::chrono::steady_clock;

/// Indexes as text, to send to other ranks: "3 7 8 ".
std::string text_of(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += std::to_string(number) + " ";
  return text;
}

std::vector<std::int64_t> numbers_in(const std::string& text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find(' ', at);
    numbers.push_back(std::stoll(text.substr(at, end - at)));
    at = end + 1;
  }
  return numbers;
}

class runner {
 public:
  runner(const work_range& range, const subject_maker& maker, const run_plan& plan, ranks& among,
         const std::atomic<bool>& stopped)
      : range_(range), maker_(maker), plan_(plan), among_(among), stopped_(stopped), units_(range) {}

  run_end run() {
    if (among_.rank() == 0) open_directory(plan_.directory, range_);
    left_ = numbers_in(among_.from_first(among_.rank() == 0 ? text_of(units_left()) : std::string()));
    result_file file(plan_.directory, name());
    file_ = &file;
    bar_ =
        std::make_unique<output::progress_bar>("sweep", left_.size(), plan_.is_quiet || among_.rank() != 0);
    begin_ = steady::now();
    among_.begin(static_cast<std::int64_t>(left_.size()));
    std::vector<std::thread> others;
    try {
      for (int i = 1; i < plan_.threads; ++i) others.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // the remaining threads do the same work
    }
    work();
    for (std::thread& other : others) other.join();
    bar_.reset();
    if (failure_) std::rethrow_exception(failure_);
    among_.finish();
    return end();
  }

 private:
  std::vector<std::int64_t> units_left() const {
    const results known({plan_.directory}, range_);
    std::vector<std::int64_t> left;
    for (std::int64_t unit = plan_.part.number - 1; unit < units_.count(); unit += plan_.part.count)
      if (!known.is_done(unit) && units_.is_first(unit)) left.push_back(unit);
    return left;
  }

  std::string name() const {
    if (among_.count() > 1) return fmt::format("rank-{}", among_.rank());
    return fmt::format("shard-{}-of-{}", plan_.part.number, plan_.part.count);
  }

  bool is_over() const {
    return stopped_ || (plan_.budget.count() > 0 && steady::now() - begin_ >= plan_.budget);
  }

  void work() {
    try {
      std::unique_ptr<unit_check> check;
      std::size_t table = 0;
      while (!is_over()) {
        const auto number = among_.next();
        if (!number) return;
        const unit unit = units_.at(left_[static_cast<std::size_t>(*number)]);
        if (!check || table != unit.table) {
          check.reset();  // freed before the next, which allocates its own memory
          check = std::make_unique<unit_check>(range_.tables[unit.table], maker_);
          table = unit.table;
        }
        file_->append(line_of(name_of(unit, range_), checked(*check, unit)));
        count(size(unit.positions) * range_.tables[unit.table].pairs);
      }
      among_.stop();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      among_.stop();
    }
  }

  /// Checks a unit; a kernel's failure then names the unit.
  tally checked(unit_check& check, const unit& unit) const {
    try {
      return check.check(unit);
    } catch (const kernel_failed& failed) {
      throw kernel_failed(failed.what() + (" in unit " + name_of(unit, range_)));
    }
  }

  void count(std::int64_t entries) {
    const std::lock_guard lock(mutex_);
    entries_ += entries;
    const std::chrono::duration<double> elapsed = steady::now() - begin_;
    bar_->say(fmt::format("sweep {:.2g} entries/s", static_cast<double>(entries_) / elapsed.count()));
    bar_->show(static_cast<std::uint64_t>(among_.handed_out()));
  }

  run_end end() const {
    run_end end;
    end.is_first_rank = among_.rank() == 0;
    if (!end.is_first_rank) return end;
    end.left = static_cast<std::int64_t>(units_left().size());
    const auto done = static_cast<std::int64_t>(left_.size()) - end.left;
    const std::chrono::duration<double> elapsed = steady::now() - begin_;
    if (done > 0)
      end.seconds_left = elapsed.count() * static_cast<double>(end.left) / static_cast<double>(done);
    return end;
  }

  const work_range& range_;
  const subject_maker& maker_;
  const run_plan& plan_;
  ranks& among_;
  const std::atomic<bool>& stopped_;
  units_of_range units_;
  std::vector<std::int64_t> left_;  // units to do, indexed by the numbers handed out
  result_file* file_ = nullptr;
  std::unique_ptr<output::progress_bar> bar_;
  steady::time_point begin_{};
  std::mutex mutex_;
  std::int64_t entries_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

run_end run(const work_range& range, const subject_maker& maker, const run_plan& plan, ranks& among,
            const std::atomic<bool>& stopped) {
  return runner(range, maker, plan, among, stopped).run();
}

}  // namespace ropewalk::sweep
