"""A sinusoidal encoding and ALiBi as NumPy programs write them: entries and sums in binary32."""
import math
import sys

import numpy as np

import ropewalk_kernel

wrong = sys.argv[1:] == ["wrong"]
whole_turn = 1 << 128


def angles(positions, encoding):
    """In radians within half a turn, reduced exactly: binary64 products are too coarse at far positions."""
    turns = [sum(int(word) << 32 * place for place, word in enumerate(words)) for words in encoding.turns]
    turned = positions[..., None].astype(object) * np.array(turns, object) % whole_turn
    nearest = np.where(turned < whole_turn // 2, turned, turned - whole_turn)
    return (nearest / whole_turn).astype("f8") * (2 * math.pi)


@ropewalk_kernel.kernel(promise="entry=f32,sum=f32", operation="add-row", dtypes=["f32"])
def sinusoids(query, positions, encoding):
    offset, channels = int(encoding.words["row_offset"]), encoding.rotary_dim
    angle = angles(positions.astype("i8") + offset + wrong, encoding)
    waves = [np.sin(angle), np.cos(angle)]
    if encoding.words["cosine_first"] == "1":
        waves.reverse()
    row = np.stack(waves, axis=-1 if encoding.pairing_in == "interleaved" else -2).reshape(*positions.shape, channels)
    if offset > 0:
        row[positions == -1] = 0
    with np.errstate(all="ignore"):
        query[..., :channels] += row[:, :, None].astype("f4")


@ropewalk_kernel.kernel(promise="entry=f32,sum=f32", operation="add-bias", dtypes=["f32"],
                        forms=["causal", "symmetric", "bloom", "mpt"])
def linear_bias(query, positions, encoding):
    keys = query.shape[-1]
    counted_from = {"bloom": 0, "mpt": keys - 1}.get(encoding.form, positions[..., None].astype("i8"))
    ahead = np.broadcast_to(np.arange(keys) - counted_from, (*positions.shape, keys))  # [batch, queries, keys]
    reach = -np.abs(ahead) if encoding.form == "symmetric" else ahead
    slopes = encoding.slopes[::-1] if wrong else encoding.slopes
    bias = reach[:, :, None, :] * slopes[None, None, :, None]
    with np.errstate(all="ignore"):
        query += bias.astype("f4")


if sys.argv[1:] == ["by-key"]:
    @ropewalk_kernel.kernel(promise="entry=f32,sum=f32", operation="add-bias", dtypes=["f32"])
    def key_bias(query, encoding):
        """BLOOM's form, by a program that says nothing of forms."""
        with np.errstate(all="ignore"):
            query += (encoding.slopes[:, None] * np.arange(query.shape[-1])).astype("f4")


ropewalk_kernel.serve()
