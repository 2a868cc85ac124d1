package dev.runyard.runner.isolation;

import dev.runyard.core.event.SandboxApplied;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// All that the attempts of a runner have in common where each has a user of its own.
///
/// @param reason why this level is in force
/// @param stack the stack whose process the runner shares; empty if none
/// @param named the users that have a line in `/etc/passwd`
/// @param nests whether agents may make namespaces, and so a sandbox of their own
record UserLevel(
    String reason,
    String stack,
    UserClaims claims,
    UserCommands commands,
    LimitWatch watch,
    Set<Integer> named,
    boolean nests) {

  /// The name a user has, or would have.
  String name(AgentUser user) {
    return AgentNames.PREFIX + user.uid();
  }

  SandboxApplied told(AgentUser user) {
    List<String> not = new ArrayList<>(NotEnforced.BY_USER);
    if (!named.contains(user.uid())) {
      not.add(NotEnforced.USER_NAME);
    }
    return new SandboxApplied(
        IsolationLevel.UID.wire(),
        reason,
        user.uid(),
        commands.limits().byName(),
        "own_user",
        "open",
        not);
  }
}
