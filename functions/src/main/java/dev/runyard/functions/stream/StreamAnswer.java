package dev.runyard.functions.stream;

import dev.runyard.functions.http.Reply;
import java.io.IOException;

/// How a request is answered.
sealed interface StreamAnswer {
  /// In one piece.
  record Whole(Reply reply) implements StreamAnswer {}

  /// As it is produced.
  record Live(Body body) implements StreamAnswer {}

  /// Writes a response, status and headers first, and returns once it is written.
  @FunctionalInterface
  interface Body {
    void write() throws IOException, InterruptedException;
  }
}
