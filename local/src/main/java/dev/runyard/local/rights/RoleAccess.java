package dev.runyard.local.rights;

import dev.runyard.local.rights.Policy.Verdict;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Grants what the template grants. Every role of the stack signs with a key whose id is the role's
/// name; any other key may do nothing. Each different call is recorded, and each refused one is
/// logged once with the line that the template lacks.
public final class RoleAccess implements AccessCheck {
  private static final Logger LOG = System.getLogger(RoleAccess.class.getName());
  private static final Pattern KEY = Pattern.compile("Credential=([A-Za-z0-9]+)/");
  private static final String OBJECTS = "arn:aws:s3:::";

  private final Supplier<Rights> rights;
  private final CallRecord calls;

  /// @param rights supplied at every request, so that emulators may start before they are read
  public RoleAccess(Supplier<Rights> rights, CallRecord calls) {
    this.rights = rights;
    this.calls = calls;
  }

  @Override
  public Optional<String> refusal(@Nullable String authorization, List<Asked> asked) {
    String role = role(authorization);
    for (Asked one : asked) {
      Call call = one.by(role);
      Policy policy = rights.get().policy(role);
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

  private static String role(@Nullable String authorization) {
    Matcher key = KEY.matcher(authorization == null ? "" : authorization);
    return key.find() ? key.group(1) : "nobody";
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
