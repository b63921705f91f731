#pragma once
// What a program inherits from its caller and cannot work with.

namespace ropewalk::command {

/// Opens each standard stream that is closed, so that no other file gets its number: reading and writing it
/// then fail as before. Takes back an ignored SIGCHLD, with which nobody learns how a process ended.
///
/// throws  missing_requirement if there is no /dev/null to open
void repair_inherited_state();

}  // namespace ropewalk::command
