package dev.runyard.simulator;

import dev.runyard.core.access.KeyText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The keys of a tenant as their owner knows them: which were made, and since when each is revoked.
final class KeyRing {
  /// A revoked key opens nothing any more after this long.
  private static final Duration REVOKED_WITHIN = Duration.ofSeconds(60);

  private final List<Held> held = new ArrayList<>();
  private final List<Violation> violations = new ArrayList<>();
  private long opened;
  private long shut;

  /// A key whose owner was given its text.
  static final class Held {
    private final String id;
    private final KeyText text;
    private boolean revoking;
    private @Nullable Instant revoked;

    Held(String id, KeyText text) {
      this.id = id;
      this.text = text;
    }

    String id() {
      return id;
    }

    KeyText text() {
      return text;
    }

    /// Its owner wants it revoked, whatever the answer.
    void revoke() {
      revoking = true;
    }

    /// Its owner was told that it is revoked.
    void revoked(Instant now) {
      revoked = revoked == null ? now : revoked;
    }

    boolean isRevoked() {
      return revoked != null;
    }
  }

  List<Held> held() {
    return held;
  }

  /// Somebody showed a key, beginning at that time.
  void shown(Held key, boolean opens, Instant began) {
    Instant end = key.revoked;
    if (opens) {
      opened++;
      if (end != null && began.isAfter(end.plus(REVOKED_WITHIN))) {
        violations.add(
            new Violation("keys", "%s opened at %s, revoked at %s".formatted(key.id, began, end)));
      }
    } else {
      shut++;
      if (!key.revoking) {
        violations.add(new Violation("keys", key.id + " opened nothing, and nobody revoked it"));
      }
    }
  }

  long opened() {
    return opened;
  }

  long shut() {
    return shut;
  }

  List<Violation> violations() {
    return violations;
  }
}
