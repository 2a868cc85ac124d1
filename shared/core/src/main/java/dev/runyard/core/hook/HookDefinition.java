package dev.runyard.core.hook;

import java.util.List;
import java.util.Optional;

/// What a tenant says of a hook.
///
/// @param name for people
/// @param secret name of the operator's secret that its sender signs with
/// @param enabled whether deliveries start anything
/// @param hmac how its sender signs, if it has no scheme of its own
/// @param toleranceSeconds how far the signed time of a delivery may be from now
/// @param when all of which must let a delivery through
/// @param template what is submitted
record HookDefinition(
    String name,
    HookSender sender,
    String secret,
    boolean enabled,
    Optional<HmacScheme> hmac,
    int toleranceSeconds,
    List<HookFilter> when,
    HookTemplate template) {
  HookDefinition {
    when = List.copyOf(when);
  }
}
