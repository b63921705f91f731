#include "model/type_rows.hpp"

namespace ropewalk::model {
namespace {

constexpr std::string_view
    turns_values = "a type that turns query and key alone: this one turns values too, which is not built",
    turns_hidden_state =
        "a type that turns query and key: this one turns the hidden state before their weights, which is not "
        "built",
    biases_scores =
        "a type that rotates: the code of this one adds ALiBi to the scores, whatever its flags say";

constexpr model_type gptj_keys = {.layout = interleaved,
                                  .base = "",
                                  .reads_block_base = false,
                                  .hidden_size = "n_embd",
                                  .heads = "n_head",
                                  .positions = "n_positions",
                                  .rotary_dim = "rotary_dim",
                                  .default_rotary_dim = 64,
                                  .rotary_part = "",
                                  .rules = "default"};
constexpr model_type deepseek_v2_keys = {.layout = interleaved,
                                         .head_dim = "qk_rope_head_dim",
                                         .default_head_dim = 64,
                                         .rotary_part = "",
                                         .unrotated_dim = "qk_nope_head_dim"};
constexpr model_type glm_keys = {
    .layout = interleaved, .doubles_by_halves = true, .default_head_dim = 128, .missing_part = 0.5};
constexpr model_type deepseek_v3_keys(std::string_view flag = "rope_interleave") {
  model_type keys = deepseek_v2_keys;
  keys.interleaves = flag;
  keys.writes_half_split = true;
  return keys;
}
constexpr model_type deepseek_v32_keys() {
  model_type keys = deepseek_v3_keys("");
  keys.remark = "its indexer turns the first channels of its own heads, half-split";
  return keys;
}
// Scale of the whole head, in all layers. source  get_llama_4_attn_scale in Hugging Face transformers
constexpr query_scale_rule scale_of_block = {.strength = "llama_4_scaling_beta",
                                             .length = "original_max_position_embeddings",
                                             .is_in_scaling_block = true};
constexpr model_type mistral4_keys() {
  model_type keys = deepseek_v3_keys();
  keys.has_part_of_all = true;
  keys.missing_block =
      R"({"rope_theta": 10000, "rope_type": "yarn", "factor": 128, "original_max_position_embeddings": 8192,
                          "beta_fast": 32, "beta_slow": 1, "mscale": 1, "mscale_all_dim": 1,
                          "llama_4_scaling_beta": 0.1})";
  keys.query_scale = scale_of_block;
  return keys;
}
constexpr model_type gpt_oss_keys = {
    .default_base = 150000,
    .default_head_dim = 64,
    .missing_block =
        R"({"rope_type": "yarn", "factor": 32, "beta_fast": 32, "beta_slow": 1, "truncate": false,
                         "original_max_position_embeddings": 4096})"};
constexpr model_type qwen_vl_keys = {.default_base = 1000000, .axes = axis_order::runs};
constexpr model_type qwen3_vl_keys = {
    .default_base = 500000, .axes = axis_order::modulo, .missing_sections = {24, 20, 20}, .norm = head_norm};
constexpr model_type glm4v_keys = {
    .has_part = true, .axes = axis_order::runs, .missing_sections = {8, 12, 12}};
constexpr model_type glm4v_interleaved_keys = {
    .layout = interleaved, .has_part = true, .axes = axis_order::runs, .missing_sections = {8, 12, 12}};
constexpr model_type blt_keys = {.layout = interleaved, .default_base = 500000, .divides_hidden_size = true};
constexpr model_type glm4v_text_keys() {
  model_type keys = glm4v_interleaved_keys;
  keys.divides_hidden_size = true;
  return keys;
}
constexpr model_type hunyuan_keys = {
    .other_head_dim = "attention_head_dim", .has_alpha = true, .norm = head_norm_after};
