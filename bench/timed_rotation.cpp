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

/// Bytes from the query's first to the key's first: the query, rounded up to whole pages.
std::size_t query_pages(const rotation_case& rotation) {
  const auto bytes =
      static_cast<std::size_t>(rotation.tokens * rotation.measured->batch * rotation.measured->heads *
                               rotation.measured->layout.head_dim * size_of(rotation.dtype));
  return (bytes + page - 1) / page * page;
}

std::size_t bytes_of(const rotation_case& rotation) {
  return rotation.measured->elements(rotation.tokens) * static_cast<std::size_t>(size_of(rotation.dtype));
}

/// Bytes for both tensors.
std::size_t room_of(const rotation_case& rotation) {
  const auto key =
      static_cast<std::size_t>(rotation.tokens * rotation.measured->batch * rotation.measured->kv_heads *
                               rotation.measured->layout.head_dim * size_of(rotation.dtype));
  return query_pages(rotation) + key;
}

/// Positions of tokens on axes, the same in each batch row.
ropewalk_positions positions_of(const input::axis_positions& at) {
  ropewalk_positions positions = given_positions(at.numbers.data(), {at.tokens(), 0, 1}, at.axes);
  if (!at.is_real()) return positions;
  positions.kind = ROPEWALK_POSITIONS_F64;
  positions.data = at.real.data();
  return positions;
}

/// A dense tensor; of rank 3 if there is one batch row.
ropewalk_tensor dense(std::byte* data, const rotation_case& rotation, std::int64_t head_count) {
  const std::int64_t width = rotation.measured->layout.head_dim, batch = rotation.measured->batch;
  ropewalk_tensor dense{};
  dense.data = data;
  dense.dtype = rotation.dtype;
  dense.rank = batch == 1 ? 3 : 4;
  const std::int64_t shape[] = {batch, rotation.tokens, head_count, width};
  std::int64_t stride = 1;
  for (int axis = dense.rank; axis-- > 0;) {
    dense.shape[axis] = shape[axis + (4 - dense.rank)];
    dense.stride[axis] = stride;
    stride *= dense.shape[axis];
  }
  return dense;
}

measure::kernel_role role_of(const verify::chosen_kernel& kernel) {
  if (!kernel.is_built_in()) return measure::kernel_role::given;
  return kernel.is_recipe ? measure::kernel_role::recipe : measure::kernel_role::canonical;
}

/// Counts instructions per element, for kernels that run on this thread.
void count_instructions(measure::bench_row& row, const rotation_case& rotation, rotation_work& work) {
  if (verify::needs_device(rotation.kernel)) return;
  static instruction_counter counter;
  constexpr double counted_elements = 1 << 20;  // least number over all calls
  const auto elements = static_cast<double>(rotation.measured->elements(rotation.tokens));
  const int calls = static_cast<int>(std::ceil(counted_elements / elements));
  const auto count = counter.instructions_of([&] { work.turn(); }, calls);
  if (count) row.instructions = *count / elements;
  row.not_counted = count ? std::string() : counter.not_counted();
}

}  // namespace

rotation_work::rotation_work(const rotation_case& rotation)
    : decodes_(rotation.decodes),
      bytes_(bytes_of(rotation)),
      key_offset_(query_pages(rotation)),
      from_(room_of(rotation)),
      to_(room_of(rotation)),
      planned_(*rotation.kernel.entry, rotation.measured->encoding.view()),
      call_(empty_call<rotate>()) {
  std::byte* const in = rotation.in_place ? to_.data() : from_.data();
  call_.flags = rotation.flags;
  call_.query_in = dense(in, rotation, rotation.measured->heads);
  call_.query_out = dense(to_.data(), rotation, rotation.measured->heads);
  if (rotation.measured->kv_heads > 0) {
    call_.key_in = dense(in + key_offset_, rotation, rotation.measured->kv_heads);
    call_.key_out = dense(to_.data() + key_offset_, rotation, rotation.measured->kv_heads);
  }
  call_.tokens.end = rotation.measured->batch * rotation.tokens;
  if (rotation.measured->on_axes)
    call_.tokens.positions = positions_of(rotation.measured->on_axes->positions);
  if (decodes_) call_.tokens.positions = given_positions(&position_, {0, 0, 0});
}

void rotation_work::copy() { std::memcpy(to_.data(), from_.data(), to_.size()); }

measure::bench_row row_of(std::string_view group, const rotation_case& rotation) {
  const measured_rotation& measured = *rotation.measured;
  measure::bench_row row = row_of(group, rotation.kernel.label(), name_of(rotation.dtype),
                                  model::pairing_text(measured.layout), rotation.tokens);
  row.role = role_of(rotation.kernel);
  row.origin = rotation.kernel.origin;
  row.model = model::recorded_name(measured.model) + (measured.on_axes ? ", " + measured.on_axes->text : "");
  row.heads = measured.heads;
  row.kv_heads = measured.kv_heads;
  row.batch = measured.batch;
  row.bytes = 2 * static_cast<double>(bytes_of(rotation));
  row.other = "memcpy";
  return row;
}

std::string not_served(const rotation_case& rotation) {
  const ropewalk_kernel& kernel = *rotation.kernel.entry;
  if (kernel.limits == nullptr) return {};
  const served_calls served(
      read_sized<ropewalk_limits>(kernel.limits, kernel.limits->struct_size, {"limits", "struct_size"}));
  const head_layout& layout = rotation.measured->layout;
  law_case test_case;
  test_case.dtype = rotation.dtype;
  test_case.head_dim = layout.head_dim;
  test_case.batch = rotation.measured->batch;
  test_case.tokens = rotation.tokens;
  test_case.query_heads = rotation.measured->heads;
  test_case.key_heads = rotation.measured->kv_heads;
  test_case.in_place = rotation.in_place;
  test_case.flags = rotation.flags;
  if (const auto& on_axes = rotation.measured->on_axes) {
    test_case.axes = on_axes->positions.axes;
    test_case.has_real_positions = on_axes->positions.is_real();
    for (std::int64_t token = 0; token < rotation.tokens; ++token)
      for (const double position : on_axes->positions.numbers_at(token))
        test_case.positions.push_back(position);
  } else {
    test_case.positions = {0, static_cast<double>(rotation.tokens - 1)};
  }
  const bool is_served =
      served.allow(test_case) && served.serves(layout, rotation.measured->model.encoding.rotary_dim);
  if (is_served) return {};
  if (test_case.has_real_positions && !served.serves_real_positions())
    return "not served: the kernel serves only whole positions";
  return "not served: the kernel serves " + served.text();
}

void add_rotation(case_list& to, std::string_view group, const rotation_case& rotation) {
  benchmark_case test_case{.row = row_of(group, rotation), .repeat = {}};
  if (test_case.row.not_timed = not_served(rotation); test_case.row.not_timed.empty())
    test_case.repeat = [rotation](measure::bench_row& row, const pace& how) {
      rotation_work work(rotation);
      if (row.check.empty()) check_result(row, rotation, work);
      if (rotation.kernel.is_out_of_process()) return time_program(row, how, rotation, work);
      interleave(
          row, how, [&] { work.turn(); }, [&] { work.copy(); });
      if (row.repetitions.size() == 1) count_instructions(row, rotation, work);
    };
  test_case.errors = [rotation] { return errors_of(rotation); };
  const bool is_here = !rotation.kernel.is_out_of_process() && !verify::needs_device(rotation.kernel);
  if (is_here) test_case.working_set = rotation.in_place ? test_case.row.bytes / 2 : test_case.row.bytes;
  to.push_back(std::move(test_case));
}

}  // namespace ropewalk::bench
