#include <string_view>

#include "ropewalk/kernel/kernel.h"

int main() {
  std::size_t count = 0;
  const ropewalk_kernel* kernels = ropewalk_kernels(&count);
  bool found = false;
  for (std::size_t i = 0; i < count; ++i) found |= std::string_view(kernels[i].name) == "cpu-table";
  return found ? 0 : 1;
}
