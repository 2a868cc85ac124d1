package dev.runyard.functions.http;

import dev.runyard.core.limits.Bounds;

/// How large an answer of a function is that does not stream. Lambda takes 6 MB, of the body as a
/// text within another JSON; beyond that a client would get no more than a bad gateway.
public final class ResponseSize {
  static final int ANSWER_BYTES_MAX = 5 * 1024 * 1024;

  private ResponseSize() {}

  public static boolean fits(String body) {
    long escapes = body.chars().filter(c -> c == '"' || c == '\\').count();
    return escapes + Bounds.bytes(body) <= ANSWER_BYTES_MAX;
  }
}
