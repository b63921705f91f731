#include "bench/timed_rotation.hpp"

#include <cmath>
#include <cstring>

#include "bench/instructions.hpp"
#include "bench/interleaved.hpp"
#include "bench/program_time.hpp"
#include "bench/result_check.hpp"
#include "ropewalk/kernel/promise.hpp"
#include "ropewalk/law/kernel/served_calls.hpp"

namespace ropewalk::bench {
namespace {

constexpr std::size_t page = 4096;

/// Bytes of the query, and from its first to the key's first: whole pages.
std::size_t query_pages(const rotation_case& given) {
  const auto bytes = static_cast<std::size_t>(given.tokens * given.of->batch * given.of->heads *
                                              given.of->layout.head_dim * size_of(given.dtype));
  return (bytes + page - 1) / page * page;
}

std::size_t bytes_of(const rotation_case& given) {
  return given.of->elements(given.tokens) * static_cast<std::size_t>(size_of(given.dtype));
}

/// Bytes that hold both tensors.
std::size_t room_of(const rotation_case& given) {
  const auto key = static_cast<std::size_t>(given.tokens * given.of->batch * given.of->kv_heads *
                                            given.of->layout.head_dim * size_of(given.dtype));
  return query_pages(given) + key;
}

/// Positions of tokens on axes, the same in each batch row.
ropewalk_positions positions_of(const input::axis_positions& at) {
  ropewalk_positions r = given_positions(at.of.data(), {at.tokens(), 0, 1}, at.axes);
  if (!at.is_real()) return r;
  r.kind = ROPEWALK_POSITIONS_F64;
  r.data = at.real.data();
  return r;
}

/// A dense tensor; of rank 3 where there is one batch row.
ropewalk_tensor dense(std::byte* data, const rotation_case& given, std::int64_t head_count) {
  const std::int64_t width = given.of->layout.head_dim, batch = given.of->batch;
  ropewalk_tensor r{};
  r.data = data;
  r.dtype = given.dtype;
  r.rank = batch == 1 ? 3 : 4;
  const std::int64_t shape[] = {batch, given.tokens, head_count, width};
  std::int64_t stride = 1;
  for (int axis = r.rank; axis-- > 0;) {
    r.shape[axis] = shape[axis + (4 - r.rank)];
    r.stride[axis] = stride;
    stride *= r.shape[axis];
  }
  return r;
}

measure::kernel_role role_of(const verify::chosen_kernel& kernel) {
  if (!kernel.is_built_in()) return measure::kernel_role::given;
  return kernel.is_recipe ? measure::kernel_role::recipe : measure::kernel_role::canonical;
}

/// Counts instructions an element, of kernels that run on this thread.
void count_instructions(measure::bench_row& row, const rotation_case& given, rotation_work& work) {
  if (verify::needs_device(given.kernel)) return;
  static instruction_counter counter;
  constexpr double counted_elements = 1 << 20;  // of all calls together, at least
  const auto elements = static_cast<double>(given.of->elements(given.tokens));
  const int calls = static_cast<int>(std::ceil(counted_elements / elements));
  const auto count = counter.instructions_of([&] { work.turn(); }, calls);
  if (count) row.instructions = *count / elements;
  row.not_counted = count ? std::string() : counter.not_counted();
}

}  // namespace

rotation_work::rotation_work(const rotation_case& given)
    : decodes_(given.decodes),
      bytes_(bytes_of(given)),
      key_offset_(query_pages(given)),
      from_(room_of(given)),
      to_(room_of(given)),
      planned_(*given.kernel.kernel, given.of->encoding.view()),
      call_(empty_call<rotate>()) {
  std::byte* const in = given.in_place ? to_.data() : from_.data();
  call_.flags = given.flags;
  call_.query_in = dense(in, given, given.of->heads);
  call_.query_out = dense(to_.data(), given, given.of->heads);
  if (given.of->kv_heads > 0) {
    call_.key_in = dense(in + key_offset_, given, given.of->kv_heads);
    call_.key_out = dense(to_.data() + key_offset_, given, given.of->kv_heads);
  }
  call_.tokens.end = given.of->batch * given.tokens;
  if (given.of->on_axes) call_.tokens.positions = positions_of(given.of->on_axes->positions);
  if (decodes_) call_.tokens.positions = given_positions(&position_, {0, 0, 0});
}

void rotation_work::copy() { std::memcpy(to_.data(), from_.data(), to_.size()); }

measure::bench_row row_of(std::string_view group, const rotation_case& given) {
  const measured_rotation& of = *given.of;
  measure::bench_row r =
      row_of(group, given.kernel.label(), name_of(given.dtype), model::pairing_text(of.layout), given.tokens);
  r.role = role_of(given.kernel);
  r.origin = given.kernel.origin;
  r.model = model::recorded_name(of.of) + (of.on_axes ? ", " + of.on_axes->text : "");
  r.heads = of.heads;
  r.kv_heads = of.kv_heads;
  r.batch = of.batch;
  r.bytes = 2 * static_cast<double>(bytes_of(given));
  r.other = "memcpy";
  return r;
}

std::string not_served(const rotation_case& given) {
  const ropewalk_kernel& kernel = *given.kernel.kernel;
  if (kernel.limits == nullptr) return {};
  const served_calls served(
      read_sized<ropewalk_limits>(kernel.limits, kernel.limits->struct_size, {"limits", "struct_size"}));
  const head_layout& layout = given.of->layout;
  law_case asked;
  asked.dtype = given.dtype;
  asked.head_dim = layout.head_dim;
  asked.batch = given.of->batch;
  asked.tokens = given.tokens;
  asked.query_heads = given.of->heads;
  asked.key_heads = given.of->kv_heads;
  asked.in_place = given.in_place;
  asked.flags = given.flags;
  if (const auto& on_axes = given.of->on_axes) {
    asked.axes = on_axes->positions.axes;
    asked.has_real_positions = on_axes->positions.is_real();
    for (std::int64_t token = 0; token < given.tokens; ++token)
      for (const double position : on_axes->positions.numbers_at(token)) asked.positions.push_back(position);
  } else {
    asked.positions = {0, static_cast<double>(given.tokens - 1)};
  }
  const bool is_served = served.allow(asked) && served.serves(layout, given.of->of.encoding.rotary_dim);
  if (is_served) return {};
  if (asked.has_real_positions && !served.serves_real_positions())
    return "not served: the kernel serves whole positions alone";
  return "not served: the kernel serves " + served.text();
}

void add_rotation(case_list& to, std::string_view group, const rotation_case& given) {
  benchmark_case r{.row = row_of(group, given), .repeat = {}};
  if (r.row.not_timed = not_served(given); r.row.not_timed.empty())
    r.repeat = [given](measure::bench_row& row, const pace& how) {
      rotation_work work(given);
      if (row.check.empty()) check_result(row, given, work);
      if (given.kernel.is_out_of_process()) return time_program(row, how, given, work);
      interleave(
          row, how, [&] { work.turn(); }, [&] { work.copy(); });
      if (row.repetitions.size() == 1) count_instructions(row, given, work);
    };
  r.errors = [given] { return errors_of(given); };
  const bool is_here = !given.kernel.is_out_of_process() && !verify::needs_device(given.kernel);
  if (is_here) r.working_set = given.in_place ? r.row.bytes / 2 : r.row.bytes;
  to.push_back(std::move(r));
}

}  // namespace ropewalk::bench
