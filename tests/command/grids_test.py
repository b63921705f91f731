#!/usr/bin/env python3
"""An independent check of the rotary tables that a command line builds from a configuration and a token grid.

Every image or video model turns the channels of a query and a key by angles that depend on where a token stands.
This file states, class by class, which coordinates each token has and by which angle each channel pair turns, as
the code of the models states it (the transformers and the pipelines of diffusers, and the vision encoders of
transformers).  Nothing here is shared with the program that is checked.

Angles are formed in extended precision where the machine has it, because a frequency of 15708 or a position of
65536 would cost a binary64 angle more digits than the comparison allows.

    ROPEWALK_COMMAND=/path/to/ropewalk python3 grids_test.py     compares every case, exit 1 when one differs
    python3 grids_test.py --list                                 prints the cases and their shapes, runs nothing
    python3 grids_test.py --only TEXT                            only the cases whose name contains the text

The table of a case is float64 [tokens, 2 * pairs]: the cosines of all pairs, then the sines of all pairs.
"""

import functools
import json
import os
import shlex
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("numpy is missing, so the grids are not checked")
    sys.exit(77)

LARGEST_DIFFERENCE = 1e-11
real = np.longdouble
PI = real("3.14159265358979323846264338327950288")


# --------------------------------------------------------------------------------------------------------------
# The pieces that the classes are made of.


class Request:
    """What a user asks for besides the configuration: the grid and what stands beside it."""

    def __init__(self, grid, text=None, references=(), fps=None, crop=None, layer=None, has_grid_option=True, part=None, frames=None,
                 positions=None):
        self.grid = grid
        self.part = part
        self.frames = frames
        self.positions = positions
        self.text = text
        self.references = references
        self.fps = fps
        self.crop = crop
        self.layer = layer
        self.has_grid_option = has_grid_option

    def options(self):
        options = []
        if self.has_grid_option:
            options += ["--grid", "x".join(str(size) for size in self.grid)]
        if self.text is not None:
            options += ["--text", str(self.text)]
        for reference in self.references:
            options += ["--reference", "x".join(str(size) for size in reference)]
        if self.fps is not None:
            options += ["--fps", str(self.fps)]
        if self.crop is not None:
            options += ["--crop", "x".join(str(size) for size in self.crop)]
        if self.layer is not None:
            options += ["--layer", str(self.layer)]
        if self.part is not None:
            options += ["--part", self.part]
        if self.frames is not None:
            options += ["--frames", ",".join("%d:%d-%d" % run for run in self.frames)]
        if self.positions is not None:
            options += ["--positions", str(self.positions)]
        return options

    def frames_height_width(self):
        """The three sizes of the grid.  A grid of two sizes is one frame."""
        return (1,) * (3 - len(self.grid)) + tuple(self.grid)


def grid_indices(frames, height, width):
    """Rows of frame, row and column index, a token each.  Tokens run through frames, then rows, then columns."""
    frame, row, column = np.meshgrid(np.arange(frames), np.arange(height), np.arange(width), indexing="ij")
    return np.stack([frame.ravel(), row.ravel(), column.ravel()]).astype(real)


def request_indices(request):
    return grid_indices(*request.frames_height_width())


