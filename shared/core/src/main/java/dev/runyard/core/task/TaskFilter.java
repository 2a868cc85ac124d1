package dev.runyard.core.task;

import dev.runyard.core.projection.ModelPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Which tasks a list shows.
///
/// @param statuses theirs; none for any
public record TaskFilter(Set<TaskStatus> statuses) {
  public static final TaskFilter ALL = new TaskFilter(Set.of());

  /// Says what the text of a filter is to be.
  public static final String FORM =
      "status must be one of these, or several with commas: "
          + Arrays.stream(TaskStatus.values())
              .map(TaskStatus::wire)
              .collect(Collectors.joining(", "))
          + ".";

  public TaskFilter {
    statuses = Set.copyOf(statuses);
  }

  /// The filter of some statuses, with commas between them; empty for another text.
  public static Optional<TaskFilter> of(String text) {
    Set<TaskStatus> read = EnumSet.noneOf(TaskStatus.class);
    for (String word : text.split(",", -1)) {
      Optional<TaskStatus> status = TaskStatus.of(word);
      if (status.isEmpty()) {
        return Optional.empty();
      }
      read.add(status.get());
    }
    return Optional.of(new TaskFilter(read));
  }

  private boolean takes(TaskState.Existing task) {
    return statuses.isEmpty() || statuses.contains(task.status());
  }

  /// A page of the tasks that pass. It may have fewer than `limit` and still be followed by others:
  /// after [TaskLimits#FILTERED_MAX] tasks the next page goes on looking.
  public ModelPage<TaskState.Existing> list(
      TaskModels models, String tenant, int limit, Optional<String> after) {
    if (statuses.isEmpty()) {
      return TaskModels.KIND.page(models, tenant, limit, after);
    }
    List<TaskState.Existing> found = new ArrayList<>();
    Optional<String> place = after;
    for (int looked = 0; looked < TaskLimits.FILTERED_MAX; ) {
      ModelPage<TaskState.Existing> page =
          TaskModels.KIND.page(models, tenant, TaskLimits.TASKS_LISTED_MAX, place);
      for (TaskState.Existing task : page.states()) {
        if (takes(task) && found.size() == limit) {
          return new ModelPage<>(found, Optional.of(TaskModels.KIND.placeOf(found.getLast())));
        }
        if (takes(task)) {
          found.add(task);
        }
      }
      looked += page.states().size();
      place = page.next();
      if (place.isEmpty()) {
        return new ModelPage<>(found, Optional.empty());
      }
    }
    return new ModelPage<>(found, place);
  }
}
