package dev.runyard.core.hook;

import java.util.List;
import java.util.Optional;

/// Where hooks are kept, until they are deleted. A write that was acknowledged is seen by every
/// later read.
///
/// Calls fail with [dev.runyard.core.problem.PortUnavailable] if the store does not answer.
public interface HookStore {
  Optional<Hook> find(HookId id);

  /// The hooks of a tenant, in the order of their ids; at most [#LISTED_MAX].
  List<Hook> list(String tenant);

  /// Writes the hook if the version before it is there, the first if there is none; says whether it
  /// was written.
  boolean write(Hook hook);

  /// Deletes the hook; says whether there was one.
  boolean delete(HookId id);

  /// Most hooks of a tenant that are listed.
  int LISTED_MAX = 2 * HookLimits.HOOKS_MAX;
}
