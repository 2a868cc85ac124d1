package dev.runyard.functions.http;

import dev.runyard.functions.Wiring;
import java.util.Set;

/// On whose behalf a request is answered. A caller reaches the runs of one tenant only.
///
/// @param actor the name of this caller in events, as the one who decided
/// @param scopes what the caller may do in addition to every caller of its tenant
public record Caller(String tenant, String actor, Set<String> scopes) {
  private static final Caller ONLY = new Caller(Wiring.TENANT, "client", Set.of());

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /// The caller of every request. The gateway decides who may call but does not say who it is, so
  /// all callers are the same one; with an authorizer that identifies them, a request would get its
  /// caller here.
  public static Caller only() {
    return ONLY;
  }
}
