package dev.runyard.core.hook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/// A hook as it is stored: what its tenant said of it, which [HookReader] reads.
///
/// @param version counts the writes, from 1
public record Hook(
    HookId id, long version, ObjectNode definition, Instant createdAt, Instant updatedAt) {
  /// The same with another definition, to be written after this one.
  Hook changed(ObjectNode other, Instant now) {
    return new Hook(id, version + 1, other, createdAt, now);
  }
}
