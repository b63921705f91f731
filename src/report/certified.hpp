#pragma once
// Prints what is certified of tables.

#include "model/model.hpp"
#include "report/guarantees.hpp"

namespace ropewalk::report {

/// What is certified of a model's table; without a certificate, the command that makes one.
void print_certified(const model::model& of, guarantees_as as);

/// All certificates, a line each.
void print_certificates(guarantees_as as);

}  // namespace ropewalk::report
