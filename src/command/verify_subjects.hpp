#pragma once
// The models, tables and arrays that `ropewalk verify` judges by.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "command/verify_options.hpp"
#include "verify/verification.hpp"

namespace ropewalk::command {

/// Adds the models that were named, else a selection from the catalogue and every convention of additions.
/// session.understood then describes the named ones.
///
/// throws  bad_input naming the field, its value and what is allowed
void choose_subjects(verify::verification& request, const which_options& which, session& session);

/// This library's own tables, with the laws to judge them by; none if a kernel, target or model is named.
std::vector<verify::judged_table> chosen_tables(const verify_options& options,
                                                const std::map<std::string, std::string>& skipped);

/// The form of ALiBi that kernels are asked in; none: the forms that each serves.
///
/// throws  bad_input naming form
std::optional<alibi_form> chosen_form(const verify::verification& request, const verify_options& options);

/// Adds the arrays of files that are named.
///
/// throws  bad_input naming the option, its value and what is allowed
void choose_arrays(verify::verification& request, const verify_options& options, session& session);

}  // namespace ropewalk::command
