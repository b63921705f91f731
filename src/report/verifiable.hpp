#pragma once
// What can be verified: kernels, targets, laws, promises and models.

namespace ropewalk::report {

void print_verifiable(bool as_json);

}  // namespace ropewalk::report
