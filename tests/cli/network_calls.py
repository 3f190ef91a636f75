"""Run a command and write down each attempt of it, or of a process it starts, to reach a network.

`python network_calls.py REPORT COMMAND...` ends with the command's exit code; REPORT has one line for each attempt.
Linux hands every `connect`, and every `socket` that is not a Unix one, of any thread of any of the processes to this
program (a seccomp filter with a listener), which refuses it. That needs no rights, no other program and no network, and
sees a look-up where there is no DNS server. Ends with 77 where the system has no such filters.
"""

import ctypes
import errno
import os
import platform
import select
import socket
import struct
import sys
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path

UNAVAILABLE = 77
# architecture of the kernel's audit, then the numbers of the calls
CALLS = {"x86_64": (0xC000003E, 41, 42, 317), "aarch64": (0xC00000B7, 198, 203, 277)}
NO_NEW_PRIVS, SET_MODE_FILTER, NEW_LISTENER = 38, 1, 8
ALLOW, NOTIFY = 0x7FFF0000, 0x7FC00000
RECEIVE, ANSWER = 0xC0502100, 0xC0182101
NOTICE = struct.Struct("=QIIiIQ6Q")  # id, process, flags, call, architecture, instruction, six arguments


def filter_program(architecture: int, socket_call: int, connect_call: int) -> bytes:
    """For the kernel: tell of every `connect`, and of a `socket` of another family than Unix."""
    load, equal, give = 0x20, 0x15, 0x06
    steps = [
        (load, 0, 0, 4),
        (equal, 0, 5, architecture),
        (load, 0, 0, 0),
        (equal, 4, 0, connect_call),
        (equal, 0, 2, socket_call),
        (load, 0, 0, 16),
        (equal, 0, 1, socket.AF_UNIX),
        (give, 0, 0, ALLOW),
        (give, 0, 0, NOTIFY),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def listener(architecture: int, socket_call: int, connect_call: int, seccomp_call: int) -> int:
    """Put the filter on this process for good; the descriptor on which its calls are told, -1 where there is none."""
    code = ctypes.create_string_buffer(filter_program(architecture, socket_call, connect_call))
    program = struct.pack("=H6xQ", len(code) // 8, ctypes.addressof(code))
    system = ctypes.CDLL(None, use_errno=True)
    system.syscall.restype = ctypes.c_long
    if system.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return -1
    return system.syscall(seccomp_call, SET_MODE_FILTER, NEW_LISTENER, program)


def attempt(notice: tuple[int, ...], connect_call: int) -> str:
    process, call, family = notice[1], notice[3], notice[6]
    with suppress(OSError):  # whoever called is gone meanwhile
        who = Path(f"/proc/{process}/comm").read_text().strip()
        return f"{who}: connect" if call == connect_call else f"{who}: socket of family {family}"
    return f"process {process}: call {call}"


def supervise(descriptor: int, connect_call: int, report: Path) -> None:
    """Write down and refuse, until nobody is left who could call."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    while not any(events & (select.POLLHUP | select.POLLERR) for _, events in waiting.poll()):
        notice = bytearray(NOTICE.size)
        with suppress(FileNotFoundError):  # whoever called was killed meanwhile
            ioctl(descriptor, RECEIVE, notice)
            fields = NOTICE.unpack(notice)
            with report.open("a") as file:
                file.write(f"{attempt(fields, connect_call)}\n")
            ioctl(descriptor, ANSWER, struct.pack("=QqiI", fields[0], 0, -errno.EACCES, 0))


def main(report: Path, command: list[str]) -> int:
    calls = CALLS.get(platform.machine())
    if sys.platform != "linux" or calls is None:
        return UNAVAILABLE
    report.touch()
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        descriptor = listener(*calls)
        if descriptor < 0:
            os._exit(UNAVAILABLE)
        socket.send_fds(theirs, [b"."], [descriptor])
        os.close(descriptor)
        os.execvp(command[0], command)
    theirs.close()
    _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
    if descriptors:
        supervise(descriptors[0], calls[2], report)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
