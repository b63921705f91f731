#pragma once
// Prints what is certified of tables.

#include <string>

#include "model/model.hpp"
#include "report/guarantees.hpp"

namespace ropewalk::report {

/// What is certified of a model's table; without a certificate, the command that makes one.
void print_certified(const model::model& model, guarantees_as as);

/// How many tables of the catalogue have a certificate: "42 of 65 tables of the catalogue".
std::string certified_share();

/// All certificates, a line each; then the tables of the catalogue that have none, and the commands that make
/// theirs.
void print_certificates(guarantees_as as);

}  // namespace ropewalk::report