constexpr model_type wide_head_keys = {.default_head_dim = 128};
constexpr model_type large_base_keys = {.default_base = 500000};
constexpr model_type gemma_keys = {.default_head_dim = 256};
constexpr model_type minimax_keys = {.default_base = 5000000,
                                     .default_head_dim = 128,
                                     .rotary_dim = "rotary_dim",
                                     .default_rotary_dim = -1,
                                     .has_part = true,
                                     .norm = token_norm,
                                     .other_code =
                                         "transformers before pull request 48486, which does not read "
                                         "rotary_dim",
                                     .other_turns_all = true};

constexpr model_type rows_of_like_layers[] = {
    {.name = "apertus",
     .default_base = 12000000,
     .missing_block =
         R"({"rope_theta": 12000000, "rope_type": "llama3", "factor": 8,
             "original_max_position_embeddings": 8192,
                          "low_freq_factor": 1, "high_freq_factor": 4})",
     .norm = head_norm},
    {.name = "arcee"},
    {.name = "aria_text"},
    named("axk1", deepseek_v3_keys()),
    {.name = "axk2",
     .layout = interleaved,
     .writes_half_split = true,
     .head_dim = "qk_rope_head_dim",
     .default_head_dim = 32,
     .rotary_part = "",
     .unrotated_dim = "qk_nope_head_dim",
     .remark = "its indexer turns the first channels of its own heads, half-split"},
    named("bitnet", large_base_keys),
    {.name = "bloom", .not_built = biases_scores},
    named("blt", blt_keys),
    named("blt_global_transformer", blt_keys),
    named("blt_local_decoder", blt_keys),
    named("blt_local_encoder", blt_keys),
    named("blt_patcher", {.layout = interleaved, .divides_hidden_size = true}),
    {.name = "chameleon", .divides_hidden_size = true, .norm = layer_norm},
    {.name = "chatglm",  // remote code
     .layout = interleaved,
     .interleaves = "original_rope",
     .base = "",
     .reads_block_base = false,
     .key_heads = "multi_query_group_num",
     .head_dim = "kv_channels",
     .positions = "seq_length",
     .rotary_part = "",
     .missing_part = 0.5,
     .base_ratio = "rope_ratio"},
    {.name = "clvp_encoder", .not_built = turns_values},
    named("codegen", gptj_keys),
    {.name = "cohere",
     .layout = interleaved,
     .default_base = 500000,
     .norm = "LayerNorm of each head, before the rotation, if use_qk_norm"},
    {.name = "cosmos3_edge_text",
     .default_base = 100000000,
     .rules = "default",
     .axes = axis_order::modulo,
     .missing_sections = {24, 20, 20}},
    named("csm", large_base_keys),
    named("csm_depth_decoder_model", large_base_keys),
    {.name = "cwm",
     .default_base = 1000000,
     .default_head_dim = 128,
     .missing_block =
         R"({"rope_theta": 1000000, "rope_type": "llama3", "factor": 16,
             "original_max_position_embeddings": 8192,
                          "low_freq_factor": 1, "high_freq_factor": 4})"},
    {.name = "dbrx",
     .base = "attn_config.rope_theta",
     .hidden_size = "d_model",
     .heads = "n_heads",
     .divides_hidden_size = true,
     .positions = "max_seq_len",
     .other_code = "transformers 5, which does not read attn_config.rope_theta",
     .other_base = 10000},
    {.name = "deepseek_ocr2_encoder"},
    {.name = "deepseek_ocr2_text"},
    named("deepseek_v2", deepseek_v2_keys),
    named("deepseek_v3", deepseek_v3_keys()),
    named("deepseek_v32", deepseek_v32_keys()),
    named("dia_decoder", wide_head_keys),
    named("dia_encoder", wide_head_keys),
    {.name = "diffllama"},
    {.name = "doge", .norm = head_norm},
    {.name = "dots1", .norm = head_norm},
    {.name = "emu3_text_model", .default_base = 1000000},
    {.name = "ernie4_5",
     .layout = interleaved,
     .doubles_by_halves = true,
     .default_base = 500000,
     .default_head_dim = 128},
    {.name = "ernie4_5_moe", .layout = interleaved, .doubles_by_halves = true, .default_base = 500000},
    {.name = "ernie4_5_vl_moe_text",
     .not_built =
         "a type whose axes take runs or every third pair: in this one height and width alternate, which "
         "is not built"},
    {.name = "esm", .rules = "default", .needs = "position_embedding_type=rotary"},
    {.name = "eurobert"},
    {.name = "evolla", .default_base = 500000},
    {.name = "EvollaModel", .default_base = 500000},
    {.name = "exaone"},  // remote code
    {.name = "falcon", .key_heads = "num_kv_heads"},
    {.name = "falcon_h1", .remark = "the key is multiplied by key_multiplier before the rotation"},
    {.name = "flex_olmo", .default_base = 500000, .norm = token_norm},
    named("gemma", gemma_keys),
    named("gemma2", gemma_keys),
    named("glm", glm_keys),
    named("glm4", glm_keys),
    {.name = "glm4_moe",
     .missing_part = 0.5,
     .norm = "RMS of each head, before the rotation, if use_qk_norm"},
    {.name = "glm4_moe_lite",
     .layout = interleaved,
     .interleaves = "rope_interleave",
     .writes_half_split = true,
     .head_dim = "qk_rope_head_dim",
     .default_head_dim = 64,
     .has_part = true,
     .unrotated_dim = "qk_nope_head_dim"},
    {.name = "glm4v_moe_text",
     .missing_part = 0.5,
     .axes = axis_order::runs,
     .missing_sections = {8, 12, 12}},
    named("glm4v_text", glm4v_text_keys()),
    named("glm_image_text", glm4v_keys),
    {.name = "glm_moe_dsa",
     .layout = interleaved,
     .writes_half_split = true,
     .head_dim = "qk_rope_head_dim",
     .default_head_dim = 64,
     .rotary_part = "",
     .unrotated_dim = "qk_nope_head_dim",
     .remark =
         "its indexer turns the first channels of its own heads, read interleaved and written half-split"},
    named("glm_ocr_text", glm4v_interleaved_keys),
    {.name = "glmasr_encoder", .missing_part = 0.5},
    {.name = "gpt_neox", .base = "rotary_emb_base", .rotary_part = "rotary_pct", .missing_part = 0.25},
    {.name = "gpt_neox_japanese",
     .base = "rotary_emb_base",
     .rotary_part = "",
     .unused = "rotary_pct",
     .remark = "the whole head turns, whatever rotary_pct says"},
    named("gpt_oss", gpt_oss_keys),
    named("gptj", gptj_keys),
    {.name = "granite"},
    {.name = "granite4_vision_text"},
    {.name = "granitemoe"},
    {.name = "granitemoeshared"},
    {.name = "helium",
     .layout = interleaved,
     .doubles_by_halves = true,
     .default_base = 100000,
     .default_head_dim = 128},
    {.name = "higgs_audio_v2",
     .default_base = 500000,
     .default_head_dim = 128,
     .missing_block =
         R"({"rope_theta": 500000, "rope_type": "llama3", "factor": 32,
             "original_max_position_embeddings": 1024,
                          "low_freq_factor": 0.125, "high_freq_factor": 0.5})"},
    {.name = "hrm_text", .default_head_dim = 128},
    {.name = "hunyuan_image_3_moe",  // remote code
     .not_built =
         "a type that counts tokens: this one puts a picture around its place in the line, which is not "
         "built; --axes hunyuan-image-3 has its axes"},
    named("hunyuan_v1_dense", hunyuan_keys),
    named("hunyuan_v1_moe", hunyuan_keys),
    {.name = "hunyuan_vl_text",
     .not_built = "a type of one or three axes: this one has a section for each of four, which is not built"},
    {.name = "hy_v3", .default_base = 11158840, .default_head_dim = 128, .norm = head_norm},
    {.name = "hyperclovax"},
    {.name = "idefics",
     .base = "",
     .reads_block_base = false,
     .rules = "default",
     .norm = "RMS of each head, after the rotation, if qk_layer_norms"},
    {.name = "internlm2"},  // remote code
    {.name = "jais2"},
    {.name = "jetmoe", .head_dim = "kv_channels", .default_head_dim = 128},
    {.name = "jina_embeddings_v3", .default_base = 20000, .unused = "rotary_emb_base rotary_emb_fraction"},
    named("kimi_k2", deepseek_v3_keys()),  // remote code
    {.name = "kyutai_speech_to_text"},
    {.name = "lasr_encoder"},
    {.name = "llama"},
    {.name = "longcat_flash",
     .layout = interleaved,
     .writes_half_split = true,
     .default_base = 10000000,
     .head_dim = "qk_rope_head_dim",
     .default_head_dim = 64,
     .rotary_part = "",
     .unrotated_dim = "qk_nope_head_dim"},
    {.name = "mimi"},
    {.name = "minicpm"},  // remote code
    {.name = "minicpm3",
     .head_dim = "qk_rope_head_dim",
     .default_head_dim = 32,
     .rotary_part = "",
     .unrotated_dim = "qk_nope_head_dim"},
    named("minimax_m2", minimax_keys),
    {.name = "minimax_m3_vl_text",
     .default_base = 5000000,
     .default_head_dim = 128,
     .has_part = true,
     .unused = "rotary_dim",
     .norm = unit_norm,
     .remark = "its indexer turns the first channels of its own heads, half-split"},
    {.name = "ministral"},
    {.name = "ministral3",
     .default_base = 1000000,
     .default_head_dim = 128,
     .missing_block =
         R"({"rope_theta": 1000000, "rope_type": "yarn", "factor": 16,
             "original_max_position_embeddings": 16384,
                          "mscale": 1, "mscale_all_dim": 1, "llama_4_scaling_beta": 0.1})",
     .query_scale = scale_of_block},
    {.name = "mistral"},
    named("mistral4", mistral4_keys()),
    {.name = "mistral_params",  // params.json, as Mistral publishes its weights
     .layout = interleaved,
     .hidden_size = "dim",
     .heads = "n_heads",
     .key_heads = "n_kv_heads",
     .has_yarn_block = true,
     .query_scale = {.strength = "beta",
                     .length = "original_max_position_embeddings",
                     .block = "llama_4_scaling"}},
    {.name = "mixtral", .default_base = 1000000},
    {.name = "moonshine",
     .layout = interleaved,
     .heads = "decoder_num_attention_heads",
     .key_heads = "decoder_num_key_value_heads",
     .missing_part = 0.9},
    {.name = "moonshine_streaming", .layout = interleaved, .missing_part = 0.8, .blocks_turn_all = true},
    {.name = "moshi"},
    {.name = "mpt", .not_built = biases_scores},
    {.name = "muse_glimmer_assistant", .default_base = 500000, .default_head_dim = 128, .norm = head_norm},
    {.name = "musicflamingo",
     .not_built =
         "a type that turns by the token's position: this one turns audio by its time, which is not built"},
    {.name = "nanochat",
     .not_built = "a type that turns by the position: this one turns by its negative, which is not built"},
    {.name = "nemotron", .missing_part = 0.5},
    {.name = "nomic_bert", .default_base = 1000, .unused = "rotary_emb_base rotary_emb_fraction"},
    {.name = "olmo"},
    {.name = "olmo2", .norm = token_norm},
    {.name = "olmoe", .norm = token_norm},
    named("openai_privacy_filter", {.layout = interleaved,
                                    .default_base = 150000,
                                    .default_head_dim = 64,
                                    .missing_block = gpt_oss_keys.missing_block}),
    {.name = "paddleocr_vl_text", .default_base = 500000, .default_head_dim = 128, .axes = axis_order::runs},
    {.name = "pe_audio_encoder",
     .layout = interleaved,
     .base = "",
     .default_base = 20000,
     .bare_block_base = 10000,
     .default_head_dim = 128,
     .norm = head_norm},
    {.name = "pe_audio_video_encoder",
     .layout = interleaved,
     .base = "",
     .default_base = 20000,
     .bare_block_base = 10000,
     .default_head_dim = 128,
     .norm = head_norm},
    {.name = "pe_video_encoder",
     .layout = interleaved,
     .base = "",
     .default_base = 20000,
     .bare_block_base = 10000,
     .default_head_dim = 128,
     .norm = head_norm},
    {.name = "persimmon", .divides_hidden_size = true, .missing_part = 0.5, .norm = layer_norm_if_asked},
    {.name = "phi", .missing_part = 0.5, .norm = layer_norm_if_asked},
    {.name = "phi3", .has_part = true, .rules = "default longrope", .is_yarn_longrope = true},
    {.name = "phi4_multimodal", .has_part = true, .rules = "default longrope", .is_yarn_longrope = true},
    {.name = "phimoe",
     .default_base = 1000000,
     .rules = "default longrope",
     .needs_mscales = true,
     .remark = "transformers 5 takes the short list at every length"},
    {.name = "qwen2"},
    {.name = "qwen2_5_omni_dit",
     .not_built = "a type that turns every head: this one turns the first alone, which is not built"},
    {.name = "qwen2_5_omni_talker",
     .default_base = 1000000,
     .default_head_dim = 128,
     .axes = axis_order::runs},
    named("qwen2_5_omni_text", qwen_vl_keys),
    named("qwen2_5_vl", qwen_vl_keys),
    named("qwen2_5_vl_text", qwen_vl_keys),
    {.name = "qwen2_moe"},
    named("qwen2_vl", qwen_vl_keys),
    named("qwen2_vl_text", qwen_vl_keys),
    {.name = "qwen3", .default_head_dim = 128, .norm = head_norm},
    {.name = "qwen3_moe", .norm = head_norm},
    {.name = "qwen3_omni_moe_talker_code_predictor", .default_head_dim = 128, .norm = head_norm},
    {.name = "qwen3_omni_moe_talker_text",
     .axes = axis_order::modulo,
     .missing_sections = {24, 20, 20},
     .norm = head_norm},
    {.name = "qwen3_omni_moe_text",
     .default_base = 1000000,
     .axes = axis_order::modulo,
     .missing_sections = {24, 20, 20},
     .norm = head_norm},
    named("qwen3_vl_moe_text", qwen3_vl_keys),
    {.name = "qwen3_vl_text",
     .default_base = 500000,
     .default_head_dim = 128,
     .axes = axis_order::modulo,
     .missing_sections = {24, 20, 20},
     .norm = head_norm},
    {.name = "roformer",
     .layout = interleaved,
     .base = "",
     .reads_block_base = false,
     .rules = "default",
     .needs = "rotary_value=false",
     .otherwise = "turns values, too, which is not built"},
    {.name = "seamless_m4t", .not_built = turns_hidden_state},
    {.name = "seed_oss", .default_head_dim = 128},
    {.name = "solar_open", .default_base = 1000000, .default_head_dim = 128, .has_part = true},
    {.name = "stablelm", .missing_part = 0.25, .norm = layer_norm_if_asked},
    {.name = "stablelm_epoch", .rotary_part = "rope_pct", .missing_part = 0.25},  // remote code
    {.name = "starcoder2"},
    named("t5_gemma_module", gemma_keys),
    {.name = "telechat3",  // remote code
     .not_built =
         "a type whose yarn has the attention factor 0.1 ln factor + 1: this one has 0.07 for 0.1, which is "
         "not built"},
    {.name = "timesfm2_5", .norm = head_norm_after, .query_factor = "softplus of a learned scale"},
    named("vaultgemma", gemma_keys),
    {.name = "voxtral_realtime_encoder", .default_head_dim = 64},
    {.name = "voxtral_realtime_text"},
    {.name = "wav2vec2-bert", .not_built = turns_hidden_state},
    {.name = "wav2vec2-conformer", .not_built = turns_hidden_state},
    {.name = "xcodec2",
     .not_built =
         "a type that turns by the token's position: this one turns each head by its own number, which is "
         "not built"},
    named("youtu", deepseek_v3_keys()),
};

}  // namespace

std::span<const model_type> types_of_like_layers() { return rows_of_like_layers; }

}  // namespace ropewalk::model
