// Messages of the transports: what a program answers, and what files of exchanged messages hold.

#include "transport/message.hpp"

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "fuzz/headed_image.hpp"
#include "fuzz/target.hpp"
#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "ropewalk/kernel/pairing_number.hpp"
#include "transport/described_kernel.hpp"
#include "transport/message_transport.hpp"
#include "transport/remote_kernel.hpp"
#include "transport/timed_calls.hpp"

namespace ropewalk::fuzz {
namespace {

transport::message read_message(std::span<const std::byte> image) {
  const std::size_t length = transport::header_bytes(image);
  return transport::message_of(transport::header_from(image.subspan(8, length)), image.subspan(8 + length));
}

/// Reads everything that a message may answer.
void read_answer(const transport::message& answer) {
  try {
    transport::accepted(answer);
  } catch (const transport::bad_message&) {
  } catch (const transport::failed_answer&) {
  } catch (const transport::declined_answer&) {
  }
  try {
    for (const double second : transport::timed_calls_in(answer, 3, 1.5).seconds)
      need(second > 0 && second <= 1.5, "a call took no time, or longer than its answer");
  } catch (const transport::bad_message&) {
  }
  try {
    const input::json list = input::parse_object("{\"kernels\": " + std::string(answer.word("kernels")) + "}",
                                                 "kernels", "a program");
    for (const input::json& value : input::value_of(list, "kernels")) {
      const transport::described_kernel about = transport::described_by(value);
      need(about.limits.position_begin <= about.limits.position_end, "positions end before they begin");
      need((about.limits.dtypes >> 7) == 0 && (about.limits.pairings & ~all_pairings) == 0,
           "an unknown format or pairing");
      for (const std::int32_t head_dim : about.head_dims) need(head_dim > 0, "a head without channels");
    }
  } catch (const bad_input&) {
  }
}

}  // namespace

void message(input_bytes input) {
  const std::vector<std::uint8_t> all = headed_image(input);
  try {
    for (const std::vector<std::byte>& image : transport::images_in(std::as_bytes(std::span(all)))) {
      const transport::message request = read_message(image);
      const transport::message again = read_message(transport::image_of(request));
      need(again.words == request.words && again.tensors.size() == request.tensors.size(),
           "a message changes when it is written");
      for (const transport::message_tensor& tensor : request.tensors) {
        const transport::message_tensor* const same = again.find(tensor.name);
        need(same != nullptr && same->dtype == tensor.dtype && same->shape == tensor.shape &&
                 same->bytes == tensor.bytes,
             "a tensor changes when it is written");
      }
      read_answer(request);
    }
  } catch (const transport::bad_message&) {
  }
}

}  // namespace ropewalk::fuzz

ROPEWALK_FUZZ_TARGET(message);
