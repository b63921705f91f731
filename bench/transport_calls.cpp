// Calls a kernel through `program:` like the verifier, without judging it, for transport_cost.py.
//
//   transport_calls COMMAND CALLS
//
// Without a command ("") it calls its own kernel.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>

#include "kernel/kernels.hpp"
#include "ropewalk/law/kernel/checked_rotation.hpp"
#include "transport/message_kernels.hpp"
#include "transport/program.hpp"

namespace ropewalk {
namespace {

constexpr int head_dim = 128, tokens = 4, query_heads = 4;

void call(const char* command, std::int64_t calls) {
  const ropewalk_kernel& kernel =
      *command == '\0'
          ? cpu_table_kernel()
          : *transport::message_kernels(
                 std::make_shared<transport::program>(command, transport::child_limits{}), "the program")
                 .at(0);
  const checked_rotation checked(kernel, promise::angle_f64, rope{.base = 500000, .rotary_dim = head_dim},
                                 head_layout{head_dim});
  law_case test_case;
  test_case.head_dim = test_case.rotary_dim = head_dim;
  test_case.tokens = tokens;
  test_case.query_heads = query_heads;
  test_case.key_heads = 1;
  for (int token = 0; token < tokens; ++token) test_case.positions.push_back(token);
  test_case.query.assign(tokens * query_heads * head_dim, 0x3f800000);
  test_case.key.assign(tokens * head_dim, 0x3f800000);
  for (std::int64_t i = 0; i < calls; ++i) checked.turned(test_case);
}

}  // namespace
}  // namespace ropewalk

int main(int count, char** words) {
  if (count != 3) return 2;
  try {
    ropewalk::call(words[1], std::atoll(words[2]));
  } catch (const std::exception& why) {
    std::fprintf(stderr, "%s\n", why.what());
    return 1;
  }
  return 0;
}
