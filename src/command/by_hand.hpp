#pragma once
// An encoding that options state by hand, and numbers beside --config.

#include "command/which.hpp"
#include "ropewalk/config/head_layout.hpp"

namespace ropewalk::command {

/// Whether the options state an encoding by hand.
bool is_by_hand(const which_options& options);

/// That encoding.
///
/// domain  is_by_hand(options)
/// throws  bad_input naming the option, its value and what is allowed
model::model model_by_hand(const which_options& options);

/// The numbers that fill in what the file of --config leaves open.
model::numbers_beside numbers_beside_config(const which_options& options);

/// Refuses numbers that only --base and --head-dim may stand beside.
///
/// domain  !is_by_hand(options)
void refuse_numbers_without_base(const which_options& options);

/// The pairing of --pairing, if it was given.
///
/// throws  bad_input naming pairing
given<pairing> chosen_pairing(const which_options& options);

}  // namespace ropewalk::command
