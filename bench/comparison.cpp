#include "bench/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "bench/log_change.hpp"
#include "input/bad_input.hpp"

namespace ropewalk::bench {
namespace {

using measure::bench_record;
using measure::bench_row;

/// The fields that identify a row in another run.
auto identity_of(const bench_row& row) {
  return std::tie(row.name, row.model, row.heads, row.kv_heads, row.batch, row.threads);
}

bool is_same_row(const bench_row& row, const bench_row& other) {
  return identity_of(row) == identity_of(other);
}

/// The name of a row, with its shape if other rows of the run share the name.
std::string label_of(const bench_row& row, const bench_record& record) {
  const auto shares_name = [&](const bench_row& timed_row) {
    return timed_row.name == row.name && !is_same_row(timed_row, row);
  };
  if (std::none_of(record.rows.begin(), record.rows.end(), shares_name)) return row.name;
  return fmt::format("{} ({}, {}/{} heads, batch {}, {} thread{})", row.name, row.model, row.heads,
                     row.kv_heads, row.batch, row.threads, row.threads == 1 ? "" : "s");
}

std::vector<const bench_row*> rows_like(const bench_row& row, const bench_record& record) {
  std::vector<const bench_row*> rows;
  for (const bench_row& timed_row : record.rows)
    if (is_same_row(timed_row, row)) rows.push_back(&timed_row);
  return rows;
}

/// Context that differs between any two runs and does not describe the machine or the program.
const std::set<std::string, std::less<>> passing_context = {
    "arguments", "command", "date", "executable", "file", "load_avg", "mhz_per_cpu", "seconds", "seed"};

std::vector<std::string> context_differences(const bench_record& before, const bench_record& after) {
  std::set<std::string> keys;
  for (const bench_record* record : {&before, &after})
    for (const auto& [key, value] : record->context)
      if (!passing_context.contains(key)) keys.insert(key);
  const auto text = [](const bench_record& record, const std::string& key) {
    const auto match = record.context.find(key);
    return match == record.context.end() || match->second.empty() ? std::string("not stated") : match->second;
  };
  std::vector<std::string> differences;
  for (const std::string& key : keys)
    if (text(before, key) != text(after, key))
      differences.push_back(fmt::format("{}: {} -> {}", key, text(before, key), text(after, key)));
  return differences;
}

/// Whether both runs used the same processor.
bool is_one_processor(const bench_record& before, const bench_record& after) {
  const auto first = before.context.find("processor"), second = after.context.find("processor");
  return first != before.context.end() && second != after.context.end() && first->second == second->second;
}

bool took_time(const measure::round_times& round, bool has_other) {
  const double ratio = has_other ? round.work / round.other : 1;
  return std::isnormal(round.work) && std::isnormal(ratio);  // both have logarithms
}

/// Why a row of one run cannot be compared; empty if it can.
std::string why_not_timed(const bench_row& row) {
  constexpr std::size_t fewest = 2;  // one value has no spread
  if (!row.not_timed.empty()) return row.not_timed;
  if (row.repetitions.size() < fewest)
    return fmt::format("{} repetition{}: too few for an interval", row.repetitions.size(),
                       row.repetitions.size() == 1 ? "" : "s");
  const auto is_usable = [&](const measure::round_times& round) {
    return took_time(round, !row.other.empty());
  };
  for (const auto& rounds : row.repetitions)
    if (rounds.empty() || !std::all_of(rounds.begin(), rounds.end(), is_usable))
      return "a round without a time";
  return {};
}

std::string why_not_compared(const bench_row& before, const bench_row& after) {
  if (const std::string why = why_not_timed(before); !why.empty()) return "before: " + why;
  if (const std::string why = why_not_timed(after); !why.empty()) return "after: " + why;
  const auto other = [](const bench_row& row) { return row.other.empty() ? "nothing" : row.other; };
  if (before.other != after.other)
    return fmt::format("baseline {} before, {} after", other(before), other(after));
  if (before.bytes != after.bytes)
    return fmt::format("{:.0f} bytes a call before, {:.0f} after", before.bytes, after.bytes);
  return {};
}

/// Adds changes other than times.
void add_notes(row_comparison& row, const bench_row& before, const bench_row& after) {
  row.subject = fmt::format("{}/{}/{}", before.kernel, before.dtype, before.pairing);
  row.precision = precision_between(before, after);
  const auto note = [&](std::string_view name, const std::string& old, const std::string& now) {
    if (old != now) row.notes.push_back(fmt::format("{}: {} (was {})", name, now, old));
  };
  if (before.is_wrong != after.is_wrong)  // the rest of a check depends on samples, which vary
    note("result", before.check, after.check);
  note("kernel", before.origin, after.origin);
  note("clock", before.clock, after.clock);
}

bool is_same_measurement(const bench_row& before, const bench_row& after) {
  const auto same_round = [](const measure::round_times& times, const measure::round_times& other) {
    return times.work == other.work && times.other == other.other;
  };
  return std::equal(before.repetitions.begin(), before.repetitions.end(), after.repetitions.begin(),
                    after.repetitions.end(), [&](const auto& item, const auto& other) {
                      return std::equal(item.begin(), item.end(), other.begin(), other.end(), same_round);
                    });
}

/// The verdict on a ratio, or on seconds if there is no ratio.
verdict verdict_of(const measure::estimate& change, double threshold) {
  const double most = 1 + threshold, least = 1 / most;
  if (change.low > most) return verdict::slower;
  if (change.high < least) return verdict::faster;
  const bool may_be_slower = change.high > most, may_be_faster = change.low < least;
  if (may_be_slower && may_be_faster) return verdict::too_noisy;
  return may_be_slower || may_be_faster ? verdict::undecided : verdict::unchanged;
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Logarithms of ratios, or of seconds if the row has no baseline.
std::vector<double> log_times(const bench_row& row) {
  return row.other.empty() ? log_seconds(row) : log_ratios(row);
}

double median_other(const bench_row& row) {
  std::vector<double> seconds;
  for (const auto& rounds : row.repetitions)
    for (const measure::round_times& round : rounds) seconds.push_back(round.other);
  return measure::median(std::move(seconds));
}

/// Rows whose changes are judged together, since each could cause a false alarm.
class family {
 public:
  explicit family(bool is_one_processor) : is_one_processor_(is_one_processor) {}

  void add(std::size_t row, const bench_row& before, const bench_row& after) {
    const std::vector<double> old = log_times(before), now = log_times(after);
    rows_.push_back({row, std::exp(mean_of(old)), std::exp(mean_of(now))});
    changes_.push_back({change_between(old, now)});
    if (is_one_processor_ && !before.other.empty())
      changes_.back().push_back(change_between(log_seconds(before), log_seconds(after)));
  }

  void judge(comparison& whole) const {
    const auto intervals = holm_intervals(changes_, whole.threshold);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      row_comparison& row = whole.rows[rows_[i].row];
      row.before = rows_[i].before;
      row.after = rows_[i].after;
      row.change = intervals[i].front();
      row.verdict = verdict_of(row.change, whole.threshold);
      if (intervals[i].size() > 1) confirm(row, intervals[i].back(), whole.threshold);
    }
  }

 private:
  /// Withdraws a change of the ratio that the seconds do not confirm.
  static void confirm(row_comparison& row, const measure::estimate& seconds, double threshold) {
    const bool is_change = row.verdict == verdict::slower || row.verdict == verdict::faster;
    if (!is_change || verdict_of(seconds, threshold) == row.verdict) return;
    row.verdict = verdict::undecided;
    row.why_not =
        fmt::format("in seconds x{:.3g} ({:.3g} to {:.3g}): what it is compared with may have changed",
                    seconds.median, seconds.low, seconds.high);
  }

  struct member {
    std::size_t row = 0;
    double before = 0;
    double after = 0;
  };
  bool is_one_processor_;
  std::vector<member> rows_;
  std::vector<row_changes> changes_;
};

/// Marks a comparison of a measurement with itself as unchanged, without an estimate.
void call_equal(row_comparison& row, const bench_row& timed_row) {
  row.before = row.after = std::exp(mean_of(log_times(timed_row)));
  row.change = {1, 1, 1};
  row.verdict = verdict::unchanged;
}

std::string models_of(const bench_record& record) {
  std::set<std::string> models;
  for (const bench_row& row : record.rows) models.insert(row.model);
  std::string text;
  for (const std::string& model : models) text += (text.empty() ? "" : ", ") + model;
  return text;
}

[[noreturn]] void refuse_unmatched(const bench_record& before, const bench_record& after) {
  throw bad_input("compare", fmt::format("a run of {} rows (model {})", after.rows.size(), models_of(after)),
                  fmt::format("a run with a row of the earlier one ({} rows, model {})", before.rows.size(),
                              models_of(before)));
}

int rank_of(const row_comparison& row) {
  if (row.verdict == verdict::slower) return 0;
  if (row.verdict == verdict::faster) return 1;
  return row.is_news() ? 2 : 3;
}

/// Puts changed rows first. Rows of one kernel that differ only in their work have the same errors, which are
/// printed once.
void put_news_first(std::vector<row_comparison>& rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& item, const auto& other) { return rank_of(item) < rank_of(other); });
  std::set<std::string> said;
  for (row_comparison& row : rows) {
    std::vector<std::string>& lines = row.precision.lines;
    if (lines.empty()) continue;
    std::string whole = row.subject;
    for (const std::string& line : lines) whole += "\n" + line;
    if (!said.insert(std::move(whole)).second)
      lines = {fmt::format("{}, as above for {}", name_of(row.precision.trend), row.subject)};
  }
}

}  // namespace

