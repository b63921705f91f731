#include "model/other_types.hpp"

namespace ropewalk::model {
namespace {

/// Types of Hugging Face transformers 5 that are not read as a rotation, and what their code does instead.
struct other_types {
  std::string_view name;
  std::string_view names;  // types, separated by spaces
};

constexpr other_types others[] = {
    {"adds a learned bias of T5's buckets of distances to the scores",
     "cpmant longt5 mt5 pix2struct pix2struct_text_model pop2piano prophetnet switch_transformers "
     "t5 udop umt5 wavlm"},
    {"adds learned rows to the tokens, and a bias of T5's buckets to the scores",
     "layoutlmv2 layoutlmv3 layoutxlm mpnet pp_doclayout_v2"},
    {"adds a learned row for each position",
     "aimv2_text_model albert align align_text_model bert bert-generation big_bird bigbird_pegasus "
     "blenderbot blenderbot-small blip_2_qformer blip_text_model canine chinese_clip_text_model "
     "clip clip_text_model clipseg_text_model clvp_decoder coarse_acoustics cohere_asr convbert "
     "decision_transformer dpr electra ernie fine_acoustics flava_text_model fnet git gpt2 "
     "gpt_bigcode gpt_neo groupvit_text_model imagegpt instructblip_qformer "
     "instructblipvideo_qformer layoutlm led lxmert megatron-bert metaclip_2_text_model mobilebert "
     "openai-gpt owlv2_text_model owlvit_text_model rembert roc_bert sam3_lite_text_text_model "
     "semantic siglip2_text_model siglip_text_model splinter squeezebert tapas vilt visual_bert "
     "xclip_text_model"},
    {"adds a learned row for each position, from row 2 on",
     "bart biogpt mbart mra mvp nystromformer opt plbart pp_formulanet yoso"},
    {"adds a learned row for each position, from row padding_idx + 1 on",
     "altclip_text_model bridgetower_text_model camembert clap_text_model data2vec-text ibert lilt "
     "longformer luke markuplm roberta roberta-prelayernorm xlm-roberta xlm-roberta-xl xmod"},
    {"adds learned rows or sinusoids to the tokens, as a flag says", "distilbert flaubert trocr xlm"},
    {"adds sinusoids to the tokens, sines then cosines",
     "autoformer ctrl informer marian pegasus time_series_transformer videoprism_text_model"},
    {"adds sinusoids to the tokens, with tensor2tensor's exponent, from row padding_idx + 1 on",
     "fsmt kosmos_2_5_text_model kosmos_2_text_model m2m_100 nllb-moe seamless_m4t_v2 "
     "speech_to_text speecht5"},
    {"adds sinusoids to the tokens, with tensor2tensor's exponent, from row 2 on", "xglm"},
    {"adds sinusoids to the tokens, with tensor2tensor's exponent",
     "audioflamingo3_encoder pegasus_x qwen2_5_omni_audio_encoder qwen2_audio_encoder "
     "qwen3_asr_encoder qwen3_omni_moe_audio_encoder timesfm tipsv2_text_model voxtral_encoder "
     "whisper"},
    {"adds sinusoids to the tokens, cosines then sines, with tensor2tensor's exponent",
     "musicgen_decoder musicgen_melody_decoder"},
    {"adds sinusoids of a form of its own to the tokens",
     "bros florence_vision patchtsmixer patchtst videomae"},
    {"takes Transformer-XL's sinusoids of distances",
     "fastspeech2_conformer funnel gemma3n_audio gemma4_audio nemotron_asr_streaming_encoder "
     "parakeet_encoder xlnet"},
    {"takes learned rows of clipped distances",
     "granite_speech_encoder granite_speech_plus_encoder phi4_multimodal_audio vits"},
    {"takes DeBERTa's disentangled rows of distances", "deberta deberta-v2 sew-d"},
    {"takes positions from a convolution", "data2vec-audio hubert sew unispeech unispeech-sat wav2vec2"},
    {"takes learned logits of distances", "inkling_text"},
    {"takes learned tables of rows and columns, or Fourier features", "perceiver reformer"},
    {"adds a learned bias for each place in a window of an image",
     "beit clap_audio_model data2vec-vision dinat donut-swin levit maskformer-swin swin swin2sr "
     "swinv2"},
    {"adds a learned bias for rows and for columns of an image",
     "deepseek_ocr2_sam_vision_model got_ocr2 sam_hq_vision_model sam_vision_model seggpt slanext "
     "vitdet"},
    {"adds sinusoids of rows and columns of an image",
     "aimv2_vision_model conditional_detr d_fine dab-detr deformable_detr deimv2 detr edgetam "
     "edgetam_vision_model grounding-dino lw_detr mask2former maskformer mm-grounding-dino "
     "omdet-turbo oneformer pp_doclayout_v3 rf_detr rt_detr rt_detr_v2 sam2 sam2_hiera_det_model "
     "sam2_vision_model sam3 sam3_detr_decoder sam3_detr_encoder sam3_geometry_encoder "
     "sam3_lite_text sam3_lite_text_detr_decoder sam3_lite_text_detr_encoder "
     "sam3_lite_text_geometry_encoder sam3_lite_text_mask_decoder sam3_mask_decoder "
     "sam3_vision_model table-transformer vit_mae"},
    {"takes Fourier features of points", "sam sam3_tracker sam_hq"},
    {"takes no positions: it is recurrent, or causal without an encoding",
     "falcon_mamba jamba mamba mamba2 moonshine_streaming_encoder moshi_depth nemotron_h rwkv "
     "xlstm zamba"},
    {"adds a learned row for each patch of an image",
     "altclip_vision_model audio-spectrogram-transformer blip_2_vision_model blip_vision_model "
     "bridgetower_vision_model chinese_clip_vision_model clip_vision_model clipseg_vision_model "
     "cosmos3_edge_vision deit dinov2 dinov2_with_registers dpt eomt flava_image_model "
     "flava_multimodal_model gemma4_unified_vision git_vision_model glm_image_vision "
     "groupvit_vision_model hiera hunyuan_vl_vision idefics2_perceiver idefics2_vision "
     "idefics3_vision idefics_vision ijepa instructblip_vision_model "
     "instructblipvideo_vision_model internvl_vision janus_vision_model kosmos_2_5_vision_model "
     "kosmos_2_vision_model lw_detr_vit metaclip_2_vision_model mgp-str minicpmv4_6_vision "
     "mllama_vision_model owlv2_vision_model owlvit_vision_model phi4_multimodal_vision "
     "pix2struct_vision_model pixio pvt qianfan_ocr_vision radio rf_detr_dinov2 "
     "siglip2_vision_model siglip_vision_model smolvlm_vision timesformer tipsv2_vision_model tvp "
     "videomt videoprism_vision_model vit vit_msn vitpose_backbone vivit xclip_vision_model yolos"},
    {"takes no encoding of positions of its own",
     "align_vision_model bit chameleon_vqgan chmv2 convnext convnextv2 cvt dac depth_anything "
     "dinov3_convnext efficientnet emu3_vqgan encodec fastspeech2_conformer_hifigan focalnet "
     "gemma3n_vision gemma4_unified_audio glm_image_vqmodel glpn hgnet_v2 idefics_perciever "
     "inkling_audio inkling_vision janus_vqgan mobilenet_v1 mobilenet_v2 mobilevit mobilevitv2 "
     "poolformer pp_lcnet pp_lcnet_v3 pp_lcnet_v4 pp_ocrv5_mobile_det pp_ocrv5_mobile_rec "
     "pp_ocrv5_server_det pp_ocrv5_server_rec pp_ocrv6_medium_det pp_ocrv6_small_det "
     "pp_ocrv6_small_rec pp_ocrv6_tiny_rec prompt_depth_anything pvt_v2 qwen2_5_omni_bigvgan "
     "regnet resnet rt_detr_resnet sapiens2_head segformer slanet speecht5_hifigan superpoint "
     "swiftformer textnet timm_backbone timm_wrapper tipsv2_dpt univnet upernet uvdoc "
     "uvdoc_backbone vibevoice_acoustic_tokenizer vibevoice_acoustic_tokenizer_decoder "
     "vibevoice_acoustic_tokenizer_encoder vitmatte vitpose zoedepth"},
    {"turns points by a learned matrix: `ropewalk table mixed --frequencies FILE` makes its table",
     "lightglue"},
    {"turns a picture's tokens, and its class token by learned angles", "mlcd mlcd_vision_model"},
    {"turns a picture's tokens in blocks whose size comes with each call", "video_llama_3_vision"},
};

constexpr std::string_view wrappers_of_text =
    "aimv2 altclip aria audioflamingo3 aya_vision blip blip-2 bridgetower chinese_clip clap "
    "clipseg clvp cohere2_vision cohere_compass colpali cosmos3_edge cosmos3_omni deepseek_ocr2 "
    "deepseek_vl deepseek_vl_hybrid diffusion_gemma emu3 ernie4_5_vl_moe exaone4_5 fast_vlm flava "
    "florence2 fuyu gemma3 gemma3n gemma4 gemma4_unified glm46v glm4v glm4v_moe glm_image glm_ocr "
    "glmasr glmga granite4_vision granite_speech granite_speech_plus groupvit hunyuan_vl idefics2 "
    "idefics3 inkling_mm_model instructblip instructblipvideo internvl janus kimi_k25 kosmos-2 "
    "kosmos-2.5 lfm2_vl lighton_ocr llama4 llava llava_next llava_next_video llava_onevision "
    "metaclip_2 minicpmv4_6 minimax_m3_vl mistral3 mllama modernvbert muse_glimmer ovis2 owlv2 "
    "owlvit paddleocr_vl paligemma pe_audio perception_lm pp_chart2table qianfan_ocr "
    "qwen2_5_omni_thinker qwen2_5_vl qwen2_audio qwen2_vl qwen3_5 qwen3_5_moe qwen3_asr "
    "qwen3_omni_moe_thinker qwen3_vl qwen3_vl_moe shieldgemma2 siglip siglip2 smolvlm step3p7 "
    "t5gemma2_encoder tipsv2 vibevoice_asr video_llama_3 video_llava videoprism vipllava voxtral "
    "voxtral_realtime xclip";

}  // namespace

bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

std::string_view other_encoding_of(std::string_view model_type) {
  if (model_type.empty()) return {};
  for (const other_types& other : others)
    if (has_word(other.names, model_type)) return other.name;
  return {};
}

bool is_wrapper(std::string_view model_type) {
  return !model_type.empty() && has_word(wrappers_of_text, model_type);
}

}  // namespace ropewalk::model
