// Fields of the call that are ignored or misread.

#include "fault/canonical_steps.hpp"
#include "fault/known_faults.hpp"
#include "fault/position_map.hpp"

namespace ropewalk::fault {
namespace {

enum class misreading {
  none,
  positions_unread,
  first_row_for_all,
  last_row_for_all,
  first_token_for_all,
  sequences_unread,
  nothing_written,
  key_left_out,
  other_direction
};

struct misread_call_steps : canonical_steps {
  misreading how = misreading::none;

  void misread(checked_call& call) const {
    switch (how) {
      case misreading::none: break;
      case misreading::positions_unread:
        call.positions = nullptr;
        call.sequence_offset = nullptr;
        break;
      case misreading::first_row_for_all: call.position_stride[1] = 0; break;
      case misreading::last_row_for_all:
        if (call.positions != nullptr)
          call.positions += (call.query.in.batch() - 1) * call.position_stride[1];
        call.position_stride[1] = 0;
        break;
      case misreading::first_token_for_all: call.position_stride[2] = 0; break;
      case misreading::sequences_unread: call.sequence_offset = nullptr; break;
      case misreading::nothing_written: call.end = call.begin; break;
      case misreading::key_left_out: call.key.is_present = false; break;
      case misreading::other_direction: call.backward = !call.backward; break;
    }
  }
};

}  // namespace

ropewalk_kernel faultless_rotation() {
  return kernel_with_steps<misread_call_steps{{}, misreading::none}>("faultless-rotation");
}

std::vector<known_fault> misread_calls() {
  using enum misreading;
  return {
      {kernel_with_steps<misread_call_steps{{}, positions_unread}>("fault-positions-unread"),
       "positions are not read: the token's index is taken for its position"},
      {kernel_with_steps<misread_call_steps{{}, first_row_for_all}>("fault-positions-of-first-row"),
       "every batch row is turned by the positions of the first"},
      {kernel_with_steps<misread_call_steps{{}, last_row_for_all}>("fault-positions-of-last-row"),
       "every batch row is turned by the positions of the last"},
      {kernel_with_steps<misread_call_steps{{}, first_token_for_all}>("fault-positions-of-first-token"),
       "every token of a batch row is turned by the position of the first"},
      {kernel_with_steps<misread_call_steps{{}, sequences_unread}>("fault-sequences-unread"),
       "positions are counted on from one sequence to the next, where each begins at 0"},
      {kernel_with_steps<misread_call_steps{{}, nothing_written}>("fault-nothing-written"),
       "the output is never written"},
      {kernel_with_steps<misread_call_steps{{}, key_left_out}>("fault-key-left-out"),
       "the key's output is never written"},
      {kernel_with_steps<misread_call_steps{{}, other_direction}>("fault-other-direction"), the_other_way},
  };
}

}  // namespace ropewalk::fault
