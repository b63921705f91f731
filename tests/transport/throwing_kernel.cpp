// A library whose kernel throws a C++ exception through the C interface.

#include <stdexcept>

#include "ropewalk/kernel/kernel.h"

struct ropewalk_plan {};

namespace {

constexpr ropewalk_promise promised{.struct_size = sizeof(ropewalk_promise), .bits = ROPEWALK_CANONICAL};
ropewalk_plan the_plan;

const ropewalk_kernel throwing{
    .struct_size = sizeof(ropewalk_kernel),
    .abi = ROPEWALK_ABI,
    .name = "throwing",
    .operation = ROPEWALK_ROTATE,
    .promise = &promised,
    .limits = nullptr,
    .plan = [](const ropewalk_head*, ropewalk_plan** made, ropewalk_error*) -> std::int32_t {
      *made = &the_plan;
      return ROPEWALK_OK;
    },
    .apply = [](const ropewalk_plan*, const ropewalk_head*, ropewalk_error*) -> std::int32_t {
      throw std::runtime_error("no such shape");
    },
    .free_plan = [](ropewalk_plan*) {}};

}  // namespace

const ropewalk_kernel* const* ropewalk_kernels(std::size_t* count) {
  static const ropewalk_kernel* const all[] = {&throwing};
  *count = 1;
  return all;
}
