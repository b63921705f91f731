#include "transport/encoding_copy.hpp"

#include <cstdint>
#include <cstring>

#include "ropewalk/kernel/operation.hpp"

namespace ropewalk::transport {
namespace {

constexpr std::int64_t turn_words = 4, turn_words_256 = 8;  // per pair

template <class Encoding, class Visit>
void for_each_frequency_array(Encoding& encoding, std::int64_t pairs, Visit visit) {
  visit(encoding.inv_freq, pairs);
  visit(encoding.turns, turn_words * pairs);
  visit(encoding.turns_256, turn_words_256 * pairs);
  visit(encoding.turns_real, pairs);
}

/// Visits each array of an encoding: visit(reference to the pointer, number of elements).
template <class Visit>
void for_each_array(ropewalk_rotation& encoding, Visit visit) {
  for_each_frequency_array(encoding, encoding.rotary_dim / 2, visit);
  visit(encoding.axis, encoding.rotary_dim / 2);
  visit(encoding.config_json, encoding.config_json == nullptr
                                  ? 0
                                  : static_cast<std::int64_t>(std::strlen(encoding.config_json)) + 1);
}
template <class Visit>
void for_each_array(ropewalk_row_addition& addition, Visit visit) {
  for_each_frequency_array(addition, addition.sinusoidal_channels / 2, visit);
}
template <class Visit>
void for_each_array(ropewalk_bias_addition& addition, Visit visit) {
  visit(addition.slopes, static_cast<std::int64_t>(addition.heads));
}

std::size_t bytes_of(const ropewalk_head& head) {
  return visit_operation(head.operation, [&]<class Operation>() {
    auto encoding = reinterpret_cast<const typename Operation::encoding&>(head);
    std::size_t bytes = arrays_behind::room_of(sizeof encoding);
    for_each_array(encoding, [&](const auto* array, std::int64_t count) {
      bytes += arrays_behind::room_of(sizeof *array * static_cast<std::size_t>(count));
    });
    return bytes;
  });
}

}  // namespace

const ropewalk_head* placed_encoding(arrays_behind& behind, const ropewalk_head& head, bool is_longer) {
  return visit_operation(head.operation, [&]<class Operation>() -> const ropewalk_head* {
    const auto& encoding = reinterpret_cast<const typename Operation::encoding&>(head);
    auto* const placed = is_longer ? behind.copy_longer(encoding) : behind.copy(&encoding, 1);
    for_each_array(*placed, [&](auto*& array, std::int64_t count) { array = behind.copy(array, count); });
    return &placed->head;
  });
}

encoding_copy::encoding_copy(const ropewalk_head& head) : memory_(new std::byte[bytes_of(head)]) {
  arrays_behind behind(memory_.get());
  head_ = placed_encoding(behind, head);
}

}  // namespace ropewalk::transport
