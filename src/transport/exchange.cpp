#include "transport/exchange.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "input/bad_input.hpp"
#include "input/kept_file.hpp"
#include "output/output_file.hpp"
#include "ropewalk/law/kernel/call_memory.hpp"

namespace ropewalk::transport {
namespace {

constexpr std::uint64_t asked_twice = 8;  // one in so many requests, to check for equal bits

// A run of everything has 2^28 bytes.
constexpr std::uint64_t largest_requests = std::uint64_t{1} << 33;

/// The messages of a file, and its size; none if the file does not exist.
std::pair<std::vector<std::vector<std::byte>>, std::uint64_t> messages_in(const std::string& folder,
                                                                          const char* name,
                                                                          std::uint64_t largest) {
  const std::string path = folder + "/" + name;
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return {};
  try {
    input::kept_file file("kernel", path, largest);
    return {images_in(file), static_cast<std::uint64_t>(file.size())};
  } catch (const bad_message& bad) {
    throw bad_input("kernel", "files:" + folder,
                    std::string("a folder whose ") + name + " are messages (" + bad.what() + ")");
  }
}

message message_in(std::span<const std::byte> image) {
  const std::size_t header = header_bytes(image);
  return message_of(header_from(image.subspan(sizeof(std::uint64_t), header)),
                    image.subspan(sizeof(std::uint64_t) + header));
}

std::vector<std::shared_ptr<exchange>>& open_exchanges() {
  static std::vector<std::shared_ptr<exchange>> all;
  return all;
}

}  // namespace

exchange::exchange(std::string folder) : folder_(std::move(folder)) {
  auto [requests, bytes] = messages_in(folder_, "requests", largest_requests);
  for (image& request : requests) append(std::move(request));
  number_plans();
  written_ = requests_.size();
  // An answer has at most as many elements as its request, except for the description.
  answers_ = messages_in(folder_, "answers", 2 * bytes + longest_header).first;
  if (answers_.size() > requests_.size())
    throw bad_input("kernel", "files:" + folder_,
                    "a folder with at most as many answers as requests: it has " +
                        std::to_string(answers_.size()) + " and " + std::to_string(requests_.size()));
}

std::vector<std::size_t> exchange::places_of(const image& request) const {
  std::vector<std::size_t> places;
  const auto [first, last] = places_.equal_range(hash_of(request));
  for (auto entry = first; entry != last; ++entry)
    if (requests_[entry->second] == request) places.push_back(entry->second);
  return places;
}

void exchange::append(image request) {
  places_.emplace(hash_of(request), requests_.size());
  requests_.push_back(std::move(request));
}

void exchange::number_plans() {
  for (const image& request : requests_) {
    message message = message_in(request);
    if (message.word("request") != "plan") continue;
    message.words.erase("plan");
    static_cast<void>(number_of(message));  // the file has them in the order of their numbers
  }
}

message_transport::call_answer exchange::answer_of(const message& message, int times) {
  image request = image_of(message);
  const std::vector<std::size_t> places = places_of(request);
  if (places.empty())
    for (int i = 0; i < times; ++i) append(request);
  if (places.empty() || places.back() >= answers_.size()) throw answer_awaited();
  const bool are_bits_other = std::any_of(places.begin(), places.end(), [&](std::size_t place) {
    return answers_[place] != answers_[places.front()];
  });
  return {accepted(message_in(answers_[places.front()])), are_bits_other};
}

message exchange::describe() { return answer_of(describe_request(), 1).answer; }

void exchange::make(plan& wanted) {
  try {
    static_cast<void>(answer_of(wanted.request, 1));
  } catch (const answer_awaited&) {  // the first call is requested together with it
  }
}

message_transport::call_answer exchange::apply(plan& with, const message& request) {
  make(with);
  return answer_of(request, hash_of(image_of(request)) % asked_twice == 0 ? 2 : 1);
}

void exchange::write() {
  if (written_ == requests_.size()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  output::output_file file(folder_ + "/requests");
  for (const image& request : requests_) file.write(request.data(), request.size());
  file.commit();
  written_ = requests_.size();
}

std::shared_ptr<exchange> exchange_in(const std::string& folder) {
  for (const std::shared_ptr<exchange>& value : open_exchanges())
    if (value->folder() == folder) return value;
  return open_exchanges().emplace_back(std::make_shared<exchange>(folder));
}

std::string what_to_run(const awaited_answers& answers) {
  return std::to_string(answers.requests) +
         (answers.requests == 1 ? " request awaits its answer" : " requests await answers") +
         ": run PROGRAM <" + answers.folder + "/requests >" + answers.folder +
         "/answers, then this command again";
}

std::vector<awaited_answers> write_requests() {
  std::vector<awaited_answers> requests;
  for (const std::shared_ptr<exchange>& value : open_exchanges()) {
    value->write();
    if (value->awaited() > 0) requests.push_back({value->folder(), value->awaited()});
  }
  return requests;
}

}  // namespace ropewalk::transport
