package dev.runyard.runner.backend.clientprotocol;

import dev.runyard.runner.backend.CliRun;
import java.util.List;

/// What agents do differently within the protocol.
///
/// @param queues takes a prompt while it works on another one, and answers both
/// @param leaveMillis how long to wait for its end once nothing more is said to it
/// @param notices how pieces of its messages begin that no model wrote
/// @param error how a piece begins that says what went wrong, in a turn that then ends as if
///   nothing had; empty for an agent that uses the protocol's errors
/// @param counts tells what a whole turn used, not what one call of the model did
/// @param killed is killed where it ends while it asks: asked to end it would write a refusal into
///   its conversation
public record ClientProtocolQuirks(
    boolean queues,
    int leaveMillis,
    List<String> notices,
    String error,
    boolean counts,
    boolean killed) {
  public static final ClientProtocolQuirks USUAL =
      new ClientProtocolQuirks(false, CliRun.LEAVE_MILLIS, List.of(), "", true, false);

  /// How long one may take that would not end by itself at all.
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
