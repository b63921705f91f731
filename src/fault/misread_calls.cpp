// Fields of the call that are ignored or misread.

#include <algorithm>
#include <utility>
#include <vector>

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
  other_direction,
  heads_as_tokens,
  strides_unread,
  first_sequence_for_all,
  sequence_begins_late,
  range_counted_twice,
  fewer_heads
};

/// Exchanges heads and tokens.
void exchange_heads_and_tokens(tensor_view& view) {
  std::swap(view.shape[1], view.shape[2]);
  std::swap(view.stride[1], view.stride[2]);
}

/// Reads a view as dense, unless that would leave its memory.
void take_as_dense(tensor_view& view) {
  for (std::size_t axis = 0; axis < 4; ++axis)
    if (view.stride[axis] < 0 || (view.stride[axis] == 0 && view.shape[axis] > 1)) return;
  std::int64_t step = size_of(view.dtype);
  for (std::size_t axis = 4; axis-- > 0;) {
    if (view.shape[axis] > 1) view.stride[axis] = step;
    step *= view.shape[axis];
  }
}

/// Sets the positions of a call to at(place, axis). They live until the thread's next call.
template <class Number, class At>
const Number* filled_positions(const checked_call& call, int axes, At at) {
  static thread_local std::vector<Number> items;
  const std::int64_t batch = call.query.in.batch(), tokens = call.tokens;
  items.assign(static_cast<std::size_t>(axes * batch * tokens), 0);
  for_each_token(call, [&](const token_place& place) {
    for (int axis = 0; axis < axes; ++axis)
      items[static_cast<std::size_t>((axis * batch + place.row) * tokens + place.token)] =
          static_cast<Number>(at(place, axis));
  });
  return items.data();
}

/// Whether a call gives positions of any kind.
bool gives_positions(const checked_call& call) {
  return call.positions != nullptr || call.real_positions != nullptr;
}

/// Removes a call's positions, so that its tokens are counted.
void drop_positions(checked_call& call) {
  call.positions = nullptr;
  call.real_positions = nullptr;
}

/// Replaces the positions of a call with counted or whole positions.
template <class At>
void give_positions(checked_call& call, int axes, At at) {
  call.positions = filled_positions<std::int32_t>(call, axes, at);
  call.position_stride = {call.query.in.batch() * call.tokens, call.tokens, 1};
}

/// Moves every position ahead by one number.
void move_positions(checked_call& call, int axes, std::int64_t ahead) {
  if (call.real_positions == nullptr)
    return give_positions(call, axes,
                          [=](const token_place& place, int axis) { return place.position(axis) + ahead; });
  call.real_positions = filled_positions<double>(call, axes, [=](const token_place& place, int axis) {
    return place.real_position(axis) + static_cast<double>(ahead);
  });
  call.position_stride = {call.query.in.batch() * call.tokens, call.tokens, 1};
}

struct misread_call_steps : canonical_steps {
  misreading how = misreading::none;
  int axes_ = 1;

  /// Rotates each head by its index. A call of some tokens, or with another number of key heads, is correct.
  static void take_heads_as_tokens(checked_call& call) {
    const bool is_whole = call.begin == 0 && call.end == call.query.in.batch() * call.tokens;
    const bool is_even = !call.key.is_present || call.key.in.heads() == call.query.in.heads();
    if (!is_whole || !is_even) return;
    for (tensor_view* const view : {&call.query.in, &call.query.out, &call.key.in, &call.key.out})
      exchange_heads_and_tokens(*view);
    drop_positions(call);
    call.sequence_offset = nullptr;
    call.tokens = call.query.in.tokens();
    call.end = call.query.in.batch() * call.tokens;
  }

  void form(rotation_plan& plan, const ropewalk_rotation& /*encoding*/) { axes_ = plan.axes; }

