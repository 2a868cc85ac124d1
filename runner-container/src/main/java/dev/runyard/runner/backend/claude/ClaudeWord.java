package dev.runyard.runner.backend.claude;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// A user's message to Claude Code.
///
/// @param id a UUID, by which it is repeated once it was heard and found in the conversation later;
///   no two messages of a conversation may have the same
record ClaudeWord(String id, String text) {

  /// A message with the id that its run or attempt and its name there make, always the same.
  static ClaudeWord of(String owner, String name, String text) {
    byte[] seed = (owner + "#" + name).getBytes(StandardCharsets.UTF_8);
    return new ClaudeWord(UUID.nameUUIDFromBytes(seed).toString(), text);
  }
}
