package dev.runyard.runner.gateway;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/// Writes one answer to an agent. A write waits until the agent reads. Not thread-safe.
final class AnswerWriter {
  /// Beside those of the connection: an offer to speak with the provider itself.
  private static final Set<String> NOT_PASSED = Set.of("alt-svc");

  private static final byte[] END = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final OutputStream out;
  private final boolean head;
  private final Optional<String> key;
  private KeyCover cover = KeyCover.NONE;
  private boolean begun;
  private boolean chunked;
  private long left;

  /// @param head whether the request was one for the headers alone
  AnswerWriter(OutputStream out, boolean head) {
    this(out, head, Optional.empty());
  }

  /// @param key the provider's, which it must not tell the agent
  AnswerWriter(OutputStream out, boolean head, Optional<String> key) {
    this.out = out;
    this.head = head;
    this.key = key;
  }

  boolean begun() {
    return begun;
  }

  /// Writes status and headers of the provider's answer.
  void begin(int status, Map<String, List<String>> headers, OptionalLong length)
      throws IOException {
    begin(status, headers, length, "");
  }

  private void begin(
      int status, Map<String, List<String>> headers, OptionalLong length, String more)
      throws IOException {
    begun = true;
    cover = KeyCover.of(key, status);
    boolean empty = head || status == 204 || status == 304;
    chunked = !empty && length.isEmpty();
    left = empty ? 0 : length.orElse(0);
    StringBuilder text = new StringBuilder("HTTP/1.1 ").append(status).append(" \r\n" + more);
    headers.forEach(
        (name, values) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (!lower.startsWith(":")
              && !RequestHead.Header.ofTheConnection(lower)
              && !NOT_PASSED.contains(lower)) {
            values.forEach(
                value -> text.append(name).append(": ").append(cover.text(value)).append("\r\n"));
          }
        });
    if (chunked) {
      text.append("Transfer-Encoding: chunked\r\n");
    }
    length.ifPresent(bytes -> text.append("Content-Length: ").append(bytes).append("\r\n"));
    out.write(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }

  /// Writes the next bytes of the answer.
  void write(ByteBuffer bytes) throws IOException {
    part(cover.next(bytes));
  }

  private void part(ByteBuffer bytes) throws IOException {
    int count = bytes.remaining();
    if (count == 0) {
      return;
    }
    if (!chunked && count > left) {
      throw new IOException("more bytes than announced");
    }
    byte[] size =
        (chunked ? Integer.toHexString(count) + "\r\n" : "").getBytes(StandardCharsets.US_ASCII);
    byte[] framed = new byte[size.length + count + (chunked ? 2 : 0)];
    System.arraycopy(size, 0, framed, 0, size.length);
    bytes.get(framed, size.length, count);
    if (chunked) {
      framed[framed.length - 2] = '\r';
      framed[framed.length - 1] = '\n';
    }
    left -= chunked ? 0 : count;
    out.write(framed);
    out.flush();
  }

  /// The answer is whole.
  void end() throws IOException {
    part(cover.rest());
    if (left > 0) {
      throw new IOException("fewer bytes than announced");
    }
    if (chunked) {
      out.write(END);
      out.flush();
    }
  }

  /// Writes an answer of the gateway itself, whole.
  void refuse(Refusal why, byte[] body, boolean closing) throws IOException {
    Map<String, List<String>> headers = new TreeMap<>();
    headers.put("Content-Type", List.of("application/json"));
    why.headers().forEach((name, value) -> headers.put(name, List.of(value)));
    begin(
        why.status(),
        headers,
        OptionalLong.of(body.length),
        closing ? "Connection: close\r\n" : "");
    if (!head) {
      part(ByteBuffer.wrap(body));
    }
  }
}