  /// Positions are counted anew only at the first boundary.
  void begin_anew_once(checked_call& call) const {
    if (gives_positions(call) || call.sequence_offset == nullptr || call.begin == call.end) return;
    std::int64_t second = 0;  // where the second sequence that has tokens begins
    for (std::int64_t i = 1; second == 0; ++i) second = call.sequence_offset[i];
    give_positions(call, axes_, [&](const token_place& place, int /*axis*/) {
      return place.token < second ? place.token : place.token - second;
    });
    call.sequence_offset = nullptr;
  }

  /// The first token of each later sequence is counted as part of the sequence before it.
  void begin_late(checked_call& call) const {
    if (gives_positions(call) || call.sequence_offset == nullptr || call.begin == call.end) return;
    const std::int64_t* const offsets = call.sequence_offset;
    give_positions(call, axes_, [&](const token_place& place, int /*axis*/) {
      if (place.counted > 0 || place.token == 0) return place.counted;
      std::int64_t before = 0;  // the sequence that ends here
      while (offsets[before + 1] < place.token) ++before;
      return place.token - offsets[before];
    });
    call.sequence_offset = nullptr;
  }

  /// In query and key, processes only as many heads as both have.
  static void leave_heads(checked_call& call) {
    const std::int64_t heads = std::min(call.query.in.heads(), call.key.in.heads());
    for (tensor_view* const view : {&call.query.in, &call.query.out, &call.key.in, &call.key.out})
      view->shape[2] = heads;
  }

  void misread(checked_call& call) const {
    switch (how) {
      case misreading::none: break;
      case misreading::positions_unread:
        drop_positions(call);
        call.sequence_offset = nullptr;
        break;
      case misreading::first_row_for_all: call.position_stride[1] = 0; break;
      case misreading::last_row_for_all:
        if (call.positions != nullptr)
          call.positions += (call.query.in.batch() - 1) * call.position_stride[1];
        if (call.real_positions != nullptr)
          call.real_positions += (call.query.in.batch() - 1) * call.position_stride[1];
        call.position_stride[1] = 0;
        break;
      case misreading::first_token_for_all: call.position_stride[2] = 0; break;
      case misreading::sequences_unread: call.sequence_offset = nullptr; break;
      case misreading::nothing_written: call.end = call.begin; break;
      case misreading::key_left_out: call.key.is_present = false; break;
      case misreading::other_direction: call.backward = !call.backward; break;
      case misreading::heads_as_tokens: take_heads_as_tokens(call); break;
      case misreading::strides_unread:
        if (!is_empty(call.query.in)) take_as_dense(call.query.in);
        break;
      case misreading::first_sequence_for_all: begin_anew_once(call); break;
      case misreading::sequence_begins_late: begin_late(call); break;
      case misreading::range_counted_twice:
        if (call.begin > 0 && call.begin < call.end) move_positions(call, axes_, call.begin);
        break;
      case misreading::fewer_heads:
        if (call.key.is_present) leave_heads(call);
        break;
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
      {kernel_with_steps<misread_call_steps{{}, heads_as_tokens}>("fault-heads-as-tokens"),
       "heads are taken for tokens: each head is turned by its index"},
      {kernel_with_steps<misread_call_steps{{}, strides_unread}>("fault-strides-unread"),
       "the strides of the query are not read: it is taken as dense"},
      {kernel_with_steps<misread_call_steps{{}, first_sequence_for_all}>("fault-sequences-after-second"),
       "positions are counted anew where the second sequence begins, and on from there in all later ones"},
      {kernel_with_steps<misread_call_steps{{}, sequence_begins_late}>("fault-sequences-late"),
       "the first token of a sequence is counted as one more of the sequence before it"},
      {kernel_with_steps<misread_call_steps{{}, range_counted_twice}>("fault-range-counted-twice"),
       "a chunk is counted twice: the token at which the range begins is added to every position"},
      {kernel_with_steps<misread_call_steps{{}, fewer_heads}>("fault-heads-of-both"),
       "query and key are given one number of heads, the smaller one: the other heads are left"},
  };
}

}  // namespace ropewalk::fault
