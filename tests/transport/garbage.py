"""A program that does not speak the protocol: it prints, and reads."""
import sys

print("Loading checkpoint shards: 100 %", flush=True)
sys.stdin.buffer.read(100000)
