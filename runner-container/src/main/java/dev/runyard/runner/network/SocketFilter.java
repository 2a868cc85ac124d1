package dev.runyard.runner.network;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The program in the kernel that sees each system call of an agent: it hands the making of stream
/// sockets of the internet to somebody else, refuses every other way to the network, and lets the
/// rest pass. It is a classic BPF program over `struct seccomp_data` (`seccomp(2)`).
///
/// `io_uring` and the calls of other architectures could make sockets unseen, so they do not exist.
/// Sockets of the file system and of netlink are let pass: programs need them, and neither leads
/// off the machine.
final class SocketFilter {
  private static final int LOAD = 0x20;
  private static final int AND = 0x54;
  private static final int IF_EQUAL = 0x15;
  private static final int IF_NOT_LESS = 0x35;
  private static final int RETURN = 0x06;

  private static final int ALLOW = 0x7fff_0000;
  private static final int ASK = 0x7fc0_0000;
  private static final int REFUSE = 0x0005_0000;
  private static final int EACCES = 13;
  private static final int ENOSYS = 38;

  // Places in struct seccomp_data.
  private static final int NUMBER = 0;
  private static final int ARCHITECTURE = 4;
  private static final int FAMILY = 16;
  private static final int TYPE = 24;

  private static final int AF_UNIX = 1;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int AF_NETLINK = 16;
  private static final int TYPE_MASK = 0xf;
  private static final int STREAM = 1;

  private static final int INSTRUCTION_BYTES = 8;

  /// One instruction; jumps are counted from the next one.
  private record Instruction(int code, int ifTrue, int ifFalse, int operand) {}

  private SocketFilter() {}

  /// `struct sock_fprog` with the program, in the arena.
  static MemorySegment program(KernelNumbers numbers, Arena arena) {
    List<Instruction> program = instructions(numbers);
    MemorySegment code = arena.allocate((long) program.size() * INSTRUCTION_BYTES, 8);
    for (int i = 0; i < program.size(); i++) {
      Instruction one = program.get(i);
      long at = (long) i * INSTRUCTION_BYTES;
      code.set(ValueLayout.JAVA_SHORT, at, (short) one.code());
      code.set(ValueLayout.JAVA_BYTE, at + 2, (byte) one.ifTrue());
      code.set(ValueLayout.JAVA_BYTE, at + 3, (byte) one.ifFalse());
      code.set(ValueLayout.JAVA_INT, at + 4, one.operand());
    }
    MemorySegment header = arena.allocate(16, 8);
    header.set(ValueLayout.JAVA_SHORT, 0, (short) program.size());
    header.set(ValueLayout.ADDRESS, 8, code);
    return header;
  }

  private static List<Instruction> instructions(KernelNumbers numbers) {
    List<Instruction> program = new ArrayList<>();
    program.add(load(ARCHITECTURE));
    program.add(new Instruction(IF_EQUAL, 1, 0, numbers.audit()));
    program.add(end(REFUSE | ENOSYS));
    program.add(load(NUMBER));
    if (numbers.second()) {
      program.add(new Instruction(IF_NOT_LESS, 0, 1, KernelNumbers.SECOND_TABLE));
      program.add(end(REFUSE | ENOSYS));
    }
    program.add(new Instruction(IF_EQUAL, 0, 1, KernelNumbers.IO_URING_SETUP));
    program.add(end(REFUSE | ENOSYS));
    program.add(new Instruction(IF_EQUAL, 1, 0, numbers.sockets().socket()));
    program.add(end(ALLOW));
    program.add(load(FAMILY));
    program.add(new Instruction(IF_EQUAL, 1, 0, AF_UNIX));
    program.add(new Instruction(IF_EQUAL, 0, 1, AF_NETLINK));
    program.add(end(ALLOW));
    program.add(new Instruction(IF_EQUAL, 2, 0, AF_INET));
    program.add(new Instruction(IF_EQUAL, 1, 0, AF_INET6));
    program.add(end(REFUSE | EACCES));
    program.add(load(TYPE));
    program.add(new Instruction(AND, 0, 0, TYPE_MASK));
    program.add(new Instruction(IF_EQUAL, 1, 0, STREAM));
    program.add(end(REFUSE | EACCES));
    program.add(end(ASK));
    return program;
  }

  private static Instruction load(int place) {
    return new Instruction(LOAD, 0, 0, place);
  }

  private static Instruction end(int verdict) {
    return new Instruction(RETURN, 0, 0, verdict);
  }
}
