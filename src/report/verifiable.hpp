#pragma once
// Lists the kernels, targets, laws, promises and models that `ropewalk verify` accepts.

namespace ropewalk::report {

void print_verifiable(bool as_json);

}  // namespace ropewalk::report
