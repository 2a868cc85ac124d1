package dev.runyard.runner.network;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/// An open file of this process, by its number. Unlike Java's sockets, one of the file system can
/// hand over another descriptor (`SCM_RIGHTS`, `unix(7)`). Not thread-safe.
record Descriptor(KernelNumbers numbers, int number) implements AutoCloseable {
  private static final int AF_UNIX = 1;
  private static final int STREAM = 1;
  private static final int CLOSED_ON_EXEC = 0x8_0000;
  private static final int PATH_BYTES_MAX = 107;
  private static final int ADDRESS_BYTES = 110;
  private static final int POLL_BYTES = 8;
  private static final short READABLE = 1;

  // struct msghdr, with one struct iovec and one struct cmsghdr.
  private static final int MESSAGE_BYTES = 56;
  private static final int PARTS = 16;
  private static final int PARTS_COUNT = 24;
  private static final int CONTROL = 32;
  private static final int CONTROL_LENGTH = 40;
  private static final int CONTROL_BYTES = 24;
  private static final int CONTROL_USED = 20;
  private static final int SOL_SOCKET = 1;
  private static final int SCM_RIGHTS = 1;
  private static final int LEVEL = 8;
  private static final int TYPE = 12;
  private static final int DATA = 16;
  private static final int CLOSE_ON_EXEC_WHEN_TAKEN = 0x4000_0000;

  /// Waits for whoever connects to the path.
  static Descriptor listen(KernelNumbers numbers, Path path) throws IOException {
    Descriptor socket = socket(numbers);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = address(path, arena);
      socket.must(numbers.sockets().bind(), address.address(), ADDRESS_BYTES);
      socket.must(numbers.sockets().listen(), 1);
    }
    return socket;
  }

  /// Connects to the path.
  static Descriptor connect(KernelNumbers numbers, Path path) throws IOException {
    Descriptor socket = socket(numbers);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment address = address(path, arena);
      socket.must(numbers.sockets().connect(), address.address(), ADDRESS_BYTES);
    }
    return socket;
  }

  private static Descriptor socket(KernelNumbers numbers) throws IOException {
    long made = KernelCalls.call(numbers.sockets().socket(), AF_UNIX, STREAM | CLOSED_ON_EXEC, 0);
    return new Descriptor(numbers, (int) checked(made));
  }

  private static MemorySegment address(Path path, Arena arena) throws IOException {
    byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length > PATH_BYTES_MAX) {
      throw new IOException("the path of a socket is longer than " + PATH_BYTES_MAX + " bytes");
    }
    MemorySegment address = arena.allocate(ADDRESS_BYTES, 8);
    address.set(JAVA_SHORT, 0, (short) AF_UNIX);
    MemorySegment.copy(bytes, 0, address, JAVA_BYTE, 2, bytes.length);
    return address;
  }

  /// Waits until there is something to read or to accept, or nothing more can come.
  ///
  /// @return false if there is neither within `millis`
  boolean readable(int millis) {
    return readiness(millis).isPresent();
  }

  /// Waits until there is something to read.
  ///
  /// @return false if nothing more can come
  boolean awaitReadable() {
    while (true) {
      Optional<Boolean> ready = readiness(Integer.MAX_VALUE);
      if (ready.isPresent()) {
        return ready.get();
      }
    }
  }

  private Optional<Boolean> readiness(int millis) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment poll = arena.allocate(POLL_BYTES, 8);
      poll.set(JAVA_INT, 0, number);
      poll.set(JAVA_SHORT, 4, READABLE);
      MemorySegment time = arena.allocate(16, 8);
      time.set(JAVA_LONG, 0, millis / 1000);
      time.set(JAVA_LONG, 8, millis % 1000 * 1_000_000L);
      long ready = KernelCalls.call(numbers.others().ppoll(), poll.address(), 1, time.address(), 0);
      return ready <= 0 ? Optional.empty() : Optional.of((poll.get(JAVA_SHORT, 6) & READABLE) != 0);
    }
  }

  /// The next one that connects.
  Descriptor accept() throws IOException {
    return new Descriptor(numbers, (int) must(numbers.sockets().accept4(), 0, 0, CLOSED_ON_EXEC));
  }

  /// Sends one byte, and with it a descriptor that the other side then has too.
  void give(int descriptor) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment control = arena.allocate(CONTROL_BYTES, 8);
      control.set(JAVA_LONG, 0, CONTROL_USED);
      control.set(JAVA_INT, LEVEL, SOL_SOCKET);
      control.set(JAVA_INT, TYPE, SCM_RIGHTS);
      control.set(JAVA_INT, DATA, descriptor);
      MemorySegment message = message(control, arena.allocate(1), arena);
      must(numbers.sockets().sendmsg(), message.address(), 0);
    }
  }

  /// The descriptor that the other side gives; empty if it sent none.
  Optional<Descriptor> take() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment control = arena.allocate(CONTROL_BYTES, 8);
      MemorySegment message = message(control, arena.allocate(1), arena);
      must(numbers.sockets().recvmsg(), message.address(), CLOSE_ON_EXEC_WHEN_TAKEN);
      return control.get(JAVA_INT, TYPE) == SCM_RIGHTS && control.get(JAVA_LONG, 0) == CONTROL_USED
          ? Optional.of(new Descriptor(numbers, control.get(JAVA_INT, DATA)))
          : Optional.empty();
    }
  }

  private static MemorySegment message(MemorySegment control, MemorySegment data, Arena arena) {
    MemorySegment part = arena.allocate(16, 8);
    part.set(ADDRESS, 0, data);
    part.set(JAVA_LONG, 8, data.byteSize());
    MemorySegment message = arena.allocate(MESSAGE_BYTES, 8);
    message.set(ADDRESS, PARTS, part);
    message.set(JAVA_LONG, PARTS_COUNT, 1);
    message.set(ADDRESS, CONTROL, control);
    message.set(JAVA_LONG, CONTROL_LENGTH, control.byteSize());
    return message;
  }

  InputStream input() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment bytes = arena.allocate(Math.max(1, length));
          int read = (int) must(numbers.others().read(), bytes.address(), length);
          MemorySegment.copy(bytes, JAVA_BYTE, 0, into, from, read);
          return read == 0 ? -1 : read;
        }
      }
    };
  }

  OutputStream output() {
    return new OutputStream() {
      @Override
      public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
      }

      @Override
      public void write(byte[] from, int at, int length) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment bytes = arena.allocate(Math.max(1, length));
          MemorySegment.copy(from, at, bytes, JAVA_BYTE, 0, length);
          for (long done = 0; done < length; ) {
            done += must(numbers.others().write(), bytes.address() + done, length - done);
          }
        }
      }
    };
  }

  @Override
  public void close() {
    KernelCalls.call(numbers.others().close(), number);
  }

  /// Calls the system for this descriptor; the negative error number where that failed.
  long call(int function, long... arguments) {
    long[] all = new long[arguments.length + 1];
    all[0] = number;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return KernelCalls.call(function, all);
  }

  private long must(int function, long... arguments) throws IOException {
    return checked(call(function, arguments));
  }

  private static long checked(long result) throws IOException {
    if (result < 0) {
      throw new IOException("system error " + -result);
    }
    return result;
  }
}
