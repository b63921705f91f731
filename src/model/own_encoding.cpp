#include "model/own_encoding.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "input/bad_input.hpp"
#include "input/json_text.hpp"
#include "model/config_file.hpp"
#include "model/gguf_config.hpp"
#include "model/other_types.hpp"
#include "model/text_body.hpp"
#include "ropewalk/config/alibi.hpp"
#include "ropewalk/config/sinusoidal.hpp"
#include "ropewalk/config/t5_bias.hpp"

namespace ropewalk::model {

using namespace input;
namespace {

/// One number of an encoding, and its keys in a configuration.
struct number_key {
  std::string_view name;    // common term for the number
  std::string_view option;  // option of `ropewalk table`; empty: none
  std::string_view keys;    // separated by spaces; the keys that are present must agree
  std::int64_t usual = 0;   // the class's default; 0: none
  std::int64_t smallest = 1;
};

enum class own_kind { alibi, t5, sinusoidal, learned };

struct own_type {
  std::string_view names;  // names of types, separated by spaces
  own_kind kind;
  number_key first, second;
  std::string_view remark{};
  std::string_view shift{}, layout{};  // of sinusoids
  std::string_view form{};             // of ALiBi
};

constexpr number_key heads_key(std::string_view keys, std::int64_t usual) {
  return {"heads", "--heads", keys, usual};
}
constexpr number_key d_model_key(std::string_view keys, std::int64_t usual) {
  return {"d_model", "--d-model", keys, usual, 2};
}
constexpr number_key width_key(std::string_view keys, std::int64_t usual) {
  return {"d_model", "", keys, usual};
}
constexpr number_key rows_key(std::string_view keys, std::int64_t usual) {
  return {"max_position_embeddings", "", keys, usual};
}
constexpr number_key padding_key(std::int64_t usual) {
  return {"padding_idx", "--padding-idx", "pad_token_id", usual, 0};
}
constexpr number_key positions_of_sinusoids{"positions", "--positions",
                                            "max_source_positions max_position_embeddings n_positions", 0};
constexpr number_key fixed_padding{"padding_idx", "--padding-idx", "", 1, 0};
constexpr number_key padding_of_rows_key{"padding_idx", "", "pad_token_id", 1, 0};
constexpr number_key buckets_key{"buckets", "--buckets", "relative_attention_num_buckets", 32, 4},
    distance_key{"max_distance", "--max-distance", "relative_attention_max_distance", 128};
constexpr number_key positions_key = rows_key("max_position_embeddings", 512);

constexpr std::string_view
    from_row_2 = "position p has row p + 2: the table has two extra rows",
    opt_rows = "position p has row p + 2, counted over attended tokens: the table has two extra rows",
    decoder_remark = "causal: it is a decoder",
    from_padding = "position p has row p + padding_idx + 1, counted over tokens that are not padding",
    one_bias =
        "layer 0 has the bias, and all other layers add the same one; encoders tell directions "
        "apart, decoders are causal",
    halves = "sin-cos", t2t = "1", paper = "0";  // shifts

constexpr own_type own_types[] = {
    {"bloom", own_kind::alibi, heads_key("n_head num_attention_heads", 8), {}, {}, {}, {}, "bloom"},
    {"mpt", own_kind::alibi, heads_key("n_heads", 16), {}, {}, {}, {}, "mpt"},
    {"falcon",
     own_kind::alibi,
     heads_key("num_attention_heads n_head", 71),
     {},
     "slopes and biases are rounded to bfloat16, and the bias is divided by sqrt(head_dim) together with the "
     "scores",
     {},
     {},
     "bloom"},
    {"t5 mt5 longt5 switch_transformers pop2piano udop", own_kind::t5, buckets_key, distance_key, one_bias},
    {"umt5", own_kind::t5, buckets_key, distance_key,
     "every layer has a bias of its own; encoders tell directions apart, decoders are causal"},
    {"pix2struct_text_model", own_kind::t5, buckets_key, distance_key, decoder_remark},
    {"wavlm",
     own_kind::t5,
     {"buckets", "--buckets", "num_buckets", 320, 4},
     {"max_distance", "--max-distance", "max_bucket_distance", 800},
     "the bias is gated by the query; directions are sources apart"},
    {"marian pegasus", own_kind::sinusoidal, d_model_key("d_model", 1024), {}, {}, paper, halves},
    {"autoformer informer time_series_transformer",
     own_kind::sinusoidal,
     d_model_key("d_model", 64),
     {},
     {},
     paper,
     halves},
    {"ctrl", own_kind::sinusoidal, d_model_key("n_embd", 1280), {}, {}, paper, halves},
    {"m2m_100 fsmt", own_kind::sinusoidal, d_model_key("d_model", 1024), padding_key(1), from_padding, t2t,
     halves},
    {"nllb-moe", own_kind::sinusoidal, d_model_key("d_model", 1024), padding_key(1), from_padding, t2t,
     halves},
    {"speech_to_text", own_kind::sinusoidal, d_model_key("d_model", 256), padding_key(1), from_padding, t2t,
     halves},
    {"xglm", own_kind::sinusoidal, d_model_key("d_model", 1024), fixed_padding, from_row_2, t2t, halves},
    {"pegasus_x", own_kind::sinusoidal, d_model_key("d_model", 1024), {}, {}, t2t, halves},
    {"whisper",
     own_kind::sinusoidal,
     d_model_key("d_model", 384),
     {},
     "of the encoder, frozen and read from the weights; the decoder adds a learned row for each position",
     t2t,
     halves},
    {"qwen2_audio_encoder voxtral_encoder audioflamingo3_encoder",
     own_kind::sinusoidal,
     d_model_key("d_model", 1280),
     {},
     "a frozen table, read from the weights",
     t2t,
     halves},
    {"musicgen_decoder musicgen_melody_decoder",
     own_kind::sinusoidal,
     d_model_key("hidden_size", 1024),
     {},
     {},
     t2t,
     "cos-sin"},
    {"gpt2 gpt_bigcode", own_kind::learned, rows_key("n_positions", 1024), width_key("n_embd", 768)},
    {"openai-gpt", own_kind::learned, rows_key("n_positions", 512), width_key("n_embd", 768)},
    {"imagegpt", own_kind::learned, rows_key("n_positions", 1024), width_key("n_embd", 512)},
    {"gpt_neo", own_kind::learned, rows_key("max_position_embeddings", 2048), width_key("hidden_size", 2048)},
    {"bert bert-generation ernie megatron-bert squeezebert visual_bert roc_bert lxmert layoutlm splinter "
     "tapas git dpr",
     own_kind::learned, positions_key, width_key("hidden_size", 768)},
    {"albert electra", own_kind::learned, positions_key, width_key("embedding_size", 128)},
    {"convbert", own_kind::learned, positions_key, width_key("embedding_size", 768)},
    {"rembert", own_kind::learned, positions_key, width_key("input_embedding_size", 256)},
    {"mobilebert", own_kind::learned, positions_key, width_key("hidden_size", 512)},
    {"big_bird", own_kind::learned, rows_key("max_position_embeddings", 4096), width_key("hidden_size", 768)},
    {"fnet", own_kind::learned, positions_key, width_key("hidden_size", 768)},
    {"clip_text_model clipseg_text_model", own_kind::learned, rows_key("max_position_embeddings", 77),
     width_key("hidden_size", 512)},
    {"siglip_text_model siglip2_text_model", own_kind::learned, rows_key("max_position_embeddings", 64),
     width_key("hidden_size", 768)},
    {"blenderbot", own_kind::learned, rows_key("max_position_embeddings", 128), width_key("d_model", 2560)},
    {"blenderbot-small", own_kind::learned, positions_key, width_key("d_model", 512)},
    {"bart mbart mvp plbart", own_kind::learned, rows_key("max_position_embeddings", 1024),
     width_key("d_model", 1024), from_row_2},
    {"biogpt", own_kind::learned, rows_key("max_position_embeddings", 1024), width_key("hidden_size", 1024),
     from_row_2},
    {"opt", own_kind::learned, rows_key("max_position_embeddings", 2048), width_key("hidden_size", 768),
     opt_rows},
    {"mra nystromformer", own_kind::learned, positions_key, width_key("hidden_size", 768), from_row_2},
    {"yoso", own_kind::learned, rows_key("max_position_embeddings", 4096), width_key("hidden_size", 768),
     from_row_2},
    {"camembert data2vec-text ibert lilt longformer luke markuplm roberta roberta-prelayernorm xlm-roberta "
     "xmod",
     own_kind::learned, positions_key, width_key("hidden_size", 768), from_padding},
    {"xlm-roberta-xl", own_kind::learned, rows_key("max_position_embeddings", 514),
     width_key("hidden_size", 2560), from_padding},
};

struct described {
  std::string_view encoding;
  std::vector<std::string_view> kinds;
};

described description_of(own_kind kind) {
  switch (kind) {
    case own_kind::alibi: return {"ALiBi", {"alibi-slopes", "alibi-bias"}};
    case own_kind::t5: return {"T5's buckets of distances", {"t5-buckets"}};
    case own_kind::sinusoidal: return {"sinusoidal", {"sinusoidal"}};
    case own_kind::learned: return {"learned rows", {"learned"}};
  }
  return {};
}

class own_reader {
 public:
  own_reader(own_encoding& result, const text_body& text, const own_type& type, bool is_of_gguf)
      : result_(result), keys_(*text.keys), path_(text.path.empty() ? "" : text.path + ".") {
    const described described = description_of(type.kind);
    result.encoding = described.encoding, result.kinds = described.kinds;
    if (const std::string kind = text_in(keys_, "position_embedding_type", path_);
        type.kind == own_kind::learned && !kind.empty() && kind != "absolute")
      throw bad_input(path_ + "position_embedding_type", kind,
                      "absolute: rows of distances beside the learned rows are not built");
    result.facts.push_back({"encoding", std::string(described.encoding), text.type_origin});
    number(type.first);
    number(type.second);
    if (type.kind == own_kind::sinusoidal) number(positions_of_sinusoids);
    if (type.remark == from_padding && type.kind == own_kind::learned) number(padding_of_rows_key);
    word("shift", "--shift", type.shift);
    word("layout", "--layout", type.layout);
    if (is_of_gguf)  // -slope |query - key|, in every architecture. source  set_input_kq_mask in llama.cpp
      word("form", "--form", type.form.empty() ? "" : "symmetric", "by architecture");
    else
      word("form", "--form", type.form);
    if (type.kind == own_kind::learned) find_first_row(type);
    if (type.remark == decoder_remark) result.options["--causal"] = "given";
    if (!type.remark.empty()) result.remarks.emplace_back(type.remark);
    if (type.names == "mpt") report_ignored_flags();
    check();
  }

