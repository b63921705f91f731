// Requests and answers in files: what stands where, and what is refused.

#include "transport/exchange.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "input/bad_input.hpp"
#include "ropewalk/law/kernel/kernel_call.hpp"

namespace ropewalk::transport::exchange_test {
namespace {

/// A folder that is removed at the end of its test.
class scratch_folder {
 public:
  scratch_folder() : path_(testing::TempDir() + "exchange_" + std::to_string(::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~scratch_folder() { std::filesystem::remove_all(path_); }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  const std::string& path() const { return path_; }
  void answer(const std::vector<message>& all) const { write("answers", all); }
  void write(const char* name, const std::vector<message>& all) const {
    std::ofstream file(path_ + "/" + name, std::ios::binary);
    for (const message& message : all) {
      const std::vector<std::byte> image = image_of(message);
      file.write(reinterpret_cast<const char*>(image.data()), static_cast<std::streamsize>(image.size()));
    }
  }
  std::uintmax_t bytes_of(const char* name) const { return std::filesystem::file_size(path_ + "/" + name); }

 private:
  std::string path_;
};

message with_words(std::map<std::string, std::string> words) {
  return {.words = std::move(words), .tensors = {}};
}

message_transport::plan plan_of(const std::string& name) {
  message_transport::plan result;
  result.request = with_words({{"request", "plan"}, {"kernel", name}});
  return result;
}

/// Asks for a call of a plan, and says what came.
std::string asked(exchange& exchange, message_transport::plan& with, const std::string& text) {
  try {
    const message request = with_words({{"request", "apply"}, {"text", text}});
    return std::string(exchange.apply(with, request).answer.word("text"));
  } catch (const answer_awaited&) {
    return "awaited";
  }
}

TEST(Exchange, AnswersStandWhereTheirRequestsDo) {
  const scratch_folder folder;
  std::size_t requests = 0;
  {
    exchange first(folder.path());
    EXPECT_THROW(first.describe(), answer_awaited);
    EXPECT_THROW(first.describe(), answer_awaited);  // it stands there once
    EXPECT_EQ(first.awaited(), 1U);
    message_transport::plan plan = plan_of("one");
    plan.request.words["plan"] = first.number_of(plan.request);
    EXPECT_EQ(asked(first, plan, "a call"), "awaited");
    requests = first.awaited();
    EXPECT_GE(requests, 3U);
    first.write();
  }
  const std::uintmax_t written = folder.bytes_of("requests");
  std::vector<message> answers;
  for (std::size_t i = 0; i < requests; ++i)
    answers.push_back(
        with_words({{"status", "ok"}, {"text", "answer " + std::to_string(std::min<std::size_t>(i, 2))}}));
  folder.answer(answers);
  exchange again(folder.path());
  EXPECT_EQ(again.awaited(), 0U);
  EXPECT_EQ(again.describe().word("text"), "answer 0");
  message_transport::plan plan = plan_of("one");
  plan.request.words["plan"] = again.number_of(plan.request);
  EXPECT_EQ(plan.request.words["plan"], "1");
  EXPECT_EQ(asked(again, plan, "a call"), "answer 2");
  EXPECT_EQ(asked(again, plan, "another"), "awaited");
  EXPECT_GE(again.awaited(), 1U);
  again.write();
  EXPECT_GT(folder.bytes_of("requests"), written);
}

TEST(Exchange, PlansKeepTheNumbersThatTheyHadWhenTheyWereWritten) {
  const scratch_folder folder;
  {
    exchange first(folder.path());
    for (const char* const name : {"one", "two"}) {
      message_transport::plan plan = plan_of(name);
      plan.request.words["plan"] = first.number_of(plan.request);
      first.make(plan);
    }
    first.write();
  }
  exchange again(folder.path());
  EXPECT_EQ(again.number_of(plan_of("two").request), "2");
  EXPECT_EQ(again.number_of(plan_of("three").request), "3");
  EXPECT_EQ(again.number_of(plan_of("one").request), "1");
}

TEST(Exchange, TwoAnswersOfOneRequestThatDifferAreSeen) {
  const scratch_folder folder;
  message_transport::plan plan = plan_of("one");
  plan.request.words["plan"] = "1";
  const message call = with_words({{"request", "apply"}, {"text", "a call"}});
  folder.write("requests", {plan.request, call, call});
  for (const char* const again : {"one", "two"}) {
    folder.answer({with_words({{"status", "ok"}}), with_words({{"status", "ok"}, {"text", "one"}}),
                   with_words({{"status", "ok"}, {"text", again}})});
    exchange exchange(folder.path());
    const message_transport::call_answer came = exchange.apply(plan, call);
    EXPECT_EQ(came.answer.word("text"), "one");
    EXPECT_EQ(came.are_bits_other, came.answer.word("text") != again);
  }
}

TEST(Exchange, MoreAnswersThanRequestsAndFilesOfNoMessagesAreRefused) {
  const scratch_folder folder;
  folder.answer({with_words({{"status", "ok"}})});
  EXPECT_THROW(exchange(folder.path()), bad_input);
  folder.write("requests", {with_words({{"request", "describe"}})});
  EXPECT_NO_THROW(exchange(folder.path()));
  std::filesystem::resize_file(folder.path() + "/answers", folder.bytes_of("answers") - 1);
  EXPECT_THROW(exchange(folder.path()), bad_input);
  std::ofstream(folder.path() + "/answers") << "Traceback (most recent call last):";
  EXPECT_THROW(exchange(folder.path()), bad_input);
}

TEST(Accepted, AnAnswerIsOkDeclinedOrFailed) {
  EXPECT_EQ(accepted(with_words({{"status", "ok"}, {"text", "x"}})).word("text"), "x");
  EXPECT_THROW(accepted(with_words({{"status", "unsupported"}})), declined_answer);
  EXPECT_THROW(accepted(with_words({{"status", "failed"}})), failed_answer);
  EXPECT_THROW(accepted(with_words({{"status", "died"}})), failed_answer);
  EXPECT_THROW(accepted(with_words({{"status", "OK"}})), bad_message);
  EXPECT_THROW(accepted(with_words({})), bad_message);
}

}  // namespace
}  // namespace ropewalk::transport::exchange_test
