package dev.runyard.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/// What a call to the server came to. A refusal and a server that cannot be reached are expected
/// outcomes, so they are values.
public sealed interface ServerReply {

  /// The server did it.
  record Done(JsonNode body) implements ServerReply {}

  /// The server said no; `problem` is what it said.
  record Refused(ServerProblem problem) implements ServerReply {}

  /// No answer. `refusedConnection` tells a server that is not there, so that nothing was sent,
  /// from an answer that was lost on the way.
  record Unreachable(String message, boolean refusedConnection) implements ServerReply {

    static Unreachable from(URI server, IOException cause) {
      if (cause instanceof ConnectException) {
        return new Unreachable(
            "nothing answers at " + server + "; start a local stack with: ./runyard up", true);
      }
      return new Unreachable("no answer from " + server + ": " + reason(cause), false);
    }

    private static String reason(Throwable cause) {
      @Nullable String message = cause.getMessage();
      return message == null ? cause.getClass().getSimpleName() : message;
    }
  }
}
