package dev.runyard.runner.gateway;

import java.util.concurrent.atomic.AtomicLong;

/// Room in the runner's memory for the requests of all agents together: they are kept whole until
/// they are answered, and a runner without memory ends with all of its attempts. Thread-safe.
final class RequestRoom {
  /// The room is the part of the runner's memory with this divisor; while a request arrives it may
  /// take three times its size.
  static final int MEMORY_PARTS = 4;

  /// One attempt gets at most the part of the room with this divisor, but always a whole request.
  static final int ATTEMPT_PARTS = 4;

  private final long bytesMax;
  private final AtomicLong bytes = new AtomicLong();

  /// @param memoryBytes all that the runner may have
  RequestRoom(long memoryBytes) {
    this.bytesMax = memoryBytes / MEMORY_PARTS;
  }

  /// Most bytes of requests of one attempt at once.
  long attemptBytesMax() {
    return Math.clamp(
        bytesMax / ATTEMPT_PARTS, BodyReader.BODY_BYTES_MAX, AttemptEndpoint.REQUESTS_BYTES_MAX);
  }

  /// Takes room, if there is some.
  boolean reserve(long count) {
    return reserve(bytes, count, bytesMax);
  }

  void release(long count) {
    bytes.addAndGet(-count);
  }

  /// Takes room of so much at most, if there is some.
  static boolean reserve(AtomicLong taken, long count, long max) {
    if (taken.addAndGet(count) <= max) {
      return true;
    }
    taken.addAndGet(-count);
    return false;
  }
}
