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

  private static final int POLL_BYTES = 8;
  private static final short READABLE = 1;
  private static final int EACCES = 13;

  private final KernelNumbers numbers;
  private final int listener;
  private final Thread thread;

  private SocketBroker(KernelNumbers numbers, int listener) {
    this.numbers = numbers;
    this.listener = listener;
    this.thread = Thread.ofPlatform().daemon().name("sockets").unstarted(this::serve);
  }

  /// Serves the filter of a descriptor until the last process that has the filter is gone.
  static SocketBroker start(KernelNumbers numbers, int listener) {
    SocketBroker broker = new SocketBroker(numbers, listener);
    broker.thread.start();
    return broker;
  }

  /// Returns once no process can ask any more.
  void await() throws InterruptedException {
    thread.join();
  }

  private void serve() {
    try {
      while (asked()) {
        answer();
      }
    } finally {
      SystemCalls.call(numbers.close(), listener);
    }
  }

  /// Waits for a question; false once nobody is left to ask.
  private boolean asked() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment poll = arena.allocate(POLL_BYTES, 8);
      poll.set(JAVA_INT, 0, listener);
      poll.set(JAVA_INT, 4, READABLE);
      long ready;
      do {
        ready = SystemCalls.call(numbers.ppoll(), poll.address(), 1, 0, 0, 0);
      } while (ready == -SystemCalls.EINTR);
      return ready > 0 && (poll.get(JAVA_INT, 4) >>> Short.SIZE & READABLE) != 0;
    }
  }

  /// Answers one question, unless whoever asked is gone.
  private void answer() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment notice = arena.allocate(NOTICE_BYTES, 8);
      if (SystemCalls.call(numbers.ioctl(), listener, RECEIVE, notice.address()) == 0) {
        answer(notice, arena);
      }
    }
  }

  private void answer(MemorySegment notice, Arena arena) {
    long id = notice.get(JAVA_LONG, ID);
    int type = notice.get(JAVA_INT, TYPE);
    long made = make(notice.get(JAVA_INT, FAMILY), type, arena);
    long given = made < 0 ? made : give(id, (int) made, type, arena);
    MemorySegment answer = arena.allocate(ANSWER_BYTES, 8);
    answer.set(JAVA_LONG, 0, id);
    answer.set(JAVA_LONG, 8, given < 0 ? 0 : given);
    answer.set(JAVA_INT, 16, given < 0 ? (int) given : 0);
    SystemCalls.call(numbers.ioctl(), listener, SEND, answer.address());
  }

  /// A socket that is bound to the loopback device, or the negative error number.
  private long make(int family, int type, Arena arena) {
    long socket =
        SystemCalls.call(
            numbers.socket(), family, STREAM | (type & NOT_BLOCKING) | CLOSED_ON_EXEC, 0);
    if (socket < 0) {
      return socket;
    }
    MemorySegment device = arena.allocateFrom(JAVA_BYTE, LOOPBACK);
    long bound =
        SystemCalls.call(
            numbers.setsockopt(),
            socket,
            SOL_SOCKET,
            SO_BINDTODEVICE,
            device.address(),
            LOOPBACK.length);
    if (bound < 0) {
      SystemCalls.call(numbers.close(), socket);
      return -EACCES;
    }
    return socket;
  }

  /// Gives the socket to the process that asked; the number it has there.
  private long give(long id, int socket, int type, Arena arena) {
    MemorySegment add = arena.allocate(ANSWER_BYTES, 8);
    add.set(JAVA_LONG, 0, id);
    add.set(JAVA_INT, 12, socket);
    add.set(JAVA_INT, 20, type & CLOSED_ON_EXEC);
    long number = SystemCalls.call(numbers.ioctl(), listener, ADD, add.address());
    SystemCalls.call(numbers.close(), socket);
    return number;
  }
}
