package dev.runyard.runner.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.usage.Usage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Reads what a call used from the bytes of its answer as they pass. It keeps at most one event of
/// a stream, or an answer that is not streamed, and neither if it is too large: then the usage is
/// an estimate.
final class AnswerMeter {
  /// Most bytes of an event or answer that are kept.
  static final int EVENT_BYTES_MAX = 1024 * 1024;

  /// Bytes of a request, or of an answer, that count as a token where nobody says how many it had.
  static final int BYTES_PER_TOKEN = 4;

  /// Bytes of an event that are more than what is around a token; only those beyond count.
  static final int EVENT_FRAME_BYTES = 1024;

  private static final byte[] DATA = "data:".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] USAGE = "\"usage".getBytes(StandardCharsets.US_ASCII);

  private final ModelApi api;
  private final boolean streamed;
  private byte[] kept = new byte[4 * 1024];
  private int length;
  private boolean tooLong;
  private long lineBytes;
  private long estimated;
  private long counted;
  private volatile long events;
  private volatile CallUsage told = CallUsage.NONE;

  /// @param streamed whether the answer is a stream of events
  AnswerMeter(ModelApi api, boolean streamed) {
    this.api = api;
    this.streamed = streamed;
  }

  /// The next bytes of the answer.
  void add(ByteBuffer bytes) {
    ByteBuffer rest = bytes.duplicate();
    while (rest.hasRemaining()) {
      int end = streamed ? lineEnd(rest) : -1;
      keep(rest, end < 0 ? rest.remaining() : end - rest.position());
      if (end >= 0) {
        rest.get();
        line();
      }
    }
  }

  /// The answer has come whole.
  void end() {
    if (streamed) {
      line();
    } else if (!tooLong) {
      read(0);
    }
    told = told.ended(api);
  }

  /// What the call used at least, as one turn: what is told, and a token for each event of a stream
  /// whose output nobody has counted yet. From any thread.
  Usage soFar() {
    CallUsage now = told;
    Usage usage = now.usage();
    return new Usage(
        usage.inputTokens(),
        usage.cachedInputTokens(),
        usage.cacheWriteTokens(),
        now.known() ? usage.outputTokens() : Math.max(usage.outputTokens(), events),
        usage.reasoningTokens(),
        usage.costUsd(),
        1);
  }

  /// True when the provider has said what the call used.
  boolean known() {
    return told.known();
  }

  /// What the call used, partly estimated unless it is [#known]: each event of a stream counts as a
  /// token, and what is large by its bytes.
  ///
  /// @param requestBytes of the body of the request
  /// @param begun whether an answer has begun
  Usage used(int requestBytes, boolean begun) {
    Usage usage = told.usage();
    if (told.known()) {
      return usage.asTurn();
    }
    long input =
        usage.inputTokens() > 0 ? usage.inputTokens() : Math.ceilDiv(requestBytes, BYTES_PER_TOKEN);
    return new Usage(
        input,
        usage.cachedInputTokens(),
        usage.cacheWriteTokens(),
        Math.max(usage.outputTokens(), whole()),
        usage.reasoningTokens(),
        null,
        begun && (whole() > 0 || !streamed) ? 1 : 0);
  }

  /// The estimate with the event that has not ended.
  private long whole() {
    return estimated
        + (streamed ? Math.max(0, lineBytes - EVENT_FRAME_BYTES) / BYTES_PER_TOKEN : 0);
  }

  private static int lineEnd(ByteBuffer bytes) {
    for (int i = bytes.position(); i < bytes.limit(); i++) {
      if (bytes.get(i) == '\n') {
        return i;
      }
    }
    return -1;
  }

  private void keep(ByteBuffer from, int count) {
    lineBytes += count;
    if (!streamed) {
      estimated = Math.ceilDiv(lineBytes, BYTES_PER_TOKEN);
    }
    if (tooLong || count > EVENT_BYTES_MAX - length) {
      tooLong = true;
      from.position(from.position() + count);
      return;
    }
    if (count > kept.length - length) {
      kept = Arrays.copyOf(kept, Math.max(length + count, 2 * kept.length));
    }
    from.get(kept, length, count);
    length += count;
  }

  private void line() {
    if (tooLong
        || Arrays.mismatch(kept, 0, Math.min(length, DATA.length), DATA, 0, DATA.length) < 0) {
      events = ++counted;
      estimated += 1 + Math.max(0, lineBytes - EVENT_FRAME_BYTES) / BYTES_PER_TOKEN;
      if (!tooLong && mentionsUsage()) {
        read(DATA.length);
      }
    }
    tooLong = false;
    length = 0;
    lineBytes = 0;
  }

  private boolean mentionsUsage() {
    for (int i = 0; i <= length - USAGE.length; i++) {
      if (kept[i] == '"'
          && Arrays.mismatch(kept, i, i + USAGE.length, USAGE, 0, USAGE.length) < 0) {
        return true;
      }
    }
    return false;
  }

  private void read(int from) {
    try {
      JsonNode json = JsonFormat.JSON.readTree(kept, from, length - from);
      told = told.with(api, json);
    } catch (IOException _) {
      // What is no JSON says nothing.
    }
  }
}
