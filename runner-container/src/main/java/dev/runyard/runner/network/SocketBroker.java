package dev.runyard.runner.network;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Makes the internet sockets of one agent's processes: each is bound to the loopback device before
/// the agent has it, so it reaches programs on this machine and nothing else. A process without
/// privileges cannot undo the binding.
///
/// It decides by numbers in registers alone and reads nothing of the agent's memory, which the
/// agent could change meanwhile (`seccomp_unotify(2)`).
final class SocketBroker {
  private static final int RECEIVE = 0xc050_2100;
  private static final int SEND = 0xc018_2101;
  private static final int ADD = 0x4018_2103;
  private static final int NOTICE_BYTES = 80;
  private static final int ANSWER_BYTES = 24;

  // Places in struct seccomp_notif, whose call's arguments begin at 32.
  private static final int ID = 0;
  private static final int FAMILY = 32;
  private static final int TYPE = 40;

  private static final int STREAM = 1;
  private static final int NOT_BLOCKING = 0x800;
  private static final int CLOSED_ON_EXEC = 0x8_0000;
  private static final int SOL_SOCKET = 1;
  private static final int SO_BINDTODEVICE = 25;
  private static final byte[] LOOPBACK = "lo\0".getBytes(StandardCharsets.US_ASCII);
  private static final int EACCES = 13;

  private final Descriptor filter;
  private final KernelNumbers numbers;

  private SocketBroker(Descriptor filter) {
    this.filter = filter;
    this.numbers = filter.numbers();
  }

  /// Serves a filter until the last process that has it is gone.
  static void start(Descriptor filter) {
    SocketBroker broker = new SocketBroker(filter);
    Thread.ofPlatform().daemon().name("sockets").start(broker::serve);
  }

  private void serve() {
    try (filter) {
      while (filter.awaitReadable()) {
        answer();
      }
    }
  }

  /// Answers one question, unless whoever asked is gone.
  private void answer() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment notice = arena.allocate(NOTICE_BYTES, 8);
      if (filter.call(numbers.others().ioctl(), RECEIVE, notice.address()) == 0) {
        answer(notice, arena);
      }
    }
  }

  private void answer(MemorySegment notice, Arena arena) {
    long id = notice.get(JAVA_LONG, ID);
    long given = make(id, notice.get(JAVA_INT, FAMILY), notice.get(JAVA_INT, TYPE), arena);
    MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
    answer.set(JAVA_LONG, 0, id);
    answer.set(JAVA_LONG, 8, Math.max(0, given));
    answer.set(JAVA_INT, 16, (int) Math.min(0, given));
    filter.call(numbers.others().ioctl(), SEND, answer.address());
  }

  /// Makes a socket and gives it to whoever asked: the number it has there, or the negative error
  /// number.
  private long make(long id, int family, int type, Arena arena) {
    long made =
        KernelCalls.call(
            numbers.sockets().socket(), family, STREAM | (type & NOT_BLOCKING) | CLOSED_ON_EXEC, 0);
    if (made < 0) {
      return made;
    }
    try (Descriptor socket = new Descriptor(numbers, (int) made)) {
      MemorySegment device = arena.allocateFrom(JAVA_BYTE, LOOPBACK);
      long bound =
          socket.call(
              numbers.sockets().setsockopt(),
              SOL_SOCKET,
              SO_BINDTODEVICE,
              device.address(),
              LOOPBACK.length);
      return bound < 0 ? -EACCES : give(id, socket, type & CLOSED_ON_EXEC, arena);
    }
  }

  private long give(long id, Descriptor socket, int flags, Arena arena) {
    MemorySegment add = arena.allocate(ANSWER_BYTES, 8);
    add.set(JAVA_LONG, 0, id);
    add.set(JAVA_INT, 12, socket.number());
    add.set(JAVA_INT, 20, flags);
    return filter.call(numbers.others().ioctl(), ADD, add.address());
  }
}
