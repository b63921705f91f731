"""Changes of what reads configurations: kinds of layers, and what a type's own code does."""

from runner import Mutation

LAYERS, BLOCK, HEAD = "src/model/layers.cpp", "src/model/chosen_block.cpp", "src/model/head_reading.cpp"
V4 = "model/layer_kinds_test.cpp: Model.KindsOfDeepSeekV4AreRatiosAndTheLastChannelsRotate"

MUTATIONS = [
    Mutation("layers: ratios the other way round", LAYERS, "value == 0 ? rule.usual : rule.special",
             "value == 0 ? rule.special : rule.usual", V4),
    Mutation("layers: ratios beyond the last layer", LAYERS, "if (layers > 0) result.resize(static_cast<std::size_t>(layers));", "",
             V4),
    Mutation("layers: counted from the first", LAYERS, "rule.counts_from_end ? layers - 1 - layer : layer", "layer",
             "model/layer_kinds_test.cpp: Model.LayersOfMuseCountFromTheEnd"),
    Mutation("yarn: an attention factor of its own", BLOCK,
             'block_.block["attention_factor"] = 1;\n    sources_.add(', "sources_.add(", V4),
    Mutation("head: the first channels rotate", HEAD, "static_cast<int>(head_dim - rotary_dim);", "0;", V4),
]
