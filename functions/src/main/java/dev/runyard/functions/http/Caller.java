package dev.runyard.functions.http;

import dev.runyard.core.access.Scope;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.Wiring;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// On whose behalf a request is answered. A caller reaches the runs of one tenant only.
///
/// @param actor the name of this caller in events, as the one who decided
/// @param scopes what the caller may do
public record Caller(String tenant, String actor, Set<Scope> scopes) {
  private static final Caller ONLY =
      new Caller(Wiring.TENANT, "client", EnumSet.allOf(Scope.class));

  public Caller {
    scopes = Set.copyOf(scopes);
  }

  /// The caller of every request. The gateway decides who may call but does not say who it is, so
  /// all callers are the same one; with an authorizer that identifies them, a request would get its
  /// caller here.
  public static Caller only() {
    return ONLY;
  }

  /// Why this caller may not call a route that needs `scope`; empty if it may.
  public Optional<Problem> refusal(Optional<Scope> scope) {
    return scope
        .filter(needed -> !scopes.contains(needed))
        .map(
            needed ->
                Problem.of(
                    ProblemCode.SCOPE_MISSING,
                    "This needs the scope %s. Use a key or token that has it."
                        .formatted(needed.wire())));
  }
}
