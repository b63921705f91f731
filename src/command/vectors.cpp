// ropewalk vectors: writes test vectors for people who install nothing.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "command/command.hpp"
#include "command/option/option_table.hpp"
#include "command/parser.hpp"
#include "input/bad_input.hpp"
#include "input/unknown_name.hpp"
#include "output/output_file.hpp"
#include "output/terminal.hpp"
#include "vectors/inc.hpp"
#include "vectors/large_files.hpp"
#include "vectors/pack_files.hpp"
#include "vectors/record.hpp"

namespace ropewalk::command {
namespace {

struct vectors_options {
  std::string output;
  std::vector<std::string> topics;
};

/// What the files say made them: the same for every folder.
constexpr const char* made_by = "ropewalk vectors --output DIR";

std::vector<std::string> all_topics() {
  const std::vector<std::string_view> names = vectors::topic_names();
  return {names.begin(), names.end()};
}

/// The topics that were named, in the order of the pack; all if none was.
std::vector<std::string> chosen_topics(const std::vector<std::string>& named) {
  std::vector<std::string> topics = all_topics();
  for (const std::string& name : named)
    if (std::find(topics.begin(), topics.end(), name) == topics.end())
      throw input::unknown_name("topic", name, topics, "`ropewalk vectors --help`");
  if (named.empty()) return topics;
  std::erase_if(topics, [&](const std::string& topic) {
    return std::find(named.begin(), named.end(), topic) == named.end();
  });
  return topics;
}

/// The folder, made if it is not there.
std::filesystem::path folder_of(const std::string& output) {
  if (output.empty()) throw refusal("--output", "missing", "vectors");
  std::error_code error;
  std::filesystem::create_directories(output, error);
  if (error || !std::filesystem::is_directory(output))
    throw bad_input("output", output + " (" + (error ? error.message() : "not a folder") + ")",
                    option_named("--output", "vectors").domain.text);
  return output;
}

exit_code write_vectors(const vectors_options& options, session& session) {
  const std::vector<std::string> topics = chosen_topics(options.topics);
  const std::filesystem::path folder = folder_of(options.output);
  output::progress_bar bar("topics", topics.size(), session.quiet);
  std::uint64_t done = 0;
  std::vector<std::string> rotations;
  const auto write = [&](const std::string& name, const std::string& text) {
    output::output_file file((folder / name).string());
    file.write(text);
    file.commit();
  };
  for (const std::string& name : topics) {
    std::string text = text_of(vectors::make_topic(name), made_by);
    write(name + ".json", text);
    if (name == "rope" || name == "axes") rotations.push_back(std::move(text));
    bar.show(++done);
  }
  if (!rotations.empty()) write("vectors.inc", vectors::inc_text(rotations));
  vectors::write_companions(folder);
  if (options.topics.empty()) vectors::write_large_files(folder, made_by);
  return exit_code::holds;
}

}  // namespace

void add_vectors(parser& program, session& session) {
  subcommand command = program.add("vectors");
  const auto options = std::make_shared<vectors_options>();
  command.take("--output", options->output);
  command.take("--topic", options->topics);
  command.run([options, &session] { return write_vectors(*options, session); });
}

}  // namespace ropewalk::command
