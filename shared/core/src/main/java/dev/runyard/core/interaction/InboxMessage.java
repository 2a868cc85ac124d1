package dev.runyard.core.interaction;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.runyard.core.ids.Digest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A client's message to the agent.
///
/// @param sequence at which it was accepted
/// @param content empty in a snapshot
/// @param print distinguishes its content from other content: the beginning of its SHA-256 in
///   hexadecimal
/// @param takenAt sequence at which the agent took or refused it; 0 while it has not
public record InboxMessage(
    long sequence,
    Instant at,
    String messageId,
    String content,
    String print,
    @Nullable String from,
    long takenAt,
    @Nullable String refused) {
  private static final int PRINT_CHARS = 16;

  @JsonIgnore
  public boolean undelivered() {
    return takenAt == 0;
  }

  InboxMessage taken(long when, @Nullable String why) {
    return new InboxMessage(sequence, at, messageId, content, print, from, when, why);
  }

  InboxMessage slim() {
    return new InboxMessage(sequence, at, messageId, "", print, from, takenAt, refused);
  }

  /// This message with its content, which [#slim()] leaves out.
  public InboxMessage whole(String said) {
    return new InboxMessage(sequence, at, messageId, said, print, from, takenAt, refused);
  }

  public static String print(String content) {
    return Digest.hex(content).substring(0, PRINT_CHARS);
  }
}