 private:
  static constexpr std::string_view of_code = "the type's code";
  static constexpr long long most = std::numeric_limits<int>::max();

  void number(const number_key& named) {
    if (named.name.empty()) return;
    if (named.keys.empty()) return add(named, named.usual, "the type's code");
    given<std::int64_t> taken;
    std::string origin;
    std::string_view left = named.keys;
    for (std::size_t end = 0; !left.empty(); left.remove_prefix(end)) {
      end = std::min(left.find(' '), left.size());
      const std::string key = path_ + std::string(left.substr(0, end));
      const given<std::int64_t> t = integer_in(keys_, left.substr(0, end), named.smallest, path_);
      if (end < left.size()) ++end;
      if (!t) continue;
      if (taken && taken.value != t.value)
        throw bad_input(key, std::to_string(t.value),
                        std::to_string(taken.value) + ", as " + origin + " says");
      taken = t, origin = key;
    }
    if (taken)
      add(named, taken.value, origin);
    else if (named.usual > 0 || named.smallest == 0)
      add(named, named.usual, "the default of the type's class");
  }

  /// Finds the row of position 0, and the number of rows of the table.
  void find_first_row(const own_type& type) {
    const auto number_named = [&](std::string_view name) {
      for (const fact& fact : result_.facts)
        if (fact.name == name) return static_cast<std::int64_t>(std::stoll(fact.value));
      return std::int64_t{0};
    };
    const bool begins_at_2 = type.remark == from_row_2 || type.remark == opt_rows;
    const bool follows_padding = type.remark == from_padding;
    result_.first_row = begins_at_2 ? 2 : follows_padding ? number_named("padding_idx") + 1 : 0;
    result_.least_rows = number_named("max_position_embeddings") + (begins_at_2 ? 2 : 0);
    if (result_.first_row > 0) result_.options["--first-row"] = std::to_string(result_.first_row);
  }

