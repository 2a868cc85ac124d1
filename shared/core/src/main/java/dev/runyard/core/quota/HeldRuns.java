package dev.runyard.core.quota;

import dev.runyard.core.ids.RunKey;
import java.util.List;
import java.util.Optional;

/// Runs that wait for a place of their tenant. Reads see every change that was acknowledged before
/// them.
///
/// A call that does not answer throws [dev.runyard.core.problem.PortUnavailable].
public interface HeldRuns {
  /// Adds a run; a run that is there already stays as it is.
  void add(RunKey run);

  /// The runs of a tenant in the order they were submitted, at most `most`.
  List<RunKey> first(String tenant, int most);

  void remove(RunKey run);

  /// The first tenant after this one, in the order of their names, that has held runs.
  Optional<String> nextTenant(String after);
}