std::string_view name_of(verdict judgement) {
  switch (judgement) {
    case verdict::slower: return "slower";
    case verdict::faster: return "faster";
    case verdict::unchanged: return "unchanged";
    case verdict::undecided: return "undecided";
    case verdict::too_noisy: return "too noisy";
    case verdict::not_compared: return "not compared";
  }
  return {};
}

bool row_comparison::is_news() const {
  return verdict == bench::verdict::slower || verdict == bench::verdict::faster || !precision.lines.empty() ||
         !notes.empty();
}

std::array<int, verdict_count> comparison::counts() const {
  std::array<int, verdict_count> numbers{};
  for (const row_comparison& row : rows) ++numbers[static_cast<std::size_t>(row.verdict)];
  return numbers;
}

comparison compare(const bench_record& before, const bench_record& after, double threshold) {
  comparison whole{.threshold = threshold, .differences = context_differences(before, after)};
  family judged(is_one_processor(before, after));
  std::vector<double> others;
  for (const bench_row& old : before.rows) {
    const std::vector<const bench_row*> rows = rows_like(old, after);
    if (rows.empty()) {
      whole.only_before.push_back(label_of(old, before));
      continue;
    }
    row_comparison& row = whole.rows.emplace_back(row_comparison{.label = label_of(old, before)});
    const bench_row& now = *rows.front();
    add_notes(row, old, now);
    const bool is_named_once = rows.size() == 1 && rows_like(old, before).size() == 1;
    row.why_not = is_named_once ? why_not_compared(old, now) : "several rows of this name in one run";
    if (!row.why_not.empty()) continue;
    row.is_ratio = !old.other.empty();
    if (row.is_ratio) others.push_back(median_other(now) / median_other(old));
    if (is_same_measurement(old, now))
      call_equal(row, old);
    else
      judged.add(whole.rows.size() - 1, old, now);
  }
  if (whole.rows.empty()) refuse_unmatched(before, after);
  for (const bench_row& now : after.rows)
    if (rows_like(now, before).empty()) whole.only_after.push_back(label_of(now, after));
  if (!others.empty()) whole.other = measure::median(std::move(others));
  judged.judge(whole);
  put_news_first(whole.rows);
  return whole;
}

}  // namespace ropewalk::bench
