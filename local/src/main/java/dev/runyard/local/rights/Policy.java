package dev.runyard.local.rights;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Everything a role may do: what one of its permissions allows and none denies.
public record Policy(List<Permission> permissions) {
  static final Policy NOTHING = new Policy(List.of());

  public Policy {
    permissions = List.copyOf(permissions);
  }

  /// IAM's answer to a call.
  enum Verdict {
    GRANTED,
    /// No statement allows it.
    NOT_GRANTED,
    /// A statement denies it, whatever others allow.
    DENIED
  }

  Verdict verdict(Call call) {
    boolean granted = false;
    for (Permission permission : permissions) {
      if (permission.covers(call)) {
        if (!permission.allows()) {
          return Verdict.DENIED;
        }
        granted = true;
      }
    }
    return granted ? Verdict.GRANTED : Verdict.NOT_GRANTED;
  }

  /// The narrowest permission that allows the call.
  Optional<Permission> grant(Call call) {
    return permissions.stream()
        .filter(permission -> permission.allows() && permission.covers(call))
        .max(Comparator.comparingInt(permission -> permission.resource().length()));
  }

  Policy without(Permission gone) {
    return new Policy(permissions.stream().filter(one -> !one.equals(gone)).toList());
  }
}
