#include "model/class_widths.hpp"

#include "model/other_types.hpp"

namespace ropewalk::model {
namespace {

struct width_row {
  std::string_view names;  // names of types, separated by spaces
  int hidden_size;
  int heads;
};

constexpr width_row width_rows[] = {
    {"moonshine_streaming", 320, 8},
    {"lasr_encoder mimi", 512, 8},
    {"openai_privacy_filter", 640, 14},
    {"nanochat", 768, 6},
    {"blt_patcher clvp_encoder esm eurobert modernbert modernbert-decoder nomic_bert "
     "roformer wav2vec2-conformer",
     768, 12},
    {"csm_depth_decoder_model doge", 1024, 8},
    {"blt_local_decoder blt_local_encoder dia_encoder ernie4_5 glm_ocr_text "
     "jina_embeddings_v3 paddleocr_vl_text qwen2_5_omni_dit "
     "qwen3_omni_moe_talker_code_predictor qwen3_omni_moe_talker_text wav2vec2-bert "
     "xcodec2",
     1024, 16},
    {"timesfm2_5", 1280, 16},
    {"glmasr_encoder", 1280, 20},
    {"voxtral_realtime_encoder", 1280, 32},
    {"hrm_text", 1536, 12},
    {"pe_audio_encoder pe_audio_video_encoder pe_video_encoder", 1792, 14},
    {"gemma3n_text zaya", 2048, 8},
    {"afmoe blt_global_transformer cosmos3_edge_text dia_decoder olmoe qwen2_moe "
     "qwen3_5_moe_text qwen3_next qwen3_vl_moe_text smollm3 youtu",
     2048, 16},
    {"glm4_moe_lite", 2048, 20},
    {"qwen3_omni_moe_text", 2048, 28},
    {"axk2 csm diffllama kyutai_speech_to_text lfm2_moe phi qwen3_moe", 2048, 32},
    {"laguna", 2048, 48},
    {"diffusion_gemma_text gemma2 gemma3_text gemma4_text gemma4_unified_text "
     "t5_gemma_module t5gemma2_decoder t5gemma2_text vaultgemma",
     2304, 8},
    {"mellum", 2304, 32},
    {"recurrent_gemma", 2560, 10},
    {"bitnet ernie4_5_moe ernie4_5_vl_moe_text granite_swa helium", 2560, 20},
    {"arcee gpt_neox_japanese lfm2 stablelm zamba2", 2560, 32},
    {"minicpm3", 2560, 40},
    {"gpt_oss", 2880, 64},
    {"gemma", 3072, 16},
    {"higgs_audio_v2 starcoder2", 3072, 24},
    {"phi3 phi4_multimodal", 3072, 32},
    {"minimax_m2", 3072, 48},
    {"jais2", 3328, 26},
    {"qwen2_5_omni_talker qwen2_5_omni_text", 3584, 28},
    {"olmo_hybrid", 3840, 30},
    {"qwen3_5_text", 4096, 16},
    {"apertus aria_text bamba chameleon deepseek_ocr2_encoder deepseek_ocr2_text "
     "deepseek_v2 emu3_text_model evolla exaone4 exaone4_5_text exaone_moe falcon_h1 flex_olmo glm "
     "glm4 glm4v_text glm_image_text granite granite4_vision_text granitemoe "
     "granitemoe_swa granitemoehybrid granitemoeshared hunyuan_v1_dense hunyuan_v1_moe "
     "hunyuan_vl_text hyperclovax idefics llama minimax ministral ministral3 mistral "
     "mistral4 mixtral mllama_text_model moshi olmo olmo2 olmo3 phimoe qwen2 qwen3 "
     "qwen3_vl_text voxtral_realtime_text",
     4096, 32},
    {"deepseek_v4 hy_v3 mimo_v2_flash persimmon solar_open step3p5", 4096, 64},
    {"seed_oss", 4096, 80},
    {"glm4_moe glm4v_moe_text", 4096, 96},
    {"falcon", 4544, 71},
    {"dots1", 4608, 32},
    {"llama4_text", 5120, 40},
    {"cwm nemotron", 6144, 48},
    {"glm_moe_dsa gpt_neox longcat_flash minimax_m3_vl_text", 6144, 64},
    {"muse_glimmer_assistant muse_glimmer_text", 6656, 32},
    {"axk1", 7168, 64},
    {"deepseek_v3 deepseek_v32", 7168, 128},
    {"cohere cohere2 cohere2_moe cohere_compass_text qwen2_5_vl_text qwen2_vl_text", 8192, 64},
};

}  // namespace

class_widths widths_of_class(std::string_view model_type) {
  for (const width_row& row : width_rows)
    if (has_word(row.names, model_type)) return {row.hidden_size, row.heads};
  return {};
}

}  // namespace ropewalk::model
