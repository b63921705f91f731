// A program without a test framework, to be cross-built and run anywhere. It prints the mirror's hashes, or
// compares the hashes of the mirror, and of every kernel under several floating environments, with a file.

#include <cinttypes>
#include <cstdio>
#include <exception>

#include "kernel/addition_case.hpp"
#include "kernel/kernels.hpp"
#include "kernel/portable_hashes.hpp"

namespace ropewalk::test {
namespace {

struct environment {
  const char* name;
  floating_registers registers;
};

constexpr environment environments[] = {
    {"default", default_floating_registers()},
    {"flushing", flushing_floating_registers()},
    {"upward", upward_floating_registers()},
#if defined(__aarch64__)
    {"toward zero, flushing, default NaN, alternative binary16, flags raised", {0x7c80000, 0x800009f}},
#else
    {"toward zero, flushing, no exception masked, a flag raised", {0xe060, 0}},
#endif
};

// Tables computed by the compiler. A cross compiler computes them on another machine than the program's.
constexpr rope small{.base = 10000, .rotary_dim = 16};
constexpr auto compiled_turns = turns_table<small>;
constexpr auto compiled_inv_freq = inv_freq_table<double, small>;

class comparison {
 public:
  explicit comparison(hashes wanted) : wanted_(std::move(wanted)) {}

  void expect(bool holds, const char* what) {
    ++compared;
    if (!holds) ++failed, std::printf("FAILED: %s\n", what);
  }
  void expect(const hashes& got, const char* from, const char* around) {
    for (const auto& [name, hash] : got) {
      ++compared;
      const auto match = wanted_.find(name);
      if (match != wanted_.end() && match->second == hash) continue;
      ++failed;
      std::printf("FAILED: %s, %s, environment %s: %016" PRIx64 "\n", name.c_str(), from, around, hash);
    }
  }

  int compared = 0;
  int failed = 0;

 private:
  hashes wanted_;
};

float product(float a, float b) {
  const volatile float x = a, y = b;
  return x * y;
}

/// Checks that the environments do what their names say, and that the guard of kernels sets the default one.
void compare_environments(comparison& r) {
  for (const environment& around : environments) {
    floating_registers inside;
    in_environment(around.registers, [&] {
      const default_floating_environment guard;
      inside = read_floating_registers();
      return ROPEWALK_OK;
    });
    r.expect(inside == default_floating_registers(), "the environment inside is the default");
  }
  float flushed = 1, upward = 0;
  in_environment(flushing_floating_registers(), [&] {
    flushed = product(0x1p-126f, 0.5f);
    write_floating_registers(flushing_floating_registers());  // clears the flags that this raised
    return ROPEWALK_OK;
  });
  in_environment(upward_floating_registers(), [&] {
    upward = product(0x1.000002p0f, 0x1.000002p0f);
    write_floating_registers(upward_floating_registers());
    return ROPEWALK_OK;
  });
  r.expect(flushed == 0, "flushing turns a subnormal into zero");
  r.expect(upward > product(0x1.000002p0f, 0x1.000002p0f), "upward rounds up");
}

void compare_compiled_tables(comparison& r) {
  const auto turns = turn_fractions<4>(small);
  const auto inv_freq = inv_freqs<double>(small);
  for (std::size_t pair = 0; pair < turns.size(); ++pair) {
    r.expect(compiled_turns[pair] == turns[pair], "turns made by the compiler");
    r.expect(to_bits(compiled_inv_freq[pair]) == inv_freq[pair], "inverse frequencies made by the compiler");
  }
}

/// Additions against the mirror itself, whose hashes are compared above.
template <class Resolved, class Config>
void compare_addition(comparison& r, const ropewalk_kernel& kernel, const Config& config,
                      rotation_case rotation) {
  for (const ropewalk_dtype dtype : all_dtypes)
    for (const environment& around : environments) {
      rotation.dtype = dtype;
      std::mt19937_64 random(1);
      const tensors in = random_tensors(rotation, random);
      laid_out memory(rotation, in);
      const Resolved resolved(config);
      const planned plan(kernel, resolved.view());
      const bool is_served = in_environment(around.registers, [&] {
                               return plan.apply(call_for(resolved.view(), memory));
                             }) == ROPEWALK_OK;
      r.expect(is_served &&
                   first_difference(dtype, memory.read().query, canonical_sums(config, rotation, in)) == -1,
               kernel.name);
    }
}

void compare_additions(comparison& r) {
  rotation_case rows = shape(ROPEWALK_F32, 33, 6, 2);
  rows.positions = {0, -1, 1, 2, 70000, 2147483647};
  for (const ropewalk_kernel& kernel : sinusoidal_add_kernels())
    for (const sinusoidal_layout layout : {sinusoidal_layout::interleaved, sinusoidal_layout::cos_sin})
      compare_addition<resolved_sinusoidal>(
          r, kernel, sinusoidal{.d_model = 33, .layout = layout, .odd = odd_width::zero, .padding_idx = 1},
          rows);
  for (const ropewalk_kernel& kernel : alibi_add_kernels())
    for (const alibi_form form : {alibi_form::causal, alibi_form::symmetric})
      compare_addition<resolved_alibi>(r, kernel, alibi{.heads = 12, .form = form},
                                       shape(ROPEWALK_F32, 37, 5, 12));
}

int compare(const char* path) {
  comparison r(read_hashes(path));
  compare_environments(r);
  compare_compiled_tables(r);
  r.expect(table_hashes(), "tables", "default");
  r.expect(mirror_hashes(), "the mirror", "default");
  int kernels = 0;
  for (const auto& listed : {cpu_turns_kernels(), cpu_table_kernels()})
    for (std::size_t i = 1; i < listed.size(); ++i, ++kernels)  // the first repeats the best of the others
      for (const environment& around : environments)
        r.expect(kernel_hashes(listed[i], around.registers), listed[i].name, around.name);
  r.expect(kernels > 0, "there are kernels");
  compare_additions(r);
  std::printf("%d comparisons, %d kernels, %d failed\n", r.compared, kernels, r.failed);
  return r.failed == 0 ? 0 : 1;
}

int print() {
  std::printf(
      "# FNV-1a of output bits, printed by `tests/kernel/aarch64_exhaustive.sh --print`, from the mirror "
      "alone.\n");
  hashes all = mirror_hashes();
  all.merge(table_hashes());
  for (const auto& [name, hash] : all) std::printf("%s %016" PRIx64 "\n", name.c_str(), hash);
  return 0;
}

}  // namespace
}  // namespace ropewalk::test

int main(int count, char** arguments) {
  try {
    return count > 1 ? ropewalk::test::compare(arguments[1]) : ropewalk::test::print();
  } catch (const std::exception& failure) {
    std::printf("FAILED: %s\n", failure.what());
    return 1;
  }
}
