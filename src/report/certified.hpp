#pragma once
// Prints the certificates of tables.

#include <string>

#include "model/model.hpp"
#include "report/guarantees.hpp"

namespace ropewalk::report {

/// Prints the certificate of a model's table; without one, the command that makes it.
void print_certified(const model::model& model, guarantees_as as);

/// Number of certified tables in the catalogue: "42 of 65 tables of the catalogue".
std::string certified_share();

/// Prints all certificates, one line each, then the catalogue's tables without a certificate and the commands
/// that make theirs.
void print_certificates(guarantees_as as);

}  // namespace ropewalk::report
