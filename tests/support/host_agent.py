#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Open MPI runs in place of ssh between the hosts of hosts_as_namespaces.sh.

    host_agent.py --serve SOCKET DIRECTORY     outside the hosts; DIRECTORY/pid.HOST holds a process of each host
    host_agent.py SOCKET HOST COMMAND ...      on a host

A process may only enter namespaces below its own, so a host cannot enter another one: it hands its standard streams to the server, which can.
As with ssh, the environment stays behind and the command is a line for the remote shell.
"""

import os
import pathlib
import socket
import subprocess
import sys
import threading

NAMESPACES = ["--net", "--pid", "--mount", "--uts", "--ipc"]


def run_remotely(connection, directory):
    with connection:
        request, streams, _, _ = socket.recv_fds(connection, 1 << 16, 3)
        host, line = request.decode().split("\n", 1)
        holder = (pathlib.Path(directory) / f"pid.{host}").read_text().strip()
        environment = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/root")}
        stdin, stdout, stderr = streams
        child = subprocess.Popen(["nsenter", "--target", holder, *NAMESPACES, "sh", "-c", line],
                                 env=environment, stdin=stdin, stdout=stdout, stderr=stderr)
        for stream in streams:
            os.close(stream)
        connection.sendall(str(child.wait()).encode())


def serve(path, directory):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(path)
        listener.listen()
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=run_remotely, args=(connection, directory), daemon=True).start()


def ask(path, host, command):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(path)
        socket.send_fds(connection, [f"{host}\n{' '.join(command)}".encode()], [0, 1, 2])
        return abs(int(connection.recv(16) or b"255"))


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        serve(*sys.argv[2:4])
    sys.exit(ask(sys.argv[1], sys.argv[2], sys.argv[3:]))
