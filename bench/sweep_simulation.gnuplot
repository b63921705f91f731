# build/release/sweep_simulation 20 >build/sweep.txt
# gnuplot bench/sweep_simulation.gnuplot >src/sweep/sweep-simulation.svg
set terminal svg size 760,390 font "sans-serif,13" background "#ffffff"
set title "10^{14} entries: efficiency by cores and size of a unit" font ",15"
set logscale x
set format x "10^{%L}"
set xlabel "cores"
set ylabel "efficiency"
set xrange [1:100000]
set yrange [0:1.02]
set grid linecolor "#d9d9d9"
set border 3
set tics nomirror
set key bottom left reverse Left
file = "build/sweep.txt"
array colours[5] = ["#d55e00", "#e69f00", "#009e73", "#0072b2", "#cc79a7"]
plot for [i = 0:4] file index i using 2:4 with linespoints linewidth 2 pointtype i + 5 pointsize 0.6 \
  dashtype i + 1 linecolor rgb colours[i + 1] title sprintf("2^{%d} entries a unit", 24 + 2 * i)
