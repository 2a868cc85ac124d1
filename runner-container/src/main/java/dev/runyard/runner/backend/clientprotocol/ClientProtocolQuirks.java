package dev.runyard.runner.backend.clientprotocol;

import dev.runyard.runner.backend.CliRun;
import java.util.List;

/// Differences between agents within the protocol.
///
/// @param queues accepts a prompt while it works on another one, and answers both
/// @param leaveMillis how long to wait for its end once its input is closed
/// @param notices beginnings of message pieces that no model wrote
/// @param error beginning of a message piece that reports a failure, in a turn that then ends
///   normally; empty for an agent that uses the protocol's errors
/// @param counts reports what a whole turn used, not what one call of the model used
/// @param killed is killed if it must end while it asks, because on a request to end it would write
///   a refusal into its conversation
public record ClientProtocolQuirks(
    boolean queues,
    int leaveMillis,
    List<String> notices,
    String error,
    boolean counts,
    boolean killed) {
  public static final ClientProtocolQuirks USUAL =
      new ClientProtocolQuirks(false, CliRun.LEAVE_MILLIS, List.of(), "", true, false);

  /// How long to wait for an agent that never ends by itself.
  private static final int STAYS_MILLIS = 200;

  public ClientProtocolQuirks {
    notices = List.copyOf(notices);
  }

  public ClientProtocolQuirks queueing(boolean whether) {
    return new ClientProtocolQuirks(whether, leaveMillis, notices, error, counts, killed);
  }

  public ClientProtocolQuirks staying() {
    return new ClientProtocolQuirks(queues, STAYS_MILLIS, notices, error, counts, killed);
  }

  public ClientProtocolQuirks noticing(String... beginnings) {
    return new ClientProtocolQuirks(
        queues, leaveMillis, List.of(beginnings), error, counts, killed);
  }

  public ClientProtocolQuirks withErrors(String beginning) {
    return new ClientProtocolQuirks(queues, leaveMillis, notices, beginning, counts, killed);
  }

  public ClientProtocolQuirks uncounted() {
    return new ClientProtocolQuirks(queues, leaveMillis, notices, error, false, killed);
  }

  public ClientProtocolQuirks killedAsking() {
    return new ClientProtocolQuirks(queues, leaveMillis, notices, error, counts, true);
  }

  boolean isNotice(String piece) {
    return notices.stream().anyMatch(piece::startsWith);
  }

  boolean isError(String piece) {
    return !error.isEmpty() && piece.startsWith(error);
  }
}
