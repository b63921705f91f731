#pragma once
// Refuses keys about positions that are not read, or warns of them.

#include "model/open_config.hpp"

namespace ropewalk::model {

/// Warns of keys beside the text model's keys that say something else.
void warn_of_outer_values(open_config& config);

/// Refuses keys about positions that the type's code does not read: such a file has another meaning.
///
/// throws  bad_input
void refuse_unread_keys(open_config& config);

}  // namespace ropewalk::model
