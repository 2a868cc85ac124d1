package dev.runyard.cli.client;

import java.time.Duration;

/// How often a read is sent whose server says that it cannot answer just now. A read changes
/// nothing, so it may be sent again, and what stored it often answers a moment later.
final class ReadTries {
  static final int TRIES_MAX = 4;

  /// Before the second; twice as long before each that follows.
  static final Duration PAUSE_MIN = Duration.ofMillis(500);

  private static final int UNAVAILABLE = 503;

  private ReadTries() {}

  /// Sends a call.
  @FunctionalInterface
  interface Sending<E extends Exception> {
    ServerReply reply() throws E;
  }

  /// The first reply that says something else, or the last one.
  static <E extends Exception> ServerReply of(
      ApiCall call, LiveEvents.Pause pause, Sending<E> sending) throws E {
    ServerReply reply = sending.reply();
    try {
      for (int again = 0; again < TRIES_MAX - 1 && mayChange(call, reply); again++) {
        pause.of(PAUSE_MIN.multipliedBy(1L << again));
        reply = sending.reply();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return reply;
  }

  private static boolean mayChange(ApiCall call, ServerReply reply) {
    return call.method().equals("GET")
        && reply instanceof ServerReply.Refused(ServerProblem problem)
        && problem.status() == UNAVAILABLE;
  }
}
