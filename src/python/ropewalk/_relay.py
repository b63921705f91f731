"""Copies between this process's pipes and a Unix socket, until either side closes."""

import os
import socket
import sys
import threading


def copy(source: int, sink: int) -> None:
    while part := os.read(source, 1 << 20):
        while part:
            part = part[os.write(sink, part):]


def copy_requests(transport: socket.socket) -> None:
    copy(0, transport.fileno())
    transport.shutdown(socket.SHUT_WR)


with socket.socket(socket.AF_UNIX) as transport:
    transport.connect("\0" + sys.argv[1])
    threading.Thread(target=copy_requests, args=(transport,), daemon=True).start()
    copy(transport.fileno(), 1)
os._exit(0)  # the other side has closed; pending requests are dropped