  /// Reports MPT's flags, which its weights' own code reads and transformers' code does not.
  void report_ignored_flags() {
    const json& block = value_of(keys_, "attn_config");
    if (!block.is_object()) return;
    for (const auto& [key, plain] : {std::pair("alibi", json(true)), std::pair("rope", json(false)),
                                     std::pair("alibi_bias_max", json(8))})
      if (const json& value = value_of(block, key); !value.is_null() && value != plain)
        result_.remarks.push_back(
            "attn_config." + std::string(key) + " is " + shown(value) +
            ": transformers' code does not read it, and has ALiBi with slopes down to 2^-8");
  }

  /// Refuses numbers that the encoding cannot have.
  void check() const {
    const auto number_named = [&](std::string_view option) {
      const auto match = result_.options.find(option);
      return match == result_.options.end() ? 0 : static_cast<int>(std::min(std::stoll(match->second), most));
    };
    if (const int heads = number_named("--heads")) validate(alibi{.heads = heads});
    if (const int buckets = number_named("--buckets"))
      validate(t5_bias{.buckets = buckets, .max_distance = number_named("--max-distance")});
    if (const int width = number_named("--d-model")) validate(sinusoidal{.d_model = width});
  }

  void add(const number_key& key, std::int64_t value, std::string origin) {
    result_.facts.push_back({std::string(key.name), std::to_string(value), std::move(origin)});
    if (!key.option.empty()) result_.options[key.option] = std::to_string(value);
  }

  void word(const char* name, std::string_view option, std::string_view value,
            std::string_view origin = of_code) {
    if (value.empty()) return;
    result_.facts.push_back({name, std::string(value), std::string(origin)});
    result_.options[option] = value;
  }

  own_encoding& result_;
  const json& keys_;
  std::string path_;
};

}  // namespace

std::optional<own_encoding> read_own_encoding(const std::string& path) {
  const json root = config_of(config_text(path), path);
  const text_body text = text_body_of(root);
  for (const own_type& type : own_types)
    if (has_word(type.names, text.model_type)) {
      if (type.names == "falcon" && !flag_in(*text.keys, "alibi").value_or(false))
        continue;  // falcon without ALiBi rotates
      own_encoding encoding;
      encoding.name = path;
      own_reader(encoding, text, type, is_of_gguf(root));
      for (fact& fact : encoding.facts) fact.origin = in_words_of_gguf(root, std::move(fact.origin));
      return encoding;
    }
  return std::nullopt;
}

}  // namespace ropewalk::model
