package dev.runyard.functions.http;

import dev.runyard.core.access.Identity;
import dev.runyard.core.access.Scope;
import dev.runyard.core.event.Requester;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// On whose behalf a request is answered. A caller reaches what is one tenant's only.
///
/// @param requestId of the request, as the log names it; null where none is answered
public record Caller(Identity identity, @Nullable String requestId) {
  public Caller(Identity identity) {
    this(identity, null);
  }

  /// A caller of this name.
  public Caller(String tenant, String actor, Set<Scope> scopes) {
    this(new Identity.Principal(actor, tenant, scopes));
  }

  /// The caller of an open route.
  public static Caller nobody() {
    return new Caller(new Identity.Nobody());
  }

  public String tenant() {
    return identity.tenant();
  }

  /// The name of this caller in events, as the one who caused them.
  public String actor() {
    return identity.actor();
  }

  /// The same as the events name it which this request is for.
  public Requester requester() {
    return new Requester(actor(), requestId);
  }

  /// The same with a request.
  public Caller with(String request) {
    return new Caller(identity, request);
  }

  /// What the caller may do.
  public Set<Scope> scopes() {
    return identity.scopes();
  }

  /// Why this caller may not call a route that needs `scope`; empty if it may.
  public Optional<Problem> refusal(Optional<Scope> scope) {
    return scope
        .filter(needed -> !scopes().contains(needed))
        .map(
            needed ->
                Problem.of(
                    ProblemCode.SCOPE_MISSING,
                    "This needs the scope %s. Use a key or token that has it."
                        .formatted(needed.wire())));
  }
}
