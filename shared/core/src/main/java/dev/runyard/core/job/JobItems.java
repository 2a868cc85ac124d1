package dev.runyard.core.job;

import java.util.List;
import java.util.Optional;

/// What is stored of the items of jobs: what they ask for, and a row for each that has ended.
///
/// Calls fail with [dev.runyard.core.problem.PortUnavailable] if the store does not answer.
public interface JobItems {
  /// Writes it unless something of this name is there.
  void put(JobKey job, String name, byte[] requests);

  /// What was written under the name, as long as the job's log is kept.
  Optional<byte[]> requests(JobKey job, String name);

  /// Writes the rows, each unless the one that is there is as new.
  void save(JobKey job, List<ItemRow> rows);

  /// The row of an item.
  Optional<ItemRow> row(JobKey job, int item);

  /// The rows from an item on, in the order of the items, at most `limit`.
  List<ItemRow> rows(JobKey job, int from, int limit);
}
