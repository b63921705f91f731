"""The figure of bench/engines: error against position, one line for each engine, drawn by gnuplot."""

from __future__ import annotations

import pathlib
import subprocess
from typing import Dict, List, Tuple

_COLOURS = ["#d55e00", "#b0548c", "#0072b2", "#c98a00", "#5f6b76", "#008f68", "#882255", "#3a9bd0"]
_PLACES_APART = 1.9  # factor between the heights of two labels

_SCRIPT = """set encoding utf8
set terminal {terminal}
set output '{output}'
set logscale xy
set format x '%.0f'
set format y '10^{{%L}}'
set xrange [16:{end}]
set yrange [{least}:0.05]
set rmargin 38
set xtics (16, 64, 256, 1024, 4096, 16384, 65536)
set xlabel 'position'
set ylabel 'largest error of a pair, as a part of its length'
set title "{title}"
set grid linecolor '#dfe3e8'
set border 3
set tics nomirror
unset key
{labels}
{data}
plot {lines}, 2.0**-10 with lines dashtype 2 linecolor '#57606a' notitle, 2.0**-7 with lines dashtype 2 linecolor '#57606a' notitle
"""


def _heights(ends: List[float]) -> List[float]:
    """Heights of labels beside the ends of lines, without overlap, from the lowest up."""
    placed: List[float] = []
    for end in sorted(ends):
        placed.append(max(end, placed[-1] * _PLACES_APART) if placed else end)
    return placed


def draw(curves: Dict[str, List[Tuple[int, float]]], title: str, svg: pathlib.Path, png: pathlib.Path) -> None:
    """Draws curves of (position, error), keyed by the label of each line."""
    end = max(curve[-1][0] for curve in curves.values())
    order = sorted(curves, key=lambda name: curves[name][-1][1])
    heights = _heights([curves[name][-1][1] for name in order])
    labels, data, lines = [], [], []
    for place, (name, height) in enumerate(zip(order, heights)):
        colour = _COLOURS[place % len(_COLOURS)]
        labels.append(f"set label {place + 1} \"{name}\" at {end * 1.12}, {height} textcolor rgb '{colour}'")
        data.append(f"$line{place} << EOD\n" + "".join(f"{position} {max(error, 1e-12)}\n" for position, error in curves[name]) + "EOD")
        lines.append(f"$line{place} using 1:2 with lines linewidth 2 linecolor rgb '{colour}' notitle")
    for bits, power in (("f16", -10), ("bf16", -7)):
        labels.append(f"set label \"one ulp of {bits}\" at 18, {2.0 ** power} offset 0,0.6 textcolor rgb '#57606a'")
    for path, terminal in ((svg, "svg size 980,520 font 'sans-serif,13' background '#ffffff'"),
                           (png, "pngcairo size 980,520 font 'sans-serif,10' background '#ffffff'")):
        script = _SCRIPT.format(terminal=terminal, output=path, end=end, title=title, least=1e-8, labels="\n".join(labels),
                                data="\n".join(data), lines=", ".join(lines))
        subprocess.run(["gnuplot"], input=script, text=True, check=True)
