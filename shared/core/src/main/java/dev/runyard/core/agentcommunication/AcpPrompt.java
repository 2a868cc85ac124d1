package dev.runyard.core.agentcommunication;

import dev.runyard.core.message.Message;
import dev.runyard.core.message.MessagePart;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Messages as one text, for agents that accept only text: text parts unchanged, and a line in
/// brackets in place of any other part, so that the agent knows about it.
final class AcpPrompt {
  private static final String NOTHING = "[an empty message]";

  private AcpPrompt() {}

  static String of(List<Message> messages) {
    String text =
        messages.stream()
            .map(message -> message.parts().stream().map(AcpPrompt::of))
            .map(parts -> parts.collect(Collectors.joining("\n")))
            .filter(message -> !message.isBlank())
            .collect(Collectors.joining("\n\n"));
    return text.isBlank() ? NOTHING : text;
  }

  private static String of(MessagePart part) {
    return part.textual() && part.content() != null
        ? part.content()
        : Stream.of(part.contentType(), part.name(), part.contentUrl())
            .filter(Objects::nonNull)
            .collect(Collectors.joining(" ", "[", "]"));
  }
}
