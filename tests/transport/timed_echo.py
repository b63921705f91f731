"""A program without any module that answers requests with their own tensors; the argument says what it says of times."""
import json
import struct
import sys
import time

how = sys.argv[1]
source, sink = sys.stdin.buffer, sys.stdout.buffer


def seconds_of(calls, spent):
    """What the answer to `time` has as its seconds; `spent` is how long all calls took."""
    each = spent / calls / 2
    return {"too-few": json.dumps([each] * (calls - 1)), "negative": json.dumps([each] * (calls - 1) + [-each]),
            "zero": json.dumps([0.0] * calls), "nan": json.dumps([each] * (calls - 1) + [float("nan")]),
            "infinite": "[" + ", ".join(["1e999"] * calls) + "]", "words": json.dumps(["fast"] * calls),
            "nested": json.dumps([[each]] * calls), "no-list": "fast", "longer-than-the-wait": json.dumps([1000.0] * calls)}.get(how, json.dumps([each] * calls))


def answer_to(words, header, data):
    tensors = {name: about for name, about in header.items() if name in ("query", "key")}
    if words["request"] == "describe":
        about = {"name": "echo", "promise": "angle-f64", "dtypes": ["f32"]}
        if how != "none":
            about["time"] = True
        return {"protocol": "1", "kernels": json.dumps([about])}, {}, b""
    if words["request"] == "plan":
        return {}, {}, b""
    words = {} if words["request"] == "apply" else timed(int(words["calls"]))
    end = max(about["data_offsets"][1] for about in tensors.values())
    if how == "other-shape" and words:
        tensors["query"] = {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}
        end = 4
    return words, tensors, data[:end]


def timed(calls):
    if how == "declines":
        return {"status": "unsupported", "text": "no time for this"}
    begin = time.perf_counter()
    time.sleep(0.02)
    words = {"seconds": seconds_of(calls, time.perf_counter() - begin), "clock": "time.perf_counter"}
    if how == "no-seconds":
        del words["seconds"]
    if how in ("no-clock", "a-long-clock"):
        words["clock"] = {"no-clock": "", "a-long-clock": "c" * 65}[how]
    return words


while head := source.read(8):
    header = json.loads(source.read(struct.unpack("<Q", head)[0]))
    asked = header.pop("__metadata__")
    given = source.read(max((about["data_offsets"][1] for about in header.values()), default=0))
    said, tensors, data = answer_to(asked, header, given)
    text = json.dumps({"__metadata__": {"status": "ok", **said}, **tensors}).encode()
    sink.write(struct.pack("<Q", len(text)) + text + data)
    sink.flush()
