#include "transport/encoding_copy.hpp"

#include <cstdint>
#include <cstring>

#include "ropewalk/kernel/operation.hpp"

namespace ropewalk::transport {
namespace {

constexpr std::int64_t turn_words = 4, turn_words_256 = 8;  // of each pair

template <class Encoding, class Visit>
void for_each_frequency_array(Encoding& of, std::int64_t pairs, Visit visit) {
  visit(of.inv_freq, pairs);
  visit(of.turns, turn_words * pairs);
  visit(of.turns_256, turn_words_256 * pairs);
  visit(of.turns_real, pairs);
}

/// Visits each array of an encoding: visit(reference to the pointer, number of elements).
template <class Visit>
void for_each_array(ropewalk_rotation& of, Visit visit) {
  for_each_frequency_array(of, of.rotary_dim / 2, visit);
  visit(of.axis, of.rotary_dim / 2);
  visit(of.config_json,
        of.config_json == nullptr ? 0 : static_cast<std::int64_t>(std::strlen(of.config_json)) + 1);
}
template <class Visit>
void for_each_array(ropewalk_row_addition& of, Visit visit) {
  for_each_frequency_array(of, of.sinusoidal_channels / 2, visit);
}
template <class Visit>
void for_each_array(ropewalk_bias_addition& of, Visit visit) {
  visit(of.slopes, static_cast<std::int64_t>(of.heads));
}

std::size_t bytes_of(const ropewalk_head& given) {
  return visit_operation(given.operation, [&]<class Operation>() {
    auto encoding = reinterpret_cast<const typename Operation::encoding&>(given);
    std::size_t r = arrays_behind::room_of(sizeof encoding);
    for_each_array(encoding, [&](const auto* array, std::int64_t count) {
      r += arrays_behind::room_of(sizeof *array * static_cast<std::size_t>(count));
    });
    return r;
  });
}

}  // namespace

const ropewalk_head* placed_encoding(arrays_behind& behind, const ropewalk_head& given, bool is_longer) {
  return visit_operation(given.operation, [&]<class Operation>() -> const ropewalk_head* {
    const auto& encoding = reinterpret_cast<const typename Operation::encoding&>(given);
    auto* const placed = is_longer ? behind.copy_longer(encoding) : behind.copy(&encoding, 1);
    for_each_array(*placed, [&](auto*& array, std::int64_t count) { array = behind.copy(array, count); });
    return &placed->head;
  });
}

encoding_copy::encoding_copy(const ropewalk_head& given) : memory_(new std::byte[bytes_of(given)]) {
  arrays_behind behind(memory_.get());
  head_ = placed_encoding(behind, given);
}

}  // namespace ropewalk::transport
