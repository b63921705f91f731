"""Test vectors in the forms of other projects.

    python3 -m ropewalk.vectors flashinfer DIR
    python3 -m ropewalk.vectors onnx PACK DIR
"""
