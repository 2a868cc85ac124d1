package dev.runyard.runner.gateway;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// What an agent sends over a connection. A read waits until a time that was set before, however
/// slowly bytes come. Not thread-safe.
final class ConnectionInput {
  private static final int BUFFER_BYTES = 16 * 1024;

  private final Socket socket;
  private final InputStream in;
  private final InstantSource clock;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private Instant deadline = Instant.MAX;
  private int at;
  private int end;

  ConnectionInput(Socket socket, InstantSource clock) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.clock = clock;
  }

  /// What waiting found.
  enum Waited {
    BYTES,
    NOTHING,
    GONE
  }

  /// From now on reads wait at most this long, together.
  void within(Duration time) {
    deadline = clock.instant().plus(time);
  }

  /// Waits for bytes or for the end of the connection.
  Waited await(Duration time) {
    if (at < end) {
      return Waited.BYTES;
    }
    try {
      return fill((int) time.toMillis()) ? Waited.BYTES : Waited.GONE;
    } catch (SocketTimeoutException _) {
      return Waited.NOTHING;
    } catch (IOException _) {
      return Waited.GONE;
    }
  }

  /// Ends what waits, and lets nothing more come. From any thread.
  void end() {
    try {
      socket.shutdownInput();
    } catch (IOException _) {
      // It is closed, so nothing waits.
    }
  }

  /// The next byte.
  ///
  /// @throws EOFException at the end of the connection
  int read() throws IOException {
    require();
    return buffer[at++] & 0xff;
  }

  /// At most `length` bytes; how many.
  int read(byte[] into, int offset, int length) throws IOException {
    require();
    int count = Math.min(length, end - at);
    System.arraycopy(buffer, at, into, offset, count);
    at += count;
    return count;
  }

  /// Reads and forgets what still comes, at most so many bytes.
  void drain(long bytesMax) throws IOException {
    for (long drained = 0; drained < bytesMax; drained += end - at, at = end) {
      require();
    }
  }

  private void require() throws IOException {
    if (at < end) {
      return;
    }
    long left = Duration.between(clock.instant(), deadline).toMillis();
    if (left <= 0) {
      throw new SocketTimeoutException();
    }
    if (!fill((int) Math.min(left, Integer.MAX_VALUE))) {
      throw new EOFException();
    }
  }

  private boolean fill(int millis) throws IOException {
    socket.setSoTimeout(Math.max(1, millis));
    int count = in.read(buffer, 0, buffer.length);
    at = 0;
    end = Math.max(0, count);
    return count > 0;
  }
}
