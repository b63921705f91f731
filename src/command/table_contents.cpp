#include "command/table_contents.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command/chunks.hpp"

namespace ropewalk::command {

std::unique_ptr<table_content> make_table(const table_options& options, table_kind kind, session& session) {
  refuse_foreign_options(options, kind);
  switch (kind) {
    case table_kind::sinusoidal: return make_sinusoidal_table(options, session);
    case table_kind::alibi_slopes:
    case table_kind::alibi_bias: return make_alibi_table(options, kind, session);
    case table_kind::t5_buckets: return make_t5_table(options, session);
    case table_kind::binary:
    case table_kind::normalised:
    case table_kind::sine_only: return make_index_code_table(options, kind, session);
    default: return make_rope_table(options, kind, session);
  }
}

table_description described(table_kind kind) {
  const table_kind_text& text = text_of(kind);
  table_description about;
  about.name = text.name;
  about.array = text.array;
  about.axes = text.shape;
  about.units = text.units;
  about.convention = text.convention;
  return about;
}

std::int64_t rows_a_piece(std::int64_t columns, const input::position_list& positions) {
  // A walk takes many entries at once, a real position is reduced by itself.
  constexpr std::int64_t slower = 64;
  const std::int64_t rows = rows_a_run(columns);
  return positions.is_real() ? std::max<std::int64_t>(1, rows / slower) : rows;
}

void tell_encoding(const input::json& encoding, session& session) {
  std::string text;
  for (const auto& [key, value] : encoding.items()) {
    const std::string shown = value.is_string()         ? value.get<std::string>()
                              : value.is_number_float() ? input::shown(value.get<double>())
                                                        : input::shown(value);
    text += key == "name" ? shown + ":" : (text.back() == ':' ? " " : ", ") + key + " " + shown;
  }
  session.understood += text + "\n";
}

}  // namespace ropewalk::command