def own_frequencies(base, width):
    """base^(-2 k / width) for the width / 2 pairs of one axis."""
    pair = np.arange(width // 2).astype(real)
    return real(base) ** (-2 * pair / real(width))


def axis_angles(coordinates, frequencies):
    return np.asarray(coordinates, dtype=real)[:, None] * np.asarray(frequencies, dtype=real)[None, :]


def angles_in_runs(coordinates, widths, bases):
    """Angles of pairs that come axis by axis, every axis with the frequencies of its own width and base."""
    if np.isscalar(bases):
        bases = [bases] * len(widths)
    parts = [axis_angles(row, own_frequencies(base, width)) for row, width, base in zip(coordinates, widths, bases)]
    return np.concatenate(parts, axis=1)


def alternating_angles(first, second, frequencies):
    """Angles of two axes that share their frequencies and take pairs in turn."""
    turning = np.stack([axis_angles(first, frequencies), axis_angles(second, frequencies)], axis=2)
    return turning.reshape(turning.shape[0], -1)


def join(*token_rows):
    """Coordinates of several groups of tokens, one group after the other; each is [axes, tokens]."""
    return np.concatenate([np.asarray(rows, dtype=real) for rows in token_rows], axis=1)


def zeros(axes, tokens):
    return np.zeros((axes, tokens), dtype=real)


def number_of_text_tokens(request):
    return request.text or 0


CASES = []
CONFIGURATIONS = {}


def add(config, angles_of, grids=(), requests=()):
    """Adds the cases of one configuration.  A grid is a request that has nothing but the grid."""
    class_name = config.get("_class_name") or config.get("model_type")
    CONFIGURATIONS.setdefault(class_name, []).append(config)
    number = len(CONFIGURATIONS[class_name])
    for request in [Request(grid) for grid in grids] + list(requests):
        options = request.options()
        name = " ".join([class_name] + options) + (" (configuration %d)" % number if number > 1 else "")
        CASES.append((name, config, options, functools.partial(angles_of, config, request)))


# --------------------------------------------------------------------------------------------------------------
# Wan (diffusers, transformer_wan.py, WanRotaryPosEmbed).
# The height and the width have 2 floor(d / 6) channels each and the time has the rest.  Text is in the cross
# attention and does not turn.


def wan_widths(head_dim):
    spatial_width = 2 * (head_dim // 6)
    return [head_dim - 2 * spatial_width, spatial_width, spatial_width]


def wan_angles(config, request):
    return angles_in_runs(request_indices(request), wan_widths(config["attention_head_dim"]), 10000)


def wan_config(class_name, head_dim=128, heads=40, **more):
    config = {"_class_name": class_name, "attention_head_dim": head_dim, "num_attention_heads": heads,
              "patch_size": [1, 2, 2], "rope_max_seq_len": 1024}
    config.update(more)
    return config


add(wan_config("WanTransformer3DModel"), wan_angles, [(4, 4), (5, 7, 9), (1, 6, 11), (21, 1, 2), (1, 1, 104), (1, 80, 1)])
add(wan_config("WanTransformer3DModel", head_dim=64, heads=12), wan_angles, [(3, 4, 5)])


# --------------------------------------------------------------------------------------------------------------
# Flux 1 (transformer_flux.py, FluxPosEmbed; pipeline_flux.py; pipeline_flux_kontext.py).
# Text comes first and stands at (0, 0, 0), the image stands at (0, row, column), and the image that Kontext edits
# comes after it and stands at (1, row, column).


def flux_coordinates(request):
    groups = [zeros(3, number_of_text_tokens(request)), request_indices(request)]
    for reference in request.references:
        rows = grid_indices(1, *reference)
        rows[0] = 1
        groups.append(rows)
    return join(*groups)


def flux_angles(config, request):
    return angles_in_runs(flux_coordinates(request), config["axes_dims_rope"], 10000)


FLUX = {"_class_name": "FluxTransformer2DModel", "patch_size": 1, "attention_head_dim": 128,
        "num_attention_heads": 24, "axes_dims_rope": [16, 56, 56]}
add(FLUX, flux_angles, [(4, 4), (5, 9)], [
    Request((6, 4), text=7),
    Request((64, 4), text=77),
    Request((5, 7), text=3, references=[(6, 4)]),
    Request((1, 3, 5), references=[(2, 9)]),
])


# --------------------------------------------------------------------------------------------------------------
# Flux 2 (transformer_flux2.py, Flux2PosEmbed; pipeline_flux2.py).
# Four axes: time, row, column, place in the text.  Text comes first, the image stands at time 0 and the
# reference images follow at times 10, 20, 30, ...


def flux2_angles(config, request):
    text = zeros(4, number_of_text_tokens(request))
    text[3] = np.arange(text.shape[1])
    image = request_indices(request)
    groups = [text, np.concatenate([image, zeros(1, image.shape[1])])]
    for number, reference in enumerate(request.references):
        rows = grid_indices(1, *reference)
        rows[0] = 10 + 10 * number
        groups.append(np.concatenate([rows, zeros(1, rows.shape[1])]))
    return angles_in_runs(join(*groups), config["axes_dims_rope"], config["rope_theta"])


FLUX2 = {"_class_name": "Flux2Transformer2DModel", "attention_head_dim": 128, "num_attention_heads": 48,
         "axes_dims_rope": [32, 32, 32, 32], "rope_theta": 2000}
add(FLUX2, flux2_angles, [(4, 4), (5, 9)], [
    Request((6, 4), text=7),
    Request((3, 5), text=100),
    Request((5, 7), text=3, references=[(6, 4)]),
    Request((4, 4), references=[(2, 9), (3, 3), (5, 1)]),
])


# --------------------------------------------------------------------------------------------------------------
# Qwen-Image (transformer_qwenimage.py, QwenEmbedRope and QwenEmbedLayer3DRope; the pipelines of qwenimage).
# Rows and columns are centred: the first floor(H / 2) non-negative indices follow H - floor(H / 2) negative ones.
# Image number k stands at time k.  Text comes first in the attention and stands, on every axis, at the largest half
# size of all images and after it.  With use_layer3d_rope the images are the layers and the last one is the
# condition, which stands at time -1; then the text starts no lower than the number of layers.


def centred_indices(frames, height, width, first_frame):
    rows = grid_indices(frames, height, width)
    rows[0] += first_frame
    rows[1] -= height - height // 2
    rows[2] -= width - width // 2
    return rows


def qwen_image_angles(config, request):
    frames, height, width = request.frames_height_width()
    sizes = [(height, width)] + list(request.references)
    text_start = max(max(size[0] // 2, size[1] // 2) for size in sizes)
    groups = []
    if config.get("use_layer3d_rope", False):
        (condition,) = request.references
        groups.append(centred_indices(frames, height, width, 0))
        groups.append(centred_indices(1, condition[0], condition[1], -1))
        text_start = max(text_start, frames)
    else:
        groups.append(centred_indices(frames, height, width, 0))
        for number, reference in enumerate(request.references):
            groups.append(centred_indices(1, reference[0], reference[1], 1 + number))
    text = zeros(3, number_of_text_tokens(request)) + text_start + np.arange(number_of_text_tokens(request))
    return angles_in_runs(join(text, *groups), config["axes_dims_rope"], 10000)


QWEN_IMAGE = {"_class_name": "QwenImageTransformer2DModel", "patch_size": 2, "attention_head_dim": 128,
              "num_attention_heads": 24, "axes_dims_rope": [16, 56, 56]}
add(QWEN_IMAGE, qwen_image_angles, [(4, 4), (5, 9), (1, 6, 7), (3, 5, 4)], [
    Request((6, 4), text=7),
    Request((5, 9), text=4),
    Request((104, 1), text=40),
    Request((5, 7), text=3, references=[(6, 4)]),
    Request((4, 3), text=2, references=[(2, 11), (3, 3), (5, 1)]),
])
add(dict(QWEN_IMAGE, use_layer3d_rope=True), qwen_image_angles, [], [
    Request((4, 3, 5), text=3, references=[(3, 5)]),
    Request((9, 2, 3), text=5, references=[(4, 7)]),
    Request((1, 5, 4), references=[(2, 2)]),
])


# --------------------------------------------------------------------------------------------------------------
# HunyuanVideo (transformer_hunyuan_video.py) and HunyuanImage 2.1 (transformer_hunyuanimage.py).
# The base is 256.  Text comes after the image in the attention and does not turn.  HunyuanImage has two axes, and
# its refiner, whose rope_axes_dim has three entries, has the frames as well.


def rope_axes_dim_angles(config, request):
    widths = config["rope_axes_dim"]
    return angles_in_runs(request_indices(request)[3 - len(widths):], widths, config["rope_theta"])


HUNYUAN_VIDEO = {"_class_name": "HunyuanVideoTransformer3DModel", "attention_head_dim": 128, "num_attention_heads": 24,
                 "patch_size": 2, "patch_size_t": 1, "rope_theta": 256.0, "rope_axes_dim": [16, 56, 56]}
add(HUNYUAN_VIDEO, rope_axes_dim_angles, [(4, 4), (3, 5, 7), (1, 6, 11), (33, 1, 2), (1, 1, 80)])
HUNYUAN_IMAGE = {"_class_name": "HunyuanImageTransformer2DModel", "attention_head_dim": 128, "num_attention_heads": 28,
                 "patch_size": [1, 1], "rope_axes_dim": [64, 64], "rope_theta": 256.0}
add(HUNYUAN_IMAGE, rope_axes_dim_angles, [(4, 4), (5, 9), (64, 1)])
add(dict(HUNYUAN_IMAGE, patch_size=[1, 1, 1], rope_axes_dim=[16, 56, 56]), rope_axes_dim_angles,
    [(5, 9), (3, 4, 7)])


# --------------------------------------------------------------------------------------------------------------
# LTX-Video (transformer_ltx.py, LTXVideoRotaryPosEmbed; pipeline_ltx.py).
# One ladder of rising frequencies, theta^(k / (n - 1)) quarter turns with n = floor(D / 6), is shared by the three
# axes, and the pairs take time, row, column in turn.  D is the width of all heads together.  The D mod 6 channels in
# front do not turn.  A coordinate is 2 x - 1, where x is seconds over 20, and pixels over 2048; a latent frame is 8
# frames and a latent pixel is 32 pixels.


def rising_quarter_turns(theta, count):
    exponent = np.arange(count).astype(real) / real(count - 1)
    return real(theta) ** exponent * PI / 2


def round_robin_angles(coordinates, frequencies, channels):
    """Pairs of frequency 0 on all axes, then of frequency 1, ...; pairs that do not turn stand in front."""
    turning = np.stack([axis_angles(row, frequencies) for row in coordinates], axis=2)
    turning = turning.reshape(turning.shape[0], -1)
    still_pairs = (channels % (2 * len(coordinates))) // 2
    return np.concatenate([np.zeros((turning.shape[0], still_pairs), dtype=real), turning], axis=1)


def ltx_angles(config, request):
    channels = config["num_attention_heads"] * config["attention_head_dim"]
    frame, row, column = request_indices(request)
    seconds = frame * config["patch_size_t"] * 8 / real(request.fps)
    pixels = config["patch_size"] * 32
    parts = np.stack([seconds / 20, row * pixels / 2048, column * pixels / 2048])
    return round_robin_angles(2 * parts - 1, rising_quarter_turns(10000, channels // 6), channels)


def ltx_config(heads, head_dim, **more):
    config = {"_class_name": "LTXVideoTransformer3DModel", "num_attention_heads": heads,
              "attention_head_dim": head_dim, "patch_size": 1, "patch_size_t": 1}
    config.update(more)
    return config


add(ltx_config(32, 64), ltx_angles, [], [Request((2, 2, 2), fps=25), Request((1, 2, 1), fps=30)])
add(ltx_config(2, 64), ltx_angles, [], [Request((3, 5, 7), fps=24), Request((13, 1, 3), fps=29.97), Request((2, 1, 38), fps=25)])
add(ltx_config(3, 32), ltx_angles, [], [Request((4, 4), fps=25)])


# --------------------------------------------------------------------------------------------------------------
# LTX-2, the video part (transformer_ltx2.py, LTX2AudioVideoRotaryPosEmbed; 24 frames a second by default).
# As LTX-Video, but a token stands at the middle of its patch, and the first latent frame is one frame only: its
# bounds are max(0, 8 t + causal_offset - 8) frames.  The pairs of rope_type "split" are the same ones in the same
# order; they join other channels.


def ltx2_angles(config, request):
    channels = config["num_attention_heads"] * config["attention_head_dim"]
    fps = real(request.fps if request.fps is not None else 24)
    indices = request_indices(request)
    middles = []
    for axis, patch in enumerate([config["patch_size_t"], config["patch_size"], config["patch_size"]]):
        scale = config["vae_scale_factors"][axis]
        bounds = [indices[axis] * patch * scale, (indices[axis] + 1) * patch * scale]
        if axis == 0:
            bounds = [np.maximum(bound + config["causal_offset"] - scale, 0) / fps for bound in bounds]
        middles.append((bounds[0] + bounds[1]) / 2)
    sizes = [config["pos_embed_max_pos"], config["base_height"], config["base_width"]]
    coordinates = np.stack([2 * middle / size - 1 for middle, size in zip(middles, sizes)])
    return round_robin_angles(coordinates, rising_quarter_turns(config["rope_theta"], channels // 6), channels)


def ltx2_config(heads, head_dim, **more):
    config = {"_class_name": "LTX2VideoTransformer3DModel", "num_attention_heads": heads,
              "attention_head_dim": head_dim, "patch_size": 1, "patch_size_t": 1, "vae_scale_factors": [8, 32, 32],
              "pos_embed_max_pos": 20, "base_height": 2048, "base_width": 2048, "rope_theta": 10000.0,
              "rope_double_precision": True, "causal_offset": 1, "rope_type": "interleaved"}
    config.update(more)
    return config


add(ltx2_config(32, 128), ltx2_angles, [], [Request((2, 1, 3), fps=24)])
add(ltx2_config(2, 64), ltx2_angles, [(3, 4, 5)], [Request((3, 5, 7), fps=25), Request((16, 1, 3), fps=24),
                                                    Request((2, 1, 24), fps=24)])
add(ltx2_config(2, 64, rope_type="split"), ltx2_angles, [], [Request((3, 5, 4), fps=30), Request((4, 6), fps=24)])
add(ltx2_config(3, 32, causal_offset=0, base_height=1024), ltx2_angles, [], [Request((3, 4, 4), fps=24)])


# --------------------------------------------------------------------------------------------------------------
# Cosmos 1, Predict 2 and 2.5 (transformer_cosmos.py, CosmosRotaryPosEmbed).
# The height and the width have 2 floor(d / 6) channels.  The base of an axis is 10000 s^(d / (d - 2)), with its entry s
# of rope_scale and its width d.  A frame stands at 24 j / fps where a rate is given, and at j where none is.  Pairs
# are half-split over the whole head.


def cosmos_angles(config, request):
    widths = wan_widths(config["attention_head_dim"])
    bases = [10000 * real(scale) ** (real(width) / (width - 2)) for scale, width in zip(config["rope_scale"], widths)]
    coordinates = request_indices(request)
    if request.fps is not None:
        coordinates[0] = coordinates[0] * 24 / real(request.fps)
    return angles_in_runs(coordinates, widths, bases)


def cosmos_config(rope_scale, heads=32, **more):
    config = {"_class_name": "CosmosTransformer3DModel", "attention_head_dim": 128, "num_attention_heads": heads,
              "max_size": [128, 240, 240], "patch_size": [1, 2, 2], "rope_scale": rope_scale}
    config.update(more)
    return config


add(cosmos_config([2.0, 1.0, 1.0]), cosmos_angles, [(4, 4), (3, 5, 7), (1, 6, 11)],
    [Request((16, 1, 2), fps=30), Request((3, 5, 4), fps=24), Request((1, 1, 80), fps=30)])
add(cosmos_config([0.8333333333333334, 2.0, 2.0], heads=40, extra_pos_embed_type=None), cosmos_angles, [(3, 5, 8)],
    [Request((24, 1, 2), fps=16)])
add(cosmos_config([1.0, 3.0, 3.0], heads=16, extra_pos_embed_type=None), cosmos_angles, [(24, 1, 2), (1, 1, 60), (6, 9)])
add(cosmos_config([1.0, 4.0, 4.0], heads=16, extra_pos_embed_type=None), cosmos_angles, [(7, 6)])


# --------------------------------------------------------------------------------------------------------------
# Kandinsky 5, the visual tokens (transformer_kandinsky.py, Kandinsky5RoPE3D; pipeline_kandinsky.py and _t2i.py).
# A coordinate is the index over a scale.  Images have the scale 1.  Videos have the scale (1, 2, 2) when both their
# sizes are from 480 to 854 pixels and (1, 3.16, 3.16) otherwise; a token is 16 pixels high and wide.


def kandinsky5_angles(config, request):
    frames, height, width = request.frames_height_width()
    spatial_scale = real(1)
    if frames > 1:
        both_fit = 480 <= 16 * height <= 854 and 480 <= 16 * width <= 854
        spatial_scale = real(2) if both_fit else real(3.16)
    coordinates = request_indices(request)
    coordinates[1:] /= spatial_scale
    return angles_in_runs(coordinates, config["axes_dims"], 10000)


KANDINSKY5 = {"_class_name": "Kandinsky5Transformer3DModel", "axes_dims": [16, 24, 24], "patch_size": [1, 2, 2],
              "model_dim": 1792}
add(KANDINSKY5, kandinsky5_angles, [(8, 8), (64, 1), (3, 5, 7), (31, 1, 2), (2, 1, 80)])
# The sizes where the scale changes have many tokens, so their heads are narrow.
add(dict(KANDINSKY5, axes_dims=[2, 2, 2]), kandinsky5_angles, [(30, 30), (2, 30, 31), (2, 29, 31), (2, 53, 30), (2, 54, 30)])
add(dict(KANDINSKY5, axes_dims=[32, 48, 48], model_dim=4096), kandinsky5_angles, [(5, 7), (3, 4, 6)])


# --------------------------------------------------------------------------------------------------------------
# Ideogram 4 (transformer_ideogram4.py, Ideogram4MRoPE; pipeline_ideogram4.py).
# All axes share the frequencies of the whole head.  Pair i takes the row where i mod 3 is 1 and i < 3 section[1],
# the column where i mod 3 is 2 and i < 3 section[2], and the time otherwise.  Text comes first and stands at
# (i, i, i); the image stands at (65536, 65536 + row, 65536 + column).


def angles_modulo_three(coordinates, frequencies, section):
    axis_of_pair = np.zeros(len(frequencies), dtype=int)
    for axis in (1, 2):
        axis_of_pair[axis:3 * section[axis]:3] = axis
    return np.asarray(coordinates, dtype=real)[axis_of_pair].T * frequencies[None, :]


def ideogram4_angles(config, request):
    text = zeros(3, number_of_text_tokens(request)) + np.arange(number_of_text_tokens(request))
    frequencies = own_frequencies(config["rope_theta"], config["attention_head_dim"])
    return angles_modulo_three(join(text, request_indices(request) + 65536), frequencies, config["mrope_section"])


IDEOGRAM4 = {"_class_name": "Ideogram4Transformer2DModel", "attention_head_dim": 256, "num_attention_heads": 18,
             "mrope_section": [24, 20, 20], "rope_theta": 5000000}
add(IDEOGRAM4, ideogram4_angles, [(6, 6), (5, 9)], [Request((4, 7), text=6), Request((64, 1), text=20)])


# --------------------------------------------------------------------------------------------------------------
# DINOv3 (transformers, modeling_dinov3_vit.py).
# A coordinate is 2 (j + 1/2) / N - 1 with the size N of its own axis, a frequency is base^(-k / (d / 4)) whole turns,
# and pairs are half-split over the head.  The class token and the register tokens in front do not turn and have no
# rows here.


def dinov3_angles(config, request):
    head_dim = config["hidden_size"] // config["num_attention_heads"]
    _, height, width = request.frames_height_width()
    _, row, column = request_indices(request)
    coordinates = [(2 * row + 1) / height - 1, (2 * column + 1) / width - 1]
    turns = angles_in_runs(coordinates, [head_dim // 2, head_dim // 2], config["rope_theta"])
    return 2 * PI * turns


DINOV3 = {"model_type": "dinov3_vit", "hidden_size": 1024, "num_attention_heads": 16, "patch_size": 16,
          "image_size": 224, "rope_theta": 100.0, "pos_embed_rescale": 2.0}
add(DINOV3, dinov3_angles, [(14, 14), (5, 9), (7, 1), (48, 5)])
add(dict(DINOV3, hidden_size=4096, num_attention_heads=32), dinov3_angles, [(6, 5)])


# --------------------------------------------------------------------------------------------------------------
# Gemma 4, the vision encoder (modeling_gemma4.py).
# The column is the first axis and the row the second, half of the head each, half-split inside each axis.


def gemma4_vision_angles(config, request):
    _, row, column = request_indices(request)
    half = config["head_dim"] // 2
    return angles_in_runs([column, row], [half, half], config["rope_parameters"]["rope_theta"])


GEMMA4_VISION = {"model_type": "gemma4_vision", "hidden_size": 768, "num_attention_heads": 12, "head_dim": 64,
                 "patch_size": 16, "max_position_embeddings": 131072,
                 "rope_parameters": {"rope_type": "default", "rope_theta": 100.0}}
add(GEMMA4_VISION, gemma4_vision_angles, [(4, 4), (5, 9), (60, 4)])
add(dict(GEMMA4_VISION, hidden_size=1152, num_attention_heads=16, head_dim=72), gemma4_vision_angles, [(7, 6)])


# --------------------------------------------------------------------------------------------------------------
# SAM 2, the memory attention (modeling_sam2_video.py).
# The grid is the one of memory_attention_rope_feat_sizes, (end_x, end_y): token i stands at x = i mod end_x and
# y = floor(i / end_x).  x has the first half of the channels, pairs are interleaved.


def sam2_video_angles(config, request):
    head_dim = config["memory_attention_hidden_size"] // (
        config["memory_attention_downsample_rate"] * config["memory_attention_num_attention_heads"])
    end_x, end_y = config["memory_attention_rope_feat_sizes"]
    token = np.arange(end_x * end_y)
    return angles_in_runs([token % end_x, token // end_x], [head_dim // 2, head_dim // 2],
                          config["memory_attention_rope_theta"])


def sam2_config(model_type, feature_sizes, hidden_size=256, **more):
    config = {"model_type": model_type, "memory_attention_hidden_size": hidden_size,
              "memory_attention_downsample_rate": 1, "memory_attention_num_attention_heads": 1,
              "memory_attention_rope_theta": 10000, "memory_attention_rope_feat_sizes": feature_sizes}
    config.update(more)
    return config


add(sam2_config("sam2_video", [8, 8]), sam2_video_angles, [(8, 8)])
add(sam2_config("sam2_video", [9, 5], hidden_size=64), sam2_video_angles, [(5, 9)], [Request((5, 9), has_grid_option=False)])
add(sam2_config("sam2_video", [64, 64], hidden_size=4), sam2_video_angles, [(64, 64)])


# --------------------------------------------------------------------------------------------------------------
# SAM 3, the image encoder (modeling_sam3.py, Sam3ViTRotaryEmbedding and Sam3ViTLayer).
# As SAM 2.  A layer of global_attn_indexes sees the whole image, and its coordinates are the index times window_size
# over the number of patches; the others see windows, and their coordinates are the index in the window.


def sam3_vit_angles(config, request):
    head_dim = config["hidden_size"] // config["num_attention_heads"]
    side = config["image_size"] // config["patch_size"]
    if request.layer not in config["global_attn_indexes"]:
        side = config["window_size"]
    scale = real(config["window_size"]) / side
    token = np.arange(side * side).astype(real)
    column, row = token % side, np.floor(token / side)
    return angles_in_runs([column * scale, row * scale], [head_dim // 2, head_dim // 2], config["rope_theta"])


SAM3_VIT = {"model_type": "sam3_vit_model", "hidden_size": 1024, "num_attention_heads": 16, "num_hidden_layers": 32,
            "image_size": 1008, "patch_size": 14, "window_size": 24, "global_attn_indexes": [7, 15, 23, 31],
            "rope_theta": 10000.0}
add(dict(SAM3_VIT, hidden_size=256), sam3_vit_angles, [], [Request((24, 24), layer=0)])
add(dict(SAM3_VIT, hidden_size=64, num_attention_heads=16), sam3_vit_angles, [], [Request((72, 72), layer=7)])
add(dict(SAM3_VIT, image_size=196, window_size=6, num_hidden_layers=12, global_attn_indexes=[2, 5, 8, 11]),
    sam3_vit_angles, [], [Request((14, 14), layer=5), Request((6, 6), layer=6), Request((14, 14), layer=5, has_grid_option=False),
                          Request((6, 6), layer=6, has_grid_option=False)])


# --------------------------------------------------------------------------------------------------------------
# Qwen2-VL, Qwen2.5-VL and Qwen3-VL, the vision encoders (modeling_qwen3_vl.py and its elders).
# Row, then column, half of the head each, base 10000, half-split over the head.  Tokens come in blocks of m x m
# patches with m = spatial_merge_size, so that one block becomes one token of the language model.  Frames repeat.


def block_indices(frames, height, width, side):
    block_row, block_column, row, column = np.meshgrid(
        np.arange(height // side), np.arange(width // side), np.arange(side), np.arange(side), indexing="ij")
    rows = (block_row * side + row).ravel()
    columns = (block_column * side + column).ravel()
    return np.tile(rows, frames), np.tile(columns, frames)


def qwen_vision_angles(config, request):
    channels = config["embed_dim"] if config["model_type"] == "qwen2_vl_vision" else config["hidden_size"]
    half = channels // config["num_heads"] // 2
    rows, columns = block_indices(*request.frames_height_width(), config["spatial_merge_size"])
    return angles_in_runs([rows, columns], [half, half], 10000)


QWEN3_VL_VISION = {"model_type": "qwen3_vl_vision", "hidden_size": 1152, "num_heads": 16, "patch_size": 16,
                   "spatial_merge_size": 2, "temporal_patch_size": 2}
QWEN2_5_VL_VISION = {"model_type": "qwen2_5_vl_vision", "hidden_size": 1280, "num_heads": 16, "patch_size": 14,
                     "spatial_merge_size": 2, "temporal_patch_size": 2, "window_size": 112,
                     "fullatt_block_indexes": [7, 15, 23, 31]}
QWEN2_VL_VISION = {"model_type": "qwen2_vl_vision", "embed_dim": 1280, "hidden_size": 3584, "num_heads": 16,
                   "patch_size": 14, "spatial_merge_size": 2, "temporal_patch_size": 2}
add(QWEN3_VL_VISION, qwen_vision_angles, [(4, 4), (6, 10), (3, 4, 6), (64, 4)])
add(dict(QWEN3_VL_VISION, spatial_merge_size=3), qwen_vision_angles, [(2, 6, 9)])
add(QWEN2_5_VL_VISION, qwen_vision_angles, [(4, 4), (6, 10), (2, 4, 6)])
add(QWEN2_VL_VISION, qwen_vision_angles, [(4, 4), (6, 10), (2, 4, 6)])


# --------------------------------------------------------------------------------------------------------------
# Lumina 2 (transformer_lumina2.py).  The caption comes first, token i at (i, 0, 0); the image follows at
# (caption length, row, column).


def lumina2_angles(config, request):
    caption = zeros(3, number_of_text_tokens(request))
    caption[0] = np.arange(caption.shape[1])
    image = request_indices(request)
    image[0] = caption.shape[1]
    return angles_in_runs(join(caption, image), config["axes_dim_rope"], 10000)


LUMINA2 = {"_class_name": "Lumina2Transformer2DModel", "patch_size": 2, "axes_dim_rope": [32, 32, 32],
           "axes_lens": [300, 512, 512], "hidden_size": 2304, "num_attention_heads": 24}
add(LUMINA2, lumina2_angles, [(4, 4), (5, 9)], [Request((6, 4), text=7), Request((1, 64), text=100)])


# --------------------------------------------------------------------------------------------------------------
# Z-Image (transformer_z_image.py, _pad_with_ids, patchify_and_embed and build_unified_sequence without omni).
# The image comes FIRST and the caption second.  Each is padded to a multiple of 32 tokens, and the padding takes part
# in the attention.  The caption and its padding stand at (1, 0, 0), (2, 0, 0), ... up to the padded length L; the
# image stands at (L + 1 + frame, row, column), and its padding stands at (0, 0, 0).


def next_multiple(count, divisor):
    return -(-count // divisor) * divisor


def z_image_angles(config, request):
    caption = zeros(3, next_multiple(number_of_text_tokens(request), 32))
    caption[0] = 1 + np.arange(caption.shape[1])
    image = request_indices(request)
    image[0] += caption.shape[1] + 1
    image_padding = zeros(3, next_multiple(image.shape[1], 32) - image.shape[1])
    return angles_in_runs(join(image, image_padding, caption), config["axes_dims"], config["rope_theta"])


Z_IMAGE = {"_class_name": "ZImageTransformer2DModel", "rope_theta": 256.0, "axes_dims": [32, 48, 48],
           "axes_lens": [1024, 512, 512], "n_heads": 30, "t_scale": 1000.0, "all_patch_size": [2], "all_f_patch_size": [1]}
add(Z_IMAGE, z_image_angles, [(5, 9)], [
    Request((4, 8), text=32), Request((3, 5), text=7), Request((4, 8), text=33), Request((3, 4, 5), text=20),
    Request((1, 64), text=32)])


# --------------------------------------------------------------------------------------------------------------
# The grids that are laid over a crop of a base grid: CogVideoX 1.0, ConsisID and EasyAnimate (embeddings.py,
# get_3d_rotary_pos_embed) and HunyuanDiT (get_2d_rotary_pos_embed).  The base grid is scaled to the proportions of the
# grid, and the axis runs in equal steps from a to b (n - 1) / n, where a and b are the ends of the crop.  The rounding of
# the crop is Python's: binary64 quotients, halves to even.


def crop_region(height, width, base_height, base_width):
    if height / width > base_height / base_width:
        resized_height, resized_width = base_height, int(round(base_height / height * width))
    else:
        resized_height, resized_width = int(round(base_width / width * height)), base_width
    top = int(round((base_height - resized_height) / 2.0))
    left = int(round((base_width - resized_width) / 2.0))
    return (top, top + resized_height), (left, left + resized_width)


def axis_over_crop(ends, count):
    first, last = real(ends[0]), real(ends[1]) * (count - 1) / real(count)
    if count == 1:
        return np.array([first])
    return first + np.arange(count).astype(real) * (last - first) / real(count - 1)


def indices_over_crop(request, base_height, base_width):
    frames, height, width = request.frames_height_width()
    vertical, horizontal = crop_region(height, width, base_height, base_width)
    frame, row, column = (index.astype(int) for index in request_indices(request))
    return np.stack([frame.astype(real), axis_over_crop(vertical, height)[row],
                     axis_over_crop(horizontal, width)[column]])


def cogvideox_widths(head_dim):
    return [head_dim // 4, head_dim // 8 * 3, head_dim // 8 * 3]


# CogVideoX (cogvideox_transformer_3d.py; pipeline_cogvideox.py).  Version 1.0 has no patch_size_t and runs over the
# crop; version 1.5 has one and takes the index.  Text comes first and does not turn.  ConsisID is version 1.0.


def cogvideox_angles(config, request):
    patch = config["patch_size"]
    if config.get("patch_size_t") is not None:
        coordinates = request_indices(request)
    else:
        base = request.crop or (config["sample_height"] // patch, config["sample_width"] // patch)
        coordinates = indices_over_crop(request, *base)
    return angles_in_runs(coordinates, cogvideox_widths(config["attention_head_dim"]), 10000)


COGVIDEOX = {"_class_name": "CogVideoXTransformer3DModel", "num_attention_heads": 48, "attention_head_dim": 64,
             "sample_width": 90, "sample_height": 60, "patch_size": 2, "use_rotary_positional_embeddings": True}
add(COGVIDEOX, cogvideox_angles, [(4, 4), (3, 5, 7), (2, 6, 4), (1, 6, 11), (1, 30, 3), (1, 3, 45), (3, 4, 1), (2, 1, 5)],
    [Request((2, 8, 12), crop=(32, 48)), Request((2, 7, 5), crop=(15, 11))])
COGVIDEOX15 = dict(COGVIDEOX, patch_size_t=2, sample_height=300, sample_width=300)
add(COGVIDEOX15, cogvideox_angles, [(4, 4), (3, 5, 7), (1, 48, 1), (2, 1, 85)])
CONSISID = dict(COGVIDEOX, _class_name="ConsisIDTransformer3DModel")
add(CONSISID, cogvideox_angles, [(2, 3, 5), (2, 6, 4), (6, 11), (2, 4, 9)], [Request((2, 8, 12), crop=(32, 48))])


# EasyAnimate (transformer_easyanimate.py).  The base grid is floor(60 / patch) x floor(90 / patch), whatever the sample
# sizes are.


def easyanimate_angles(config, request):
    base = request.crop or (60 // config["patch_size"], 90 // config["patch_size"])
    return angles_in_runs(indices_over_crop(request, *base), cogvideox_widths(config["attention_head_dim"]), 10000)


EASYANIMATE = {"_class_name": "EasyAnimateTransformer3DModel", "num_attention_heads": 48, "attention_head_dim": 64,
               "patch_size": 2, "sample_width": 90, "sample_height": 60, "time_position_encoding_type": "3d_rope"}
add(EASYANIMATE, easyanimate_angles, [(4, 4), (2, 3, 5), (2, 6, 4), (1, 6, 11), (3, 24, 2)],
    [Request((2, 8, 12), crop=(32, 48))])


# HunyuanDiT (hunyuan_transformer_2d.py; pipeline_hunyuandit.py).  The base grid is a square of 512 / 8 / patch tokens.
# The column is the first axis.


def hunyuandit_angles(config, request):
    side = 512 // 8 // config["patch_size"]
    _, row, column = indices_over_crop(request, *(request.crop or (side, side)))
    half = config["attention_head_dim"] // 2
    return angles_in_runs([column, row], [half, half], 10000)


HUNYUANDIT = {"_class_name": "HunyuanDiT2DModel", "num_attention_heads": 16, "attention_head_dim": 88, "patch_size": 2,
              "hidden_size": 1408, "sample_size": 128}
add(HUNYUANDIT, hunyuandit_angles, [(4, 4), (5, 9), (9, 5), (64, 2), (1, 7)], [Request((6, 7), crop=(16, 24))])


# --------------------------------------------------------------------------------------------------------------
# CogView 4 (transformer_cogview4.py): a coordinate is floor(index R / size) with R of rope_axes_dim.  GLM-Image
# (transformer_glm_image.py): a coordinate is the index.  Both: half of the head for the rows, half for the columns,
# half-split over the head; text comes first and does not turn.


def cogview4_angles(config, request):
    _, height, width = request.frames_height_width()
    _, row, column = request_indices(request)
    range_h, range_w = config["rope_axes_dim"]
    half = config["attention_head_dim"] // 2
    return angles_in_runs([np.floor(row * range_h / height), np.floor(column * range_w / width)], [half, half], 10000)


def rows_and_columns_angles(head_dim, base, request):
    return angles_in_runs(request_indices(request)[1:], [head_dim // 2, head_dim // 2], base)


COGVIEW4 = {"_class_name": "CogView4Transformer2DModel", "patch_size": 2, "num_attention_heads": 64,
            "attention_head_dim": 40, "sample_size": 128, "rope_axes_dim": [256, 256]}
add(COGVIEW4, cogview4_angles, [(4, 4), (5, 9), (64, 3), (7, 13)])
add(dict(COGVIEW4, rope_axes_dim=[10, 7]), cogview4_angles, [(3, 4)])
GLM_IMAGE = {"_class_name": "GlmImageTransformer2DModel", "patch_size": 2, "num_attention_heads": 64,
             "attention_head_dim": 40}


def glm_image_angles(config, request):
    return rows_and_columns_angles(config["attention_head_dim"], 10000, request)


add(GLM_IMAGE, glm_image_angles, [(4, 4), (5, 9), (64, 3)])
add(dict(GLM_IMAGE, num_attention_heads=32, attention_head_dim=128), glm_image_angles, [(7, 4)])


# --------------------------------------------------------------------------------------------------------------
# Allegro (transformer_allegro.py; get_3d_rotary_pos_embed_allegro): a coordinate is the index over the scale of its axis;
# a third of the head each; half-split inside each axis.


def allegro_angles(config, request):
    coordinates = request_indices(request)
    for axis, letter in enumerate("thw"):
        coordinates[axis] /= real(config["interpolation_scale_" + letter])
    return angles_in_runs(coordinates, [config["attention_head_dim"] // 3] * 3, 10000)


ALLEGRO = {"_class_name": "AllegroTransformer3DModel", "num_attention_heads": 24, "attention_head_dim": 96,
           "patch_size": 2, "patch_size_t": 1, "sample_height": 90, "sample_width": 160, "sample_frames": 22,
           "interpolation_scale_h": 2.0, "interpolation_scale_t": 2.2, "interpolation_scale_w": 2.0}
add(ALLEGRO, allegro_angles, [(4, 4), (2, 3, 5), (1, 6, 11), (22, 2, 3), (2, 1, 80)])


# --------------------------------------------------------------------------------------------------------------
# The descendants of Flux.  HiDream: the image comes first and the text, at (0, 0, 0), second.  Krea 2, Bria, Bria Fibo and
# Chroma: as Flux; the image that Bria Fibo edits stands at time 1 after the image.  Ovis: text token i stands at
# (0, i, i).  LongCat: text token i stands at (0, i, i) and the image at (1, 512 + row, 512 + column); when an image is
# edited, both stand at the text's length instead of 512, and the image that is edited follows at time 2.


def hidream_angles(config, request):
    coordinates = join(request_indices(request), zeros(3, number_of_text_tokens(request)))
    return angles_in_runs(coordinates, config["axes_dims_rope"], 10000)


def flux_like_angles(config, request):
    return angles_in_runs(flux_coordinates(request), config["axes_dims_rope"], config.get("rope_theta", 10000))


def diagonal_text(request):
    text = zeros(3, number_of_text_tokens(request))
    text[1:] = np.arange(text.shape[1])
    return text


def ovis_image_angles(config, request):
    return angles_in_runs(join(diagonal_text(request), request_indices(request)), config["axes_dims_rope"], 10000)


def longcat_image_angles(config, request):
    start = number_of_text_tokens(request) if request.references else 512
    groups = [diagonal_text(request), request_indices(request)] + [grid_indices(1, *size) for size in request.references]
    for time, group in enumerate(groups[1:], start=1):
        group[0] = time
        group[1:] += start
    return angles_in_runs(join(*groups), config["axes_dims_rope"], 10000)


HIDREAM = {"_class_name": "HiDreamImageTransformer2DModel", "patch_size": 2, "attention_head_dim": 128,
           "num_attention_heads": 20, "axes_dims_rope": [64, 32, 32], "max_resolution": [128, 128]}
add(HIDREAM, hidream_angles, [(8, 8), (7, 7)], [Request((6, 6), text=9)])
KREA2 = {"_class_name": "Krea2Transformer2DModel", "attention_head_dim": 128, "num_attention_heads": 48,
         "num_key_value_heads": 12, "axes_dims_rope": [32, 48, 48], "rope_theta": 1000.0}
add(KREA2, flux_like_angles, [(4, 4), (5, 9)], [Request((6, 4), text=9), Request((64, 2), text=3)])


def flux_like_config(class_name, **more):
    config = {"_class_name": class_name, "patch_size": 1, "attention_head_dim": 128, "num_attention_heads": 24,
              "axes_dims_rope": [16, 56, 56]}
    config.update(more)
    return config


add(flux_like_config("BriaTransformer2DModel", rope_theta=10000), flux_like_angles, [(4, 4), (5, 9)],
    [Request((6, 4), text=9)])
add(flux_like_config("BriaFiboTransformer2DModel", rope_theta=10000), flux_like_angles, [(4, 4), (5, 9)],
    [Request((6, 4), text=9), Request((5, 3), text=4, references=[(3, 7)])])
add(flux_like_config("ChromaTransformer2DModel"), flux_like_angles, [(4, 4), (5, 9)], [Request((6, 4), text=9)])
add(flux_like_config("OvisImageTransformer2DModel"), ovis_image_angles, [(4, 4), (5, 9)],
    [Request((6, 4), text=9), Request((1, 64), text=100)])
add(flux_like_config("LongCatImageTransformer2DModel"), longcat_image_angles, [(4, 4), (5, 9)],
    [Request((6, 4), text=9), Request((1, 64), text=60), Request((5, 3), text=40, references=[(3, 7)])])


# --------------------------------------------------------------------------------------------------------------
# PRX (transformer_prx.py): rows and columns, interleaved; text comes first and does not turn.


PRX = {"_class_name": "PRXTransformer2DModel", "patch_size": 2, "hidden_size": 1792, "num_heads": 28,
       "axes_dim": [32, 32], "theta": 10000, "time_factor": 1000.0, "time_max_period": 10000}


def prx_angles(config, request):
    return angles_in_runs(request_indices(request)[1:], config["axes_dim"], config["theta"])


add(PRX, prx_angles, [(4, 4), (5, 9)])
add(dict(PRX, hidden_size=3584, axes_dim=[64, 64], patch_size=16), prx_angles, [(64, 2)])


# --------------------------------------------------------------------------------------------------------------
# JoyImage (transformer_joyimage.py).  The image comes first, at its index.  With rope_type "mrope" the text follows
# and stands, on every axis, after the largest index that any axis of the image has; with "rope" it does not turn.  A
# reference image of the same size is one more frame, after the image.


def joyimage_angles(config, request):
    frames, height, width = request.frames_height_width()
    image = grid_indices(frames + len(request.references), height, width)
    text = zeros(3, number_of_text_tokens(request)) + image.max() + 1 + np.arange(number_of_text_tokens(request))
    return angles_in_runs(join(image, text), config["rope_dim_list"], config["theta"])


JOYIMAGE = {"_class_name": "JoyImageEditTransformer3DModel", "hidden_size": 4096, "num_attention_heads": 32,
            "patch_size": [1, 2, 2], "rope_dim_list": [16, 56, 56], "rope_type": "rope", "theta": 10000}
add(JOYIMAGE, joyimage_angles, [(8, 8), (2, 3, 5), (1, 1, 64)], [Request((5, 4), references=[(5, 4)])])
add(dict(JOYIMAGE, rope_type="mrope", theta=256), joyimage_angles, [(2, 5, 4)],
    [Request((6, 4), text=5), Request((9, 2, 3), text=4)])


# --------------------------------------------------------------------------------------------------------------
# Nucleus (transformer_nucleusmoe_image.py): as Qwen-Image, but the image comes first.


def nucleus_angles(config, request):
    frames, height, width = request.frames_height_width()
    text = zeros(3, number_of_text_tokens(request))
    text += max(height // 2, width // 2) + np.arange(text.shape[1])
    return angles_in_runs(join(centred_indices(frames, height, width, 0), text), config["axes_dims_rope"], 10000)


NUCLEUS = {"_class_name": "NucleusMoEImageTransformer2DModel", "patch_size": 2, "attention_head_dim": 128,
           "num_attention_heads": 16, "num_key_value_heads": 4, "axes_dims_rope": [16, 56, 56]}
add(NUCLEUS, nucleus_angles, [(4, 4), (5, 9)], [Request((6, 4), text=7), Request((1, 64), text=30)])


# --------------------------------------------------------------------------------------------------------------
# The descendants of HunyuanVideo and of Wan.  The two frames of a ChronoEdit grid stand at 0 and
# rope_temporal_skip_len - 1; more frames, and one, stand at their index.


MOTIF = dict(HUNYUAN_VIDEO, _class_name="MotifVideoTransformer3DModel")
add(MOTIF, rope_axes_dim_angles, [(4, 4), (2, 3, 5), (31, 1, 2)])
HUNYUAN_VIDEO15 = dict(HUNYUAN_VIDEO, _class_name="HunyuanVideo15Transformer3DModel", num_attention_heads=16,
                       patch_size=1)
add(HUNYUAN_VIDEO15, rope_axes_dim_angles, [(4, 4), (2, 3, 5), (31, 1, 2)])
for wan_like in ("SkyReelsV2Transformer3DModel", "WanVACETransformer3DModel", "WanAnimateTransformer3DModel",
                 "AnyFlowTransformer3DModel"):
    add(wan_config(wan_like), wan_angles, [(4, 4), (2, 3, 5), (21, 1, 2)])
add(wan_config("SanaVideoTransformer3DModel", head_dim=112, heads=20, interpolation_scale=None, sample_size=30),
    wan_angles, [(4, 4), (2, 3, 5), (21, 1, 2)])


def chronoedit_angles(config, request):
    coordinates = request_indices(request)
    if request.frames_height_width()[0] == 2:
        coordinates[0] *= config["rope_temporal_skip_len"] - 1
    return angles_in_runs(coordinates, wan_widths(config["attention_head_dim"]), 10000)


add(wan_config("ChronoEditTransformer3DModel", rope_temporal_skip_len=8), chronoedit_angles,
    [(4, 4), (2, 3, 5), (3, 4, 5), (8, 2, 3)])
add(wan_config("ChronoEditTransformer3DModel", rope_temporal_skip_len=5), chronoedit_angles, [(2, 4, 6)])


# --------------------------------------------------------------------------------------------------------------
# MiniMax-H3 (transformer_minimax_h3.py; modular_pipelines, before_denoise.py).  Text comes first, token i at
# (i, 0, 0).  Latent frames last 5/3 times 1, 4, 4, 4, 4, 1, 4, ... units, and the first begins at the number of text
# tokens.  A row stands at 32 ((1 - q) / 2 + q j / n) with n rows and q = latent height / sqrt(latent height x latent
# width), a column alike.  The three axes have rope_freq_dim pairs each, half-split over the channels that turn.


def minimax_h3_angles(config, request):
    frames, height, width = request.frames_height_width()
    text = zeros(3, number_of_text_tokens(request))
    text[0] = np.arange(text.shape[1])
    spans = [(1, 4, 4, 4, 4)[frame % 5] for frame in range(frames)]
    frame_starts = real(5) / 3 * np.concatenate([[0], np.cumsum(spans)[:-1]]).astype(real)
    frame, row, column = request_indices(request)
    latent_height, latent_width = (real(height * config["patch_size"][1]), real(width * config["patch_size"][2]))
    side = np.sqrt(latent_height * latent_width)
    coordinates = [text.shape[1] + frame_starts[frame.astype(int)]]
    for index, count, latent_size in ((row, height, latent_height), (column, width, latent_width)):
        ratio = latent_size / side
        coordinates.append(32 * ((1 - ratio) / 2 + ratio * index / count))
    width_of_axis = 2 * config["rope_freq_dim"]
    return angles_in_runs(join(text, np.stack(coordinates)), [width_of_axis] * 3, config["rope_theta"])


MINIMAX_H3 = {"_class_name": "MiniMaxH3Transformer3DModel", "attention_head_dim": 128, "num_attention_heads": 56,
              "patch_size": [1, 2, 2], "rope_freq_dim": 16, "rope_theta": 10000.0}
add(MINIMAX_H3, minimax_h3_angles, [(6, 6), (7, 3, 5)],
    [Request((2, 6, 11), text=8), Request((31, 1, 3), text=60)])


# The decoder of the MiniMax-H3 autoencoder (autoencoder_kl_minimax_h3.py).  As DINOv3 on three axes; the register
# tokens and one class token follow the voxels and stand at 0, and they have rows here, as in the code's table.


def minimax_h3_vae_angles(config, request):
    sizes = request.frames_height_width()
    width_of_axis = int(config["decoder_attention_head_dim"] * config["decoder_rope_dim_ratio"]) // 3
    coordinates = np.stack([(2 * index + 1) / size - 1 for index, size in zip(request_indices(request), sizes)])
    suffix = zeros(3, config["decoder_num_register_tokens"] + 1)
    return 2 * PI * angles_in_runs(join(coordinates, suffix), [width_of_axis] * 3, config["decoder_rope_theta"])


MINIMAX_H3_VAE = {"_class_name": "AutoencoderKLMiniMaxH3", "decoder_attention_head_dim": 64,
                  "decoder_num_attention_heads": 32, "decoder_num_register_tokens": 4, "decoder_rope_theta": 100.0,
                  "decoder_rope_dim_ratio": 0.75}
add(MINIMAX_H3_VAE, minimax_h3_vae_angles, [(4, 4), (3, 5, 7), (2, 3, 8)])


# --------------------------------------------------------------------------------------------------------------
# Lumina-Next (lumina_nextdit2d.py; get_2d_rotary_pos_embed_lumina; pipeline_lumina.py).  Row and column pairs alternate,
# each with the frequencies of half of the head.  The pipeline divides the frequencies by the root of the area over the
# default area (sample_size times 8 pixels, squared); the cases have the default area, where that is 1.


def lumina_next_angles(config, request):
    half = config["hidden_size"] // config["num_attention_heads"] // 2
    _, row, column = request_indices(request)
    return alternating_angles(row, column, own_frequencies(10000, half))


LUMINA_NEXT = {"_class_name": "LuminaNextDiT2DModel", "sample_size": 16, "patch_size": 2, "hidden_size": 2304,
               "num_attention_heads": 32}
add(LUMINA_NEXT, lumina_next_angles, [(8, 8), (4, 16), (32, 2)])
add(dict(LUMINA_NEXT, sample_size=128, hidden_size=128), lumina_next_angles, [(64, 64)])


# --------------------------------------------------------------------------------------------------------------
# OmniGen (transformer_omnigen.py, OmniGenSuScaledRotaryEmbedding; processor_omnigen.py).  One axis: the text, one
# token for the time, and the image, one after the other.  The frequencies are divided by the long factors when there
# are more tokens than original_max_position_embeddings, and by the short ones otherwise; cosines and sines are
# multiplied by sqrt(1 + ln(s) / ln(L)), s the quotient of the two lengths, L the original one.


def omnigen_angles(config, request):
    frames, height, width = request.frames_height_width()
    tokens = number_of_text_tokens(request) + 1 + frames * height * width
    original_length = config["original_max_position_embeddings"]
    factors = config["rope_scaling"]["long_factor" if tokens > original_length else "short_factor"]
    head_dim = config["hidden_size"] // config["num_attention_heads"]
    frequencies = own_frequencies(config["rope_base"], head_dim) / np.array(factors, dtype=real)
    growth = real(config["max_position_embeddings"]) / original_length
    amplitude = np.sqrt(1 + np.log(growth) / np.log(real(original_length))) if growth > 1 else real(1)
    return axis_angles(np.arange(tokens), frequencies), amplitude


def omnigen_config(hidden_size, original_length, **more):
    pairs = hidden_size // 64
    config = {"_class_name": "OmniGenTransformer2DModel", "hidden_size": hidden_size, "num_attention_heads": 32,
              "max_position_embeddings": 131072, "original_max_position_embeddings": original_length,
              "rope_base": 10000, "patch_size": 2, "pos_embed_max_size": 192,
              "rope_scaling": {"type": "su", "short_factor": [1.0 + 0.0625 * pair for pair in range(pairs)],
                               "long_factor": [1.03 + 1.7 * pair for pair in range(pairs)]}}
    config.update(more)
    return config


add(omnigen_config(3072, 4096), omnigen_angles, [(8, 8)], [Request((6, 4), text=9)])
add(omnigen_config(512, 64), omnigen_angles, [(7, 9), (8, 8)],
    [Request((6, 9), text=9), Request((6, 9), text=10), Request((16, 16), text=30)])
add(omnigen_config(512, 64, max_position_embeddings=64), omnigen_angles, [(4, 4)])


# --------------------------------------------------------------------------------------------------------------
# More vision encoders of transformers.  Rows and columns below are the plain index unless a comment says more.


# Llama 4 (modeling_llama4.py, Llama4VisionRotaryEmbedding): column + 1, then row + 1, half of the head each,
# interleaved; the class token is the last one and does not turn.  The grid is a square that the configuration decides.


def llama4_vision_angles(config, request):
    side = config["image_size"] // config["patch_size"]
    half = config["hidden_size"] // config["num_attention_heads"] // 2
    _, row, column = grid_indices(1, side, side)
    patches = angles_in_runs([column + 1, row + 1], [half, half], config["rope_theta"])
    return np.concatenate([patches, np.zeros((1, patches.shape[1]), dtype=real)])


LLAMA4_VISION = {"model_type": "llama4_vision_model", "hidden_size": 1408, "num_attention_heads": 16, "image_size": 84,
                 "patch_size": 14, "rope_theta": 10000.0}
add(LLAMA4_VISION, llama4_vision_angles, [(6, 6)], [Request((6, 6), has_grid_option=False)])
add(dict(LLAMA4_VISION, hidden_size=128, image_size=448), llama4_vision_angles, [(32, 32)])


# Pixtral (modeling_pixtral.py, PixtralRotaryEmbedding): the frequencies of the whole head, those with an even index for
# the row, those with an odd index for the column; first all row pairs, then all column pairs; half-split.


def pixtral_angles(config, request):
    head_dim = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    frequencies = own_frequencies(config["rope_theta"], head_dim)
    _, row, column = request_indices(request)
    return np.concatenate([axis_angles(row, frequencies[0::2]), axis_angles(column, frequencies[1::2])], axis=1)


PIXTRAL = {"model_type": "pixtral", "hidden_size": 1024, "num_attention_heads": 16, "head_dim": 64, "image_size": 1024,
           "patch_size": 16, "rope_theta": 10000.0}
add(PIXTRAL, pixtral_angles, [(4, 4), (5, 9), (64, 2)])
add(dict(PIXTRAL, hidden_size=1664, head_dim=104, image_size=1540, patch_size=14), pixtral_angles, [(4, 7)])


# Qwen2.5-Omni and GLM-4.1V (modeling_qwen2_5_omni.py, modeling_glm4v.py): as Qwen2.5-VL.


QWEN2_5_OMNI_VISION = dict(QWEN2_5_VL_VISION, model_type="qwen2_5_omni_vision_encoder")
add(QWEN2_5_OMNI_VISION, qwen_vision_angles, [(8, 8), (2, 4, 6)])
GLM4V_VISION = {"model_type": "glm4v_vision", "hidden_size": 1536, "num_heads": 12, "patch_size": 14,
                "spatial_merge_size": 2, "temporal_patch_size": 2, "image_size": 336}
add(GLM4V_VISION, qwen_vision_angles, [(4, 4), (6, 10), (2, 4, 6)])


# Step 3.7 (modeling_step3p7.py): row, then column, half-split over the head.  Muse Glimmer (modeling_muse_glimmer.py):
# column + 1, then row + 1, half-split over the head; tokens in the order before the windows.  Kimi K2.5
# (modeling_kimi_k25.py): column and row pairs alternate, half-split over the head; frames repeat.


def theta_of(config):
    return config["rope_parameters"]["rope_theta"]


def step3p5_vision_angles(config, request):
    return rows_and_columns_angles(config["hidden_size"] // config["num_attention_heads"], theta_of(config), request)


def muse_glimmer_vision_angles(config, request):
    half = config["hidden_size"] // config["num_attention_heads"] // 2
    _, row, column = request_indices(request)
    return angles_in_runs([column + 1, row + 1], [half, half], theta_of(config))


def kimi_k25_vision_angles(config, request):
    half = config["hidden_size"] // config["num_attention_heads"] // 2
    _, row, column = request_indices(request)
    return alternating_angles(column, row, own_frequencies(theta_of(config), half))


def vision_config(model_type, hidden_size, heads, patch_size, **more):
    config = {"model_type": model_type, "hidden_size": hidden_size, "num_attention_heads": heads,
              "patch_size": patch_size, "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}}
    config.update(more)
    return config


add(vision_config("step3p5_vision", 1536, 16, 14, image_size=728), step3p5_vision_angles, [(4, 4), (5, 9), (52, 2)])
add(vision_config("muse_glimmer_vision", 1024, 16, 14, pos_emb_height=32, pos_emb_width=32, merge_size=2),
    muse_glimmer_vision_angles, [(8, 8), (4, 6)])
add(vision_config("kimi_k25_vision", 1152, 16, 14, merge_kernel_size=[2, 2]), kimi_k25_vision_angles,
    [(8, 8), (4, 6), (3, 4, 2)])


# MiniMax-M3-VL (modeling_minimax_m3_vl.py): time, row, column with 2 floor(floor(d / 3) / 2) channels each; the rest of
# the head passes; half-split over the channels that turn; tokens of a frame in blocks of m x m.


def minimax_m3_vl_vision_angles(config, request):
    axis_width = 2 * (config["hidden_size"] // config["num_attention_heads"] // 3 // 2)
    frames, height, width = request.frames_height_width()
    rows, columns = block_indices(frames, height, width, config["spatial_merge_size"])
    frame = np.repeat(np.arange(frames), height * width)
    return angles_in_runs([frame, rows, columns], [axis_width] * 3, theta_of(config))


add(vision_config("minimax_m3_vl_vision", 1280, 16, 14, spatial_merge_size=2, temporal_patch_size=2),
    minimax_m3_vl_vision_angles, [(4, 4), (6, 10), (3, 4, 6)])


# EfficientLoFTR (modeling_efficientloftr.py): row + 1 and column + 1 alternate, interleaved, over the channels of all
# heads together; the frequencies are those of partial_rotary_factor times the head.  The grid is the aggregated one.


def efficientloftr_angles(config, request):
    head_dim = config["hidden_size"] // config["num_attention_heads"]
    width = int(head_dim * config["partial_rotary_factor"])
    _, row, column = request_indices(request)
    return alternating_angles(row + 1, column + 1, own_frequencies(config["rope_theta"], width))


EFFICIENTLOFTR = {"model_type": "efficientloftr", "hidden_size": 256, "num_attention_heads": 8,
                  "partial_rotary_factor": 4.0, "rope_theta": 10000.0, "q_aggregation_kernel_size": 4,
                  "q_aggregation_stride": 4, "kv_aggregation_kernel_size": 4, "kv_aggregation_stride": 4}
add(EFFICIENTLOFTR, efficientloftr_angles, [(8, 8), (5, 7)])


# EdgeTAM, the queries of the memory attention (modeling_edgetam_video.py): as SAM 2.
add(sam2_config("edgetam_video", [8, 8], memory_attention_rope_k_sizes=[4, 4]), sam2_video_angles, [(8, 8)])


# --------------------------------------------------------------------------------------------------------------
# Sound, and text beside pictures, on one axis that counts tokens.  ACE-Step (ace_step_transformer.py) and LongCat's audio
# (transformer_longcat_audio_dit.py) turn the whole head; Stable Audio (stable_audio_transformer.py with
# pipeline_stable_audio.py), Stable Audio 3 (transformer_stable_audio3.py) and its autoencoder (autoencoder_same.py) turn the
# first half of it, MiniMax-Music 3 (transformer_minimax_music3.py) its first rotary_dim channels.  The text of Kandinsky 5
# (Kandinsky5RoPE1D) turns all channels of the three axes.


def counted(tokens, part=None):
    return Request((tokens,), has_grid_option=False, positions=tokens, part=part)


def counted_angles(base_of, width_of):
    def angles(config, request):
        return axis_angles(np.arange(request.positions), own_frequencies(base_of(config), width_of(config)))
    return angles


def whole_head(config):
    return config["head_dim"]


add({"_class_name": "AceStepTransformer1DModel", "hidden_size": 2048, "num_attention_heads": 16, "num_key_value_heads": 8,
     "head_dim": 128, "rope_theta": 1000000.0, "sliding_window": 128},
    counted_angles(lambda config: config["rope_theta"], whole_head), [], [counted(7), counted(1500)])
add({"_class_name": "LongCatAudioDiTTransformer", "dit_dim": 1536, "dit_heads": 24},
    counted_angles(lambda config: 100000, lambda config: config["dit_dim"] // config["dit_heads"]), [], [counted(9), counted(2048)])
add({"_class_name": "StableAudioDiTModel", "attention_head_dim": 64, "num_attention_heads": 24},
    counted_angles(lambda config: 10000, lambda config: config["attention_head_dim"] // 2), [], [counted(1025)])
add({"_class_name": "StableAudio3DiTModel", "embed_dim": 1536, "num_heads": 24},
    counted_angles(lambda config: 10000, lambda config: config["embed_dim"] // config["num_heads"] // 2), [], [counted(320)])
add({"_class_name": "AutoencoderSAME", "dim_heads": 64},
    counted_angles(lambda config: 10000, lambda config: config["dim_heads"] // 2), [], [counted(33)])
add({"_class_name": "MiniMaxMusic3Transformer1DModel", "attention_head_dim": 64, "rotary_dim": 24},
    counted_angles(lambda config: 10000, lambda config: config["rotary_dim"]), [], [counted(1000)])
add(KANDINSKY5, counted_angles(lambda config: 10000, lambda config: sum(config["axes_dims"])), [], [counted(1024, part="text")])


# --------------------------------------------------------------------------------------------------------------
# LTX-2's audio (transformer_ltx2.py, prepare_audio_coords): the middle, in seconds, of a frame of audio_scale_factor mel frames,
# the first of them causal, over audio_pos_embed_max_pos seconds, from -1 to 1; n = D / 2 rising frequencies on one axis.
# Its connectors (pipelines/ltx2/connectors.py): a token's number over connector_rope_base_seq_len, from -1 to 1.


def line_of_rising(coordinates, theta, channels):
    return axis_angles(coordinates, rising_quarter_turns(theta, channels // 2))


def ltx2_audio_angles(config, request):
    scale, offset = config["audio_scale_factor"], config["causal_offset"]
    frame = np.arange(request.grid[0]).astype(real)
    ends = [np.maximum((frame + more) * scale + offset - scale, 0) for more in (0, 1)]
    seconds = (ends[0] + ends[1]) / 2 * config["audio_hop_length"] / config["audio_sampling_rate"]
    channels = config["audio_num_attention_heads"] * config["audio_attention_head_dim"]
    return line_of_rising(2 * seconds / config["audio_pos_embed_max_pos"] - 1, config["rope_theta"], channels)


LTX2_AUDIO = ltx2_config(2, 64, audio_num_attention_heads=2, audio_attention_head_dim=32, audio_scale_factor=4,
                         audio_pos_embed_max_pos=20, audio_sampling_rate=16000, audio_hop_length=160)
add(LTX2_AUDIO, ltx2_audio_angles, [], [Request((126, 1, 1), part="audio"), Request((1, 1, 1), part="audio")])
add(dict(LTX2_AUDIO, causal_offset=0, audio_sampling_rate=44100, audio_hop_length=441, rope_type="split"), ltx2_audio_angles, [],
    [Request((50, 1, 1), part="audio")])


def ltx2_connector_angles(stream):
    def angles(config, request):
        channels = config[stream + "_connector_num_attention_heads"] * config[stream + "_connector_attention_head_dim"]
        place = np.arange(request.grid[-1]).astype(real) / config["connector_rope_base_seq_len"]
        return line_of_rising(2 * place - 1, config["rope_theta"], channels)
    return angles


LTX2_CONNECTORS = {"_class_name": "LTX2TextConnectors", "video_connector_num_attention_heads": 3,
                   "video_connector_attention_head_dim": 32, "audio_connector_num_attention_heads": 2,
                   "audio_connector_attention_head_dim": 16, "video_connector_num_learnable_registers": 128,
                   "audio_connector_num_learnable_registers": None, "connector_rope_base_seq_len": 4096, "rope_theta": 10000.0}
add(LTX2_CONNECTORS, ltx2_connector_angles("video"), [], [Request((1, 256))])
add(LTX2_CONNECTORS, ltx2_connector_angles("audio"), [], [Request((1, 37), part="audio")])


# The diffusion decoder of LTX-2.5 (ltx2_diffusion_decoder.py): a quarter of the head for time, the rest halved, whole pairs each.


def ltx2_decoder_angles(config, request):
    width = config["decoder_head_dim"]
    time = width // 4 // 2 * 2
    if (width - time) // 2 % 2:
        time -= 2
    return angles_in_runs(request_indices(request), [time, (width - time) // 2, (width - time) // 2], 10000)


for decoder_width in (64, 48, 40):
    add({"_class_name": "LTX2VideoDiffusionDecoderModel", "decoder_head_dim": decoder_width}, ltx2_decoder_angles, [(5, 6), (3, 4, 7)])


# --------------------------------------------------------------------------------------------------------------
# Cosmos 3 (transformer_cosmos3.py; pipeline_cosmos3_omni.py, get_3d_mrope_ids_*).  Text on the diagonal; the video's time begins
# at the text's length and a margin, and runs by base_fps / fps a frame, where there are several and a rate is given; rows and
# columns begin at 0.  All axes share the frequencies of the head, as in Ideogram 4.


def cosmos3_angles(config, request):
    tokens = number_of_text_tokens(request)
    text = zeros(3, tokens) + np.arange(tokens)
    video = request_indices(request)
    start = tokens + config["unified_3d_mrope_temporal_modality_margin"]
    if request.fps is not None and request.frames_height_width()[0] > 1:
        video[0] *= config["base_fps"] / real(request.fps)
    video[0] += start
    if not config["unified_3d_mrope_reset_spatial_ids"]:
        video[1:] += start
    return angles_modulo_three(join(text, video), own_frequencies(config["rope_theta"], config["head_dim"]), config["rope_axes_dim"])


COSMOS3 = {"_class_name": "Cosmos3OmniTransformer", "head_dim": 128, "hidden_size": 4096, "num_attention_heads": 32, "base_fps": 24,
           "enable_fps_modulation": True, "unified_3d_mrope_reset_spatial_ids": True,
           "unified_3d_mrope_temporal_modality_margin": 15000, "rope_theta": 5000000.0, "rope_axes_dim": [24, 20, 20]}
add(COSMOS3, cosmos3_angles, [(4, 5), (3, 4, 5)],
    [Request((5, 3, 4), text=9, fps=16), Request((4, 3, 2), text=7, fps=30), Request((1, 3, 4), text=5, fps=10)])
add(dict(COSMOS3, unified_3d_mrope_reset_spatial_ids=False, unified_3d_mrope_temporal_modality_margin=100, rope_axes_dim=[32, 16, 16]),
    cosmos3_angles, [], [Request((3, 4, 5), text=8, fps=60)])


# --------------------------------------------------------------------------------------------------------------
# Wan-Animate 2 (transformer_wan_animate_2.py, rope_params and rope_apply): the video at its index, and the reference at its
# index from an offset of its own on each axis; -1 is the reference's own size there; its frames take every refer_stride-th row.


def wan_animate2_angles(config, request):
    groups = [request_indices(request)]
    for reference in request.references:
        sizes = (1,) * (3 - len(reference)) + tuple(reference)
        rows = grid_indices(*sizes)
        rows[0] *= config["refer_stride"]
        for axis, key in enumerate(("refer_offset_t", "refer_offset_h", "refer_offset_w")):
            rows[axis] += sizes[axis] if config[key] < 0 else config[key]
        groups.append(rows)
    return angles_in_runs(join(*groups), wan_widths(config["dim"] // config["num_heads"]), 10000)


WAN_ANIMATE2 = {"_class_name": "WanAnimate2Transformer3DModel", "dim": 5120, "num_heads": 40, "refer_offset_t": 1, "refer_offset_h": 0,
                "refer_offset_w": -1, "refer_stride": 1}
add(WAN_ANIMATE2, wan_animate2_angles, [(4, 4), (3, 5, 7)], [Request((3, 4, 5), references=[(3, 4, 6)]), Request((2, 3, 4), references=[(2, 5)])])
add(dict(WAN_ANIMATE2, dim=512, num_heads=8, refer_offset_t=-1, refer_offset_h=7, refer_offset_w=0, refer_stride=3), wan_animate2_angles, [],
    [Request((3, 4, 5), references=[(4, 2, 3)])])


# --------------------------------------------------------------------------------------------------------------
# AnyFlow-FAR (transformer_anyflow_far.py): compressed frames come first.  The class averages the phases of the s cells that a
# compressed token stands for, and divides the mean by its length; the angle is that of their middle while s is at most 6.


def anyflow_far_angles(config, request):
    cells = [large // small for large, small in zip(config["compressed_patch_size"], config["patch_size"])]
    _, height, width = request.frames_height_width()
    groups = []
    for side, first, last in request.frames or [(1, 0, request.frames_height_width()[0] - 1)]:
        of_run = cells if side > 1 else [1, 1, 1]
        rows = grid_indices(last - first + 1, height // of_run[1], width // of_run[2])
        rows[0] += first
        groups.append(np.stack([s * row + real(s - 1) / 2 for s, row in zip(of_run, rows)]))
    return angles_in_runs(join(*groups), wan_widths(config["attention_head_dim"]), 10000)


def mean_of_phases(frequency, cells, index):
    """The angle, from -pi to pi, of the class's own average over the cells of one token."""
    phases = np.exp(1j * np.float64(frequency) * (cells * index + np.arange(cells)))
    return np.angle(phases.mean() / abs(phases.mean()))


for cells_of_token in (2, 3, 6):
    middle = np.angle(np.exp(1j * (cells_of_token * 5 + (cells_of_token - 1) / 2)))
    assert abs(mean_of_phases(1, cells_of_token, 5) - middle) < LARGEST_DIFFERENCE
assert abs(mean_of_phases(1, 7, 5) - np.angle(np.exp(1j * (7 * 5 + 3)))) > 3  # beyond six, pair 0 turns by pi more

ANYFLOW_FAR = wan_config("AnyFlowFARTransformer3DModel", compressed_patch_size=[1, 4, 4])
add(ANYFLOW_FAR, anyflow_far_angles, [(4, 4), (3, 5, 7)],
    [Request((6, 8), frames=[(2, 0, 2), (1, 3, 4)]), Request((7, 5), frames=[(2, 0, 1), (1, 2, 2)]), Request((4, 6), frames=[(1, 5, 8)])])


# --------------------------------------------------------------------------------------------------------------
# JoyImage Edit Plus (transformer_joyimage_edit_plus.py): each component at its index, in time after those before it.


def joyimage_plus_angles(config, request):
    groups, first = [], 0
    for sizes in [request.frames_height_width()] + [(1,) + tuple(reference) for reference in request.references]:
        rows = grid_indices(*sizes)
        rows[0] += first
        first += sizes[0]
        groups.append(rows)
    return angles_in_runs(join(*groups), config["rope_dim_list"], config["theta"])


add(dict(JOYIMAGE, _class_name="JoyImageEditPlusTransformer3DModel", theta=10000), joyimage_plus_angles, [(8, 8), (2, 3, 5)],
    [Request((5, 4), references=[(5, 4), (3, 6)]), Request((1, 4, 4), references=[(2, 7)])])


# --------------------------------------------------------------------------------------------------------------
# The comparison.


def angles_and_amplitude(angles_of):
    """The angles of a case, and what its cosines and sines are multiplied by, which is 1 for nearly all."""
    angles = angles_of()
    return angles if isinstance(angles, tuple) else (angles, real(1))


def expected_table(angles, amplitude):
    """The table as the program writes it: cosines, then sines, rounded to binary64."""
    return (amplitude * np.concatenate([np.cos(angles), np.sin(angles)], axis=1)).astype(np.float64)


def written_table(command, config, options, folder):
    """Runs the program in a folder of its own and reads what it wrote.  Returns the table, or None and the reason."""
    config_file, output_file = os.path.join(folder, "config.json"), os.path.join(folder, "table.npy")
    with open(config_file, "w", encoding="utf-8") as stream:
        json.dump(config, stream, indent=1)
    arguments = (["table", "cos-sin", "--config", config_file] + options
                 + ["--layout", "vllm", "--dtype", "f64", "--output", output_file])
    result = subprocess.run(command + arguments, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return None, "the program ended with %d: %s" % (result.returncode, result.stderr.strip())
    return np.load(output_file), ""


def first_difference(expected, written):
    """An empty text when the tables agree, else a sentence that names the first entry that differs."""
    if written.shape != expected.shape:
        return "the shape is %s where %s is expected" % (written.shape, expected.shape)
    if written.dtype != np.float64:
        return "the type is %s where float64 is expected" % written.dtype
    # A table with a NaN in it is never close, because the comparison is written as not (difference <= limit).
    wrong = ~(np.abs(written - expected) <= LARGEST_DIFFERENCE)
    if not wrong.any():
        return ""
    pairs = expected.shape[1] // 2
    token, column = np.argwhere(wrong)[0]
    part = "cos" if column < pairs else "sin"
    return ("%d of %d entries differ; the first is %s of token %d, pair %d: %.17g is expected and %.17g was written"
            % (wrong.sum(), wrong.size, part, token, column % pairs, expected[token, column], written[token, column]))


def list_cases(cases):
    entries = 0
    for name, _, _, angles_of in cases:
        tokens, pairs = angles_and_amplitude(angles_of)[0].shape
        entries += tokens * 2 * pairs
        print("%-90s %6d tokens %5d pairs" % (name, tokens, pairs))
    print("%d cases, %d entries" % (len(cases), entries))


def check_cases(cases, command):
    """Compares all cases, prints a line for each class, and returns the exit code."""
    counts, failures = {}, []
    for name, config, options, angles_of in cases:
        expected = expected_table(*angles_and_amplitude(angles_of))
        with tempfile.TemporaryDirectory() as folder:
            written, reason = written_table(command, config, options, folder)
        if written is not None:
            reason = first_difference(expected, written)
        if reason:
            failures.append("%s: %s" % (name, reason))
        class_cases, class_failures, class_entries = counts.get(name.split()[0], (0, 0, 0))
        counts[name.split()[0]] = (class_cases + 1, class_failures + bool(reason),
                                   class_entries + (0 if reason else expected.size))
    for class_name, (class_cases, class_failures, class_entries) in counts.items():
        verdict = "agree" if class_failures == 0 else "%d OF %d DIFFER" % (class_failures, class_cases)
        print("%-44s %3d cases %8d entries  %s" % (class_name, class_cases, class_entries, verdict))
    print("%d entries of %d cases agree to %g" % (sum(count[2] for count in counts.values()),
                                                   len(cases) - len(failures), LARGEST_DIFFERENCE))
    for failure in failures:
        print("FAILED " + failure, file=sys.stderr)
    return 1 if failures or not cases else 0


def main(arguments):
    cases = CASES
    if "--only" in arguments:
        wanted = arguments[arguments.index("--only") + 1]
        cases = [case for case in CASES if wanted in case[0]]
    if "--list" in arguments:
        list_cases(cases)
        return 0
    command = os.environ.get("ROPEWALK_COMMAND")
    if not command:
        print("ROPEWALK_COMMAND names no program to check", file=sys.stderr)
        return 2
    return check_cases(cases, shlex.split(command))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
