package dev.runyard.functions.http;

import dev.runyard.core.limits.Bounds;

/// The size of a function's response that is not streamed. Lambda accepts 6 MB, counting the body
/// as a string inside other JSON; beyond that a client would only get a bad gateway.
public final class ResponseSize {
  static final int ANSWER_BYTES_MAX = 5 * 1024 * 1024;

  private ResponseSize() {}

  public static boolean fits(String body) {
    long escapes = body.chars().filter(c -> c == '"' || c == '\\').count();
    return escapes + Bounds.bytes(body) <= ANSWER_BYTES_MAX;
  }
}
