package dev.runyard.local.rights;

import dev.runyard.local.rights.Policy.Verdict;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Grants what the template grants. Every role of the stack signs with a key of the stack; who has
/// none may do nothing, not even what needs no right, and is not recorded. Each different call of a
/// role is recorded, and each refused one is logged once with the line that the template lacks.
public final class RoleAccess implements AccessCheck {
  private static final Logger LOG = System.getLogger(RoleAccess.class.getName());
  private static final String OBJECTS = "arn:aws:s3:::";

  private final Supplier<Rights> rights;
  private final RoleKeys keys;
  private final CallRecord calls;
  private final AtomicBoolean warned = new AtomicBoolean();

  /// @param rights supplied at every request, so that emulators may start before they are read
  public RoleAccess(Supplier<Rights> rights, RoleKeys keys, CallRecord calls) {
    this.rights = rights;
    this.keys = keys;
    this.calls = calls;
  }

  @Override
  public Optional<String> refusal(@Nullable String authorization, List<Asked> asked) {
    Optional<String> role = keys.role(authorization);
    if (role.isEmpty()) {
      if (!warned.getAndSet(true)) {
        LOG.log(Level.WARNING, "AccessDenied: a caller has no key of this stack");
      }
      Asked first = asked.isEmpty() ? Asked.of("*", "*") : asked.getFirst();
      return Optional.of(message(first.by("nobody"), Verdict.NOT_GRANTED));
    }
    for (Asked one : asked) {
      Call call = one.by(role.get());
      Policy policy = rights.get().policy(role.get());
      Verdict verdict = policy.verdict(call);
      boolean granted = verdict == Verdict.GRANTED;
      Call kept = withoutKey(policy, call);
      boolean first = calls.add(kept, granted);
      if (!granted) {
        if (first) {
          LOG.log(Level.ERROR, () -> "AccessDenied: " + rights.get().explain(kept));
        }
        return Optional.of(message(call, verdict));
      }
    }
    return Optional.empty();
  }

  /// An object's key is data and must not be in record and log: it is replaced by the key of an
  /// object that the same right covers.
  private static Call withoutKey(Policy policy, Call call) {
    int slash = call.resource().indexOf('/');
    if (!call.resource().startsWith(OBJECTS) || slash < 0) {
      return call;
    }
    return call.on(
        policy
            .grant(call)
            .map(grant -> Wildcard.example(grant.resource()))
            .orElseGet(() -> call.resource().substring(0, slash) + "/x"));
  }

  private static String message(Call call, Verdict verdict) {
    return "User: arn:aws:sts::000000000000:assumed-role/%s/local is not authorized to perform: %s on resource: %s %s"
        .formatted(
            call.role(),
            call.action(),
            call.resource(),
            verdict == Verdict.DENIED
                ? "with an explicit deny in an identity-based policy"
                : "because no identity-based policy allows the " + call.action() + " action");
  }
}
