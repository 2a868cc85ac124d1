package dev.runyard.functions.http;

import dev.runyard.functions.Wiring;
import java.util.Set;

/// On whose behalf a request is answered: it reaches the runs of one tenant and no others.
///
/// @param actor who decides what this caller decides, as events name it
/// @param scopes what the caller may do beyond what every caller of its tenant may
public record Caller(String tenant, String actor, Set<String> scopes) {
  private static final Caller ONLY = new Caller(Wiring.TENANT, "client", Set.of());

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /// The caller of every request. The gateway decides who may call and names nobody, so all who may
  /// are one; once an authorizer names them, this is where a request gets its caller.
  public static Caller only() {
    return ONLY;
  }
}
