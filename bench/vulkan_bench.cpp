// vulkan: kernels on the device, timed by the device, compared with three copies of the same bytes: a shader
// with the rotation's loads and stores, a shader that copies contiguous words, and vkCmdCopyBuffer.
// Registered only if there is a device.

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "bench/addition_call.hpp"
#include "bench/benchmark_groups.hpp"
#include "bench/exact_row.hpp"
#include "bench/interleaved.hpp"
#include "bench/page_buffer.hpp"
#include "bench/rotation.hpp"
#include "gpu/addition_work.hpp"
#include "gpu/bias_entries.hpp"
#include "gpu/rotation_work.hpp"
#include "gpu/table_rows.hpp"
#include "gpu/turn_rows.hpp"
#include "measure/interval.hpp"
#include "ropewalk/kernel/resolved_alibi.hpp"
#include "ropewalk/kernel/resolved_sinusoidal.hpp"
#include "ropewalk/kernel/rotation_plan.hpp"
#include "ropewalk/kernel/row_plan.hpp"

namespace ropewalk::bench {
namespace {

constexpr int token_counts[] = {1, 512, 4096};
constexpr int most_on_processor = 4096;  // a CPU device takes a tenth of a second for these
constexpr int device_d_model = 1024;
constexpr int bias_keys = 512;
using vulkan::buffer;
using vulkan::commands;

/// The timed commands: `entries` computes rows or biases, `tensor` applies them to a tensor.
struct device_work {
  std::function<void(commands&)> entries;
  std::function<void(commands&)> tensor;
  std::function<void(commands&)> copy;  // only the same loads and stores; empty if contiguous
  std::function<void()> check = [] {};
};

/// A tensor on the device, and a buffer of the same size for the output.
struct resident {
  resident(vulkan::kernel_device& device, std::size_t bytes)
      : gpu(device), in(device.on(), bytes), out(device.on(), bytes, vulkan::memory_kind::device) {
    const page_buffer elements(bytes);
    std::memcpy(in.data(), elements.data(), bytes);
  }

