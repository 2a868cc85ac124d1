package dev.runyard.runner.process;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// What an agent reads on its standard input.
public sealed interface Stdin {

  /// End of input at once. Agents that look for more input would otherwise wait forever.
  record Closed() implements Stdin {}

  /// These bytes, then end of input.
  record Bytes(ByteBuffer content) implements Stdin {
    public Bytes {
      content = content.asReadOnlyBuffer();
    }

    @Override
    public ByteBuffer content() {
      return content.duplicate();
    }
  }

  /// Open until the caller closes [AgentProcess#stdin()], for interactive agents.
  record Open() implements Stdin {}

  /// The text in UTF-8, then end of input.
  static Stdin text(String text) {
    return new Bytes(StandardCharsets.UTF_8.encode(text));
  }
}
