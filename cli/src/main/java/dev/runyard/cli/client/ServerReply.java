package dev.runyard.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The result of a call to the server. A refusal and an unreachable server are expected outcomes,
/// so they are values.
public sealed interface ServerReply {

  /// The call succeeded.
  record Done(JsonNode body) implements ServerReply {}

  /// The server refused, with `problem`.
  record Refused(ServerProblem problem) implements ServerReply {}

  /// No response. `refusedConnection` distinguishes a server that does not run, so that nothing was
  /// sent, from a lost response.
  record Unreachable(String message, boolean refusedConnection) implements ServerReply {

    static Unreachable from(URI server, IOException cause) {
      if (cause instanceof NotSent) {
        return new Unreachable(reason(cause), true);
      }
      if (cause instanceof ConnectException) {
        return new Unreachable(
            "nothing answers at " + server + "; start a local stack with: ./runyard up", true);
      }
      return new Unreachable("no answer from " + server + ": " + reason(cause), false);
    }

    /// What came of a download that this machine cannot write.
    static Unreachable notWritten(Path file, IOException cause) {
      return new Unreachable(file + " cannot be written: " + reason(cause), false);
    }

    private static String reason(Throwable cause) {
      @Nullable String message = cause.getMessage();
      return message == null ? cause.getClass().getSimpleName() : message;
    }
  }
}
