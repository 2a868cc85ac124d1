package dev.runyard.runner.gateway;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongPredicate;

/// Reads the body of a request whole: its model has to be known before anything is forwarded.
final class BodyReader {
  /// Most bytes of a body.
  static final int BODY_BYTES_MAX = 32 * 1024 * 1024;

  /// How long the agent may take to send it.
  static final int BODY_SECONDS_MAX = 120;

  private static final int CHUNK_LINE_BYTES_MAX = 4 * 1024;
  private static final byte[] CONTINUE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final ConnectionInput in;
  private final LongPredicate room;

  /// @param room takes room for so many bytes, if there is some
  BodyReader(ConnectionInput in, LongPredicate room) {
    this.in = in;
    this.room = room;
  }

  /// What came.
  sealed interface Read {
    @SuppressWarnings("ArrayRecordComponent")
    record Body(byte[] bytes) implements Read {}

    /// Something else, or nothing in time; nothing after it can be understood.
    record Wrong(Refusal why) implements Read {}
  }

  /// Reads the body that belongs to a head.
  Read read(RequestHead head, OutputStream out) {
    long length = head.first("content-length").map(Long::parseLong).orElse(0L);
    if (length > BODY_BYTES_MAX) {
      return tooLarge();
    }
    in.within(Duration.ofSeconds(BODY_SECONDS_MAX));
    try {
      if (head.expectsContinue()) {
        out.write(CONTINUE);
        out.flush();
      }
      return head.has("transfer-encoding") ? chunked() : whole((int) length);
    } catch (IOException _) {
      return new Read.Wrong(
          new Refusal(408, "body_incomplete", "The request did not arrive whole and in time."));
    }
  }

  private Read whole(int length) throws IOException {
    if (!room.test(length)) {
      return full();
    }
    byte[] body = new byte[length];
    for (int at = 0; at < length; ) {
      at += in.read(body, at, length - at);
    }
    return new Read.Body(body);
  }

  private Read chunked() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    byte[] part = new byte[16 * 1024];
    while (true) {
      Optional<Integer> size = size(line());
      if (size.isEmpty()) {
        return new Read.Wrong(Refusal.malformed("the size of a chunk"));
      }
      if (size.get() == 0) {
        while (!line().isEmpty()) {}
        return new Read.Body(body.toByteArray());
      }
      if (size.get() > BODY_BYTES_MAX - body.size()) {
        return tooLarge();
      }
      if (!room.test(size.get())) {
        return full();
      }
      for (int left = size.get(); left > 0; ) {
        int count = in.read(part, 0, Math.min(left, part.length));
        body.write(part, 0, count);
        left -= count;
      }
      if (!line().isEmpty()) {
        return new Read.Wrong(Refusal.malformed("the end of a chunk"));
      }
    }
  }

  /// The size of a chunk; extensions after it are ignored.
  private static Optional<Integer> size(String line) {
    String digits = line.split(";", 2)[0].strip();
    return digits.matches("[0-9A-Fa-f]{1,7}")
        ? Optional.of(Integer.parseInt(digits, 16))
        : Optional.empty();
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (line.length() == CHUNK_LINE_BYTES_MAX) {
        throw new IOException("a line without an end");
      }
      line.append((char) next);
    }
    int last = line.length() - 1;
    if (last < 0 || line.charAt(last) != '\r') {
      throw new IOException("a line that ends in another way");
    }
    return line.substring(0, last);
  }

  private static Read tooLarge() {
    return new Read.Wrong(
        new Refusal(
            413, "body_too_large", "The request exceeds %d bytes.".formatted(BODY_BYTES_MAX)));
  }

  private static Read full() {
    return new Read.Wrong(Refusal.busy("The requests that are under way are too large together."));
  }
}
