package dev.runyard.functions.stream;

import dev.runyard.core.access.Identity;
import dev.runyard.core.access.KeyCheck;
import dev.runyard.core.problem.PortUnavailable;
import java.time.Instant;
import java.time.InstantSource;

/// Whether a caller may still read while its stream is open: a stream token ends, and the key on
/// which all rests may be revoked. Not thread-safe.
final class Admission {
  /// How often a key is looked at. With the time for which a look is remembered
  /// ([KeyCheck#REMEMBERED_SECONDS]) a revocation ends streams within a minute.
  static final int ASKED_SECONDS = 15;

  private final Identity caller;
  private final KeyCheck keys;
  private final InstantSource clock;
  private Instant asked;

  Admission(Identity caller, KeyCheck keys, InstantSource clock) {
    this.caller = caller;
    this.keys = keys;
    this.clock = clock;
    this.asked = clock.instant();
  }

  /// When it ends, whatever happens.
  Instant until() {
    return caller instanceof Identity.StreamReader reader ? reader.until() : Instant.MAX;
  }

  /// A store that does not answer ends no stream: the events do not come from it either.
  boolean holds() {
    Instant now = clock.instant();
    if (caller.key().isEmpty() || now.isBefore(asked.plusSeconds(ASKED_SECONDS))) {
      return true;
    }
    asked = now;
    try {
      return keys.stands(caller.key().get());
    } catch (PortUnavailable _) {
      return true;
    }
  }
}