  vulkan::kernel_device& gpu;
  vulkan::input_buffer in;
  buffer out;
};

/// Times of one round on the device, in seconds.
struct device_times {
  double entries = 0;
  std::array<double, 4> numbers{};  // tensor, copy, raw copy, copy command
  double wall = 0;                  // of entries and tensor, in a separate submission
};
enum part { tensor, copy, raw_copy, copy_command };

double wall_of(const resident& resident, const device_work& dispatch) {
  commands work(resident.gpu.on());
  resident.in.send(work);
  work.barrier();
  dispatch.entries(work);
  work.barrier();
  dispatch.tensor(work);
  const auto begin = bench_clock::now();
  work.run();
  return seconds_since(begin);
}

/// Times one round. Successive rounds begin with different parts, so that no part always profits from the
/// caches of the same predecessor.
device_times one_round(const resident& resident, const device_work& dispatch, std::size_t round) {
  commands work(resident.gpu.on(), true);
  resident.in.send(work);
  const auto timed = [&](const std::function<void(commands&)>& recorded) {
    work.barrier();
    work.timestamp();
    if (recorded) recorded(work);
  };
  const std::function<void(commands&)> parts[] = {
      dispatch.tensor, dispatch.copy,
      [&](commands& by) { vulkan::record_raw_copy(resident.gpu, by, resident.in.on_device(), resident.out); },
      [&](commands& by) { by.copy({&resident.in.on_device()}, {&resident.out}); }};
  timed(dispatch.entries);
  for (std::size_t i = 0; i < std::size(parts); ++i) timed(parts[(round + i) % std::size(parts)]);
  timed({});
  work.run();
  dispatch.check();
  const std::vector<double> times = work.nanoseconds();
  if (times.size() != 1 + std::size(parts)) throw std::runtime_error("the device has no timestamps");
  device_times result;
  result.entries = times[0] * 1e-9;
  for (std::size_t i = 0; i < std::size(parts); ++i)
    result.numbers[(round + i) % std::size(parts)] = times[1 + i] * 1e-9;
  result.wall = wall_of(resident, dispatch);
  return result;
}

/// Adds the medians of the other times of a repetition to the row, as the mean over repetitions.
void count_others(measure::bench_row& row, const std::vector<device_times>& all, const device_work& work,
                  int repetitions) {
  const auto add = [&](const char* name, auto value) {
    std::vector<double> values;
    std::transform(all.begin(), all.end(), std::back_inserter(values), value);
    row.counters[name] += measure::median(std::move(values)) / repetitions;
  };
  const auto ratio_to = [](part other) {
    return [=](const device_times& t) { return t.numbers[tensor] / t.numbers[other]; };
  };
  add("entries_seconds", [](const device_times& t) { return t.entries; });
  add("wall_seconds", [](const device_times& t) { return t.wall; });
  if (work.copy) add("to_copy_shader", ratio_to(copy));
  add("to_copy_command", ratio_to(copy_command));
}

/// Output of the work on the original input, copied back to the host.
std::vector<std::byte> output_of(const resident& resident, const device_work& dispatch, const buffer& out) {
  const buffer back(resident.gpu.on(), out.size(), vulkan::memory_kind::read_back);
  const page_buffer elements(out.size());  // work in place has overwritten the input
  std::memcpy(resident.in.data(), elements.data(), elements.size());
  commands work(resident.gpu.on());
  resident.in.send(work);
  work.barrier();
  dispatch.entries(work);
  work.barrier();
  dispatch.tensor(work);
  work.barrier();
  work.copy({&out}, {&back});
  work.run();
  dispatch.check();
  back.invalidate();
  return {back.data(), back.data() + back.size()};
}

void time_work(measure::bench_row& row, const pace& how, const resident& resident, const device_work& work) {
  one_round(resident, work, 0);  // compiles the pipelines
  std::vector<device_times> all;
  std::vector<measure::round_times>& rounds = row.repetitions.emplace_back();
  const auto begin = bench_clock::now();
  for (int round = 0; round < how.most_rounds; ++round) {
    if (round >= how.fewest_rounds && seconds_since(begin) >= how.repetition) break;
    all.push_back(one_round(resident, work, all.size()));
    rounds.push_back(
        {in_six_digits(all.back().numbers[tensor]), in_six_digits(all.back().numbers[raw_copy])});
  }
  count_others(row, all, work, how.repetitions);
}

struct device_rotation {
  std::string_view kernel;
  ropewalk_dtype dtype;
  pairing pairs;
  int tokens;
  bool backward = false;
  bool in_place = false;
};

std::vector<std::int32_t> positions_from_1000(int tokens) {
  std::vector<std::int32_t> positions(static_cast<std::size_t>(tokens));
  std::iota(positions.begin(), positions.end(), 1000);
  return positions;
}

/// Checks the output of a rotation against a canonical kernel of the processor.
void check_rotation(measure::bench_row& row, const device_rotation& rotation,
                    const std::vector<std::byte>& got) {
  const verify::chosen_kernel kernel = verify::only_kernel("cpu-turns");
  const std::vector<std::int32_t> positions = positions_from_1000(rotation.tokens);
  const page_buffer in(got.size()), want(got.size());
  ropewalk_rotation_call call = empty_call<rotate>();
  call.query_in = {.data = in.data(),
                   .dtype = rotation.dtype,
                   .rank = 3,
                   .shape = {rotation.tokens, heads, head_dim, 0},
                   .stride = {heads * head_dim, head_dim, 1, 0}};
  call.query_out = call.query_in;
  call.query_out.data = want.data();
  call.flags = rotation.backward ? ROPEWALK_BACKWARD : 0;
  call.tokens.positions = given_positions(positions.data());
  call.tokens.end = rotation.tokens;
  planned_kernel(*kernel.entry, encoding_with(rotation.pairs).view()).apply(call);
  check_same_bits(row, got.data(), want.data(), got.size(), kernel.label());
}

template <class Source>
void time_rotation(measure::bench_row& row, const pace& how, const device_rotation& rotation) {
  const std::shared_ptr<vulkan::kernel_device> on = vulkan::shared_device();
  const resolved_encoding encoding = encoding_with(rotation.pairs);
  const rotation_plan plan(encoding.view());
  const Source source(encoding.view(), plan);
  const vulkan::rotated_shape shape{plan.layout, rotation.dtype, static_cast<std::size_t>(rotation.tokens),
                                    heads, rotation.backward};
  const resident tensor(*on, tensor_bytes(rotation.dtype, rotation.tokens));
  const buffer& out = rotation.in_place ? tensor.in.on_device() : tensor.out;
  const auto begin = bench_clock::now();
  typename Source::rows rows(*on, source, vulkan::whole_positions(positions_from_1000(rotation.tokens)),
                             shape.tokens, false);
  row.counters["host_rows_seconds"] = seconds_since(begin);
  const device_work work{
      .entries = [&](commands& by) { rows.record(by); },
      .tensor =
          [&](commands& by) {
            vulkan::record_rotation(*on, by, shape, tensor.in.on_device(), out, rows.on_device());
          },
      .copy = [&](commands& by) { vulkan::record_copy(*on, by, shape, tensor.in.on_device(), tensor.out); },
      .check = [&] { rows.decide_rest(); }};
  time_work(row, how, tensor, work);
  if (row.check.empty()) check_rotation(row, rotation, output_of(tensor, work, out));
}

void time_recipe(measure::bench_row& row, const pace& how, const device_rotation& rotation) {
  const std::shared_ptr<vulkan::kernel_device> on = vulkan::shared_device();
  const resolved_encoding encoding = encoding_with(rotation.pairs);
  const rotation_plan plan(encoding.view());
  const vulkan::rotated_shape shape{plan.layout, rotation.dtype, static_cast<std::size_t>(rotation.tokens),
                                    heads};
  const resident tensor(*on, tensor_bytes(rotation.dtype, rotation.tokens));
  const std::vector<std::int32_t> from = positions_from_1000(rotation.tokens);
  const vulkan::input_buffer positions(on->on(), from.size() * sizeof(std::int32_t)),
      divisors(on->on(), plan.inv_freq.size() * sizeof(float));
  std::copy(from.begin(), from.end(), positions.as<std::int32_t>());
  std::fill_n(divisors.as<float>(), plan.inv_freq.size(), 1.0f);
  const auto theta_scale = static_cast<float>(plan.inv_freq[1]);
  time_work(
      row, how, tensor,
      {.entries =
           [&](commands& by) {
             positions.send(by);
             divisors.send(by);
           },
       .tensor =
           [&](commands& by) {
             vulkan::record_recipe(*on, by, shape, tensor.in.on_device(), tensor.out,
                                   {positions.on_device(), divisors.on_device(), theta_scale, 1});
           },
       .copy =
           [&](commands& by) { vulkan::record_copy(*on, by, shape, tensor.in.on_device(), tensor.out); }});
}

/// The shape of an addition, and its positions; null: counted from 0.
struct added_call {
  ropewalk_dtype dtype;
  std::int64_t tokens;
  std::int64_t heads;
  std::int64_t channels;
  const std::int32_t* positions;
};

/// Checks the output of an addition against a canonical kernel of the processor.
template <class Operation, class Encoding>
void check_addition(measure::bench_row& row, const char* name, const Encoding& encoding,
                    const std::vector<std::byte>& got, const added_call& added) {
  const page_buffer in(got.size()), want(got.size());
  auto call = addition_call<Operation>(
      dense_tensor(in.data(), added.dtype, added.tokens, added.heads, added.channels), want.data(),
      added.tokens);
  if (added.positions != nullptr) call.tokens.positions = given_positions(added.positions);
  planned_kernel(*verify::only_kernel(name).entry, encoding).apply(call);
  check_same_bits(row, got.data(), want.data(), got.size(), name);
}

/// Adds entries of rows or biases, which begin in each token's heads at `starts`. All arguments must outlive
/// the work. `check` is called after it.
template <class Entries>
device_work addition_work(vulkan::kernel_device& device, const vulkan::added_shape& shape,
                          const resident& tensor, const vulkan::entry_starts& starts, Entries& entries,
                          std::function<void()> check) {
  return {.entries =
              [&](commands& by) {
                starts.send(by);
                entries.record(by);
              },
          .tensor =
              [&](commands& by) {
                vulkan::record_addition(device, by, shape, tensor.in.on_device(), tensor.out,
                                        entries.on_device(), starts);
              },
          .copy = {},
          .check = std::move(check)};
}

/// Times sinusoidal rows added to tokens [tokens, d_model].
void time_rows(measure::bench_row& row, const pace& how, ropewalk_dtype dtype, int tokens) {
  const std::shared_ptr<vulkan::kernel_device> on = vulkan::shared_device();
  const resolved_sinusoidal encoding({.d_model = device_d_model});
  const row_plan plan(encoding.view());
  const vulkan::row_arrangement arranged = vulkan::arrangement_of(plan);
  const vulkan::turn_source source(rotation_of(encoding.view()), plan.pairs, arranged);
  const auto count = static_cast<std::size_t>(tokens);
  const resident tensor(*on, count * device_d_model * static_cast<std::size_t>(size_of(dtype)));
  std::vector<std::uint32_t> first_entries(count);
  for (std::size_t i = 0; i < count; ++i)
    first_entries[i] = static_cast<std::uint32_t>(i) * arranged.row_words;
  const vulkan::entry_starts starts(on->on(), std::move(first_entries));
  const std::vector<std::int32_t> positions = positions_from_1000(tokens);
  vulkan::turn_source::rows rows(*on, source, vulkan::whole_positions(positions), count, true);
  const vulkan::added_shape shape{.dtype = dtype,
                                  .tokens = count,
                                  .heads = 1,
                                  .head_dim = device_d_model,
                                  .added = device_d_model,
                                  .row_words = arranged.row_words};
  const device_work work = addition_work(*on, shape, tensor, starts, rows, [&] { rows.decide_rest(); });
  time_work(row, how, tensor, work);
  if (row.check.empty())
    check_addition<add_row>(row, "cpu-sinusoidal-add", encoding.view(), output_of(tensor, work, tensor.out),
                            {dtype, tokens, 1, device_d_model, positions.data()});
}

/// Times ALiBi's bias added to scores [queries, heads, bias_keys].
void time_bias(measure::bench_row& row, const pace& how, ropewalk_dtype dtype, int queries) {
  const std::shared_ptr<vulkan::kernel_device> on = vulkan::shared_device();
  const resolved_alibi encoding({.heads = heads});
  const bias_plan plan(encoding.view());
  const vulkan::slope_source source(plan);
  const auto count = static_cast<std::size_t>(queries);
  const resident tensor(*on, count * bias_keys * heads * static_cast<std::size_t>(size_of(dtype)));
  const std::uint32_t begin = vulkan::aligning(static_cast<std::uint32_t>(queries - 1));
  std::vector<std::uint32_t> first_entries(count);
  for (std::size_t i = 0; i < count; ++i)
    first_entries[i] = begin + static_cast<std::uint32_t>(count - 1 - i);
  const vulkan::entry_starts starts(on->on(), std::move(first_entries));
  vulkan::slope_source::entries entries(*on, source,
                                        {.first_head = 0,
                                         .heads = heads,
                                         .ahead = 1 - queries,
                                         .count = static_cast<std::uint32_t>(queries + bias_keys - 1),
                                         .begin = begin});
  const vulkan::added_shape shape{.dtype = dtype,
                                  .tokens = count,
                                  .heads = heads,
                                  .head_dim = bias_keys,
                                  .added = bias_keys,
                                  .head_step = entries.head_step()};
  const device_work work =
      addition_work(*on, shape, tensor, starts, entries, [&] { entries.require_decided(); });
  time_work(row, how, tensor, work);
  if (row.check.empty())
    check_addition<add_bias>(row, "cpu-alibi-add", encoding.view(), output_of(tensor, work, tensor.out),
                             {dtype, queries, heads, bias_keys, nullptr});
}

/// A row timed by the device; `bytes`: size of the tensor.
measure::bench_row device_row(std::string_view group, std::string_view kernel, ropewalk_dtype dtype,
                              std::string_view pairing, int tokens, std::size_t bytes) {
  measure::bench_row row = row_of(group, kernel, name_of(dtype), pairing, tokens);
  row.role = kernel.starts_with("recipe") ? measure::kernel_role::recipe : measure::kernel_role::canonical;
  row.clock = "timestamps of the device";
  row.bytes = 2 * static_cast<double>(bytes);
  row.other = contiguous_copy;
  if (row.role == measure::kernel_role::recipe) row.check = "not judged: it promises no bits";
  return row;
}

void add_device_rotation(case_list& to, std::string_view group, const device_rotation& rotation) {
  to.push_back({device_row(group, rotation.kernel, rotation.dtype, name_of(rotation.pairs), rotation.tokens,
                           tensor_bytes(rotation.dtype, rotation.tokens)),
                [=](measure::bench_row& row, const pace& how) {
                  if (rotation.kernel == "vulkan-turns")
                    time_rotation<vulkan::turn_source>(row, how, rotation);
                  if (rotation.kernel == "vulkan-table")
                    time_rotation<vulkan::table_source>(row, how, rotation);
                  if (rotation.kernel == "recipe-glsl") time_recipe(row, how, rotation);
                }});
}

void add_device_additions(case_list& to, ropewalk_dtype dtype, int tokens) {
  const auto size = static_cast<std::size_t>(tokens) * static_cast<std::size_t>(size_of(dtype));
  to.push_back({device_row("vulkan", "vulkan-sinusoidal-add", dtype, not_said, tokens, size * device_d_model),
                [=](measure::bench_row& row, const pace& how) { time_rows(row, how, dtype, tokens); }});
  to.push_back({device_row("vulkan", "vulkan-alibi-add", dtype, not_said, tokens, size * bias_keys * heads),
                [=](measure::bench_row& row, const pace& how) { time_bias(row, how, dtype, tokens); }});
}

}  // namespace

void add_vulkan(case_list& to) {
  if (!vulkan::why_no_device().empty()) return;
  const bool is_processor = vulkan::shared_device()->on().description().kind == vulkan::device_kind::cpu;
  const auto is_left_out = [=](int tokens) { return is_processor && tokens >= most_on_processor; };
  for (const ropewalk_dtype dtype : narrow_dtypes)
    for (const pairing pairs : pairings)
      for (const int tokens : token_counts) {
        if (is_left_out(tokens)) continue;
        for (const std::string_view kernel : {"vulkan-turns", "vulkan-table", "recipe-glsl"})
          add_device_rotation(to, "vulkan", {kernel, dtype, pairs, tokens});
      }
  for (const ropewalk_dtype dtype : narrow_dtypes) {
    add_device_rotation(to, "vulkan-backward",
                        {"vulkan-turns", dtype, pairing::half_split, 512, true, false});
    add_device_rotation(to, "vulkan-in-place",
                        {"vulkan-turns", dtype, pairing::half_split, 512, false, true});
  }
  for (const ropewalk_dtype dtype : narrow_dtypes)
    for (const int tokens : token_counts)
      if (!is_left_out(tokens)) add_device_additions(to, dtype, tokens);
}

}  // namespace ropewalk::bench
