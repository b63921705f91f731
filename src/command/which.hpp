#pragma once
// Which encoding and which positions: the options that every command shares.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "command/command.hpp"
#include "model/model.hpp"
#include "ropewalk/config/position_range.hpp"

namespace ropewalk::command {

/// The options as typed; numbers stay text until they are read, so that a refusal can name field and value.
struct which_options {
  std::vector<std::string> configs;
  std::vector<std::string> models;
  std::map<std::string_view, std::string> numbers;  // by hand: a field's option in the catalogue -> its text
  std::string pairing;
  std::string scaling;
  std::string seq_len;
  std::string layer_type;
  std::string positions;
  std::string real_positions;
};

enum class how_many { one, any };

/// Adds --config, --model, the catalogue's fields (--base, --rotary-dim, --head-dim), --pairing, --scaling and --positions.
void add_which_options(CLI::App& app, which_options& options, how_many count);

/// Adds --positions-f64, for commands whose numbers are exact at any real position.
void add_real_positions_option(CLI::App& app, which_options& options);

/// An option of these that says something, and what: for whoever takes none. Both empty where there is none.
struct named_option {
  std::string name;
  std::string value;
};
named_option first_named(const which_options& options);

/// The encodings named, in the order config, model, by hand; none when no option names one. Those whose table
/// depends on seq_len are at --seq-len, or else at max_position_embeddings.
///
/// throws  bad_input naming the field, its value and what is allowed
std::vector<model::model> chosen_models(const which_options& options);

/// The same where exactly one is needed.
model::model chosen_model(const which_options& options);

/// Keeps a line on the model, and its warnings, in the session for `announce`.
void tell(const model::model& model, session& session);

/// Positions of tokens: a range, a list from a file, or a list of real numbers.
struct position_list {
  position_range range{};
  std::vector<std::int32_t> listed;
  std::vector<double> real;  // finite, never -0; when there are any, they alone are the positions
  bool is_listed = false;

  bool is_real() const { return !real.empty(); }
  std::int64_t size() const {
    if (is_real()) return static_cast<std::int64_t>(real.size());
    return is_listed ? static_cast<std::int64_t>(listed.size()) : ropewalk::size(range);
  }
  /// domain  positions that are not real
  std::int64_t at(std::int64_t row) const {
    return is_listed ? listed[static_cast<std::size_t>(row)] : range.begin + row;
  }
  double real_at(std::int64_t row) const { return real[static_cast<std::size_t>(row)]; }
  double number_at(std::int64_t row) const { return is_real() ? real_at(row) : static_cast<double>(at(row)); }
  std::int64_t smallest_seq_len() const;        // of a sequence that holds these positions; 1 or above
  std::string text_at(std::int64_t row) const;  // "7", "0.1": the shortest decimal that reads back
  std::string text() const;                     // "0:131072", "17 listed", or "17 listed in binary64"
};

/// --positions N | A:B | FILE.npy, or --positions-f64 FILE.npy; without either 0 .. max_position_embeddings - 1
/// of the model, else 2048 positions.
position_list chosen_positions(const which_options& options, const model::model& model);

/// Without --seq-len, sets the length that the model's table is for to that of a sequence that ends with the
/// largest position, as Hugging Face transformers does; then tells of the model.
void settle_seq_len(const which_options& options, model::model& model, const position_list& positions,
                    session& session);

/// A whole number from an option.
///
/// throws  bad_input "FIELD is TEXT; allowed: a whole number from A to B"
std::int64_t whole_number(const std::string& field, const std::string& text, std::int64_t smallest,
                          std::int64_t largest);

/// Worker threads from --threads; empty text means as many as the machine runs at once.
int thread_count(const std::string& text);

}  // namespace ropewalk::command
