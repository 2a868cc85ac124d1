package dev.runyard.core.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// How far a job is with its items. They are started in the order of their numbers, so one number
/// says which were: an item below `next` that is in none of the sets and does not run is completed.
///
/// @param next number of the first item that was never started
/// @param active the items that run
/// @param retrying failed items that are to run again
/// @param retried the items that were started twice, those that were started three times, and so on
public record JobProgress(
    List<ItemBatch> batches,
    int next,
    SortedMap<Integer, Active> active,
    ItemSet failed,
    ItemSet reported,
    ItemSet retrying,
    List<ItemSet> retried) {
  static final JobProgress NONE =
      new JobProgress(
          List.of(), 1, new TreeMap<>(), ItemSet.EMPTY, ItemSet.EMPTY, ItemSet.EMPTY, List.of());

  /// The run of an item.
  ///
  /// @param threadId its thread; null for one that was started before that was told
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Active(int attempt, String runId, @Nullable String threadId) {}

  public JobProgress {
    batches = List.copyOf(batches);
    active = new TreeMap<>(active);
    retried = List.copyOf(retried);
    Objects.requireNonNull(failed);
    Objects.requireNonNull(reported);
    Objects.requireNonNull(retrying);
  }

  public int total() {
    return batches.isEmpty() ? 0 : batches.getLast().last();
  }

  public int pending() {
    return total() - next + 1 + retrying.size();
  }

  public int completed() {
    return next - 1 - active.size() - failed.size() - reported.size() - retrying.size();
  }

  public boolean has(int item) {
    return item >= 1 && item <= total();
  }

  public ItemStatus status(int item) {
    if (active.containsKey(item)) {
      return ItemStatus.RUNNING;
    }
    if (item >= next || retrying.has(item)) {
      return ItemStatus.PENDING;
    }
    if (failed.has(item)) {
      return ItemStatus.FAILED;
    }
    return reported.has(item) ? ItemStatus.REPORTED : ItemStatus.COMPLETED;
  }

  /// How often the item was started.
  public int attempts(int item) {
    return item >= next ? 0 : 1 + (int) retried.stream().filter(set -> set.has(item)).count();
  }

  /// The first item from `item` on with this status; empty when there is none.
  public Optional<Integer> first(ItemStatus status, int item) {
    int found =
        switch (status) {
          case FAILED -> failed.from(item);
          case REPORTED -> reported.from(item);
          case RUNNING -> active.tailMap(item).keySet().stream().findFirst().orElse(-1);
          case PENDING -> {
            int again = retrying.from(item);
            yield again >= 0 ? again : upTo(total(), Math.max(item, next), _ -> true);
          }
          case COMPLETED -> upTo(next - 1, item, at -> status(at) == ItemStatus.COMPLETED);
        };
    return found < 0 ? Optional.empty() : Optional.of(found);
  }

  private static int upTo(int last, int item, IntPredicate wanted) {
    for (int at = item; at <= last; at++) {
      if (wanted.test(at)) {
        return at;
      }
    }
    return -1;
  }

  /// The items that may start next, at most `room`.
  List<Integer> upNext(int room) {
    List<Integer> items = new ArrayList<>();
    for (int at = retrying.from(0); at >= 0 && items.size() < room; at = retrying.from(at + 1)) {
      items.add(at);
    }
    for (int at = next; at <= total() && items.size() < room; at++) {
      items.add(at);
    }
    return items;
  }

  /// The batch with the item.
  Optional<ItemBatch> batch(int item) {
    return batches.stream().filter(one -> one.first() <= item && item <= one.last()).findFirst();
  }

  Optional<ItemBatch> added(String key) {
    return key.isEmpty()
        ? Optional.empty()
        : batches.stream().filter(one -> one.key().equals(key)).findFirst();
  }

  JobProgress with(ItemBatch batch) {
    List<ItemBatch> all = new ArrayList<>(batches);
    all.add(batch);
    return new JobProgress(all, next, active, failed, reported, retrying, retried);
  }

  JobProgress started(int item, Active run) {
    int attempt = run.attempt();
    SortedMap<Integer, Active> running = new TreeMap<>(active);
    running.put(item, run);
    List<ItemSet> again = new ArrayList<>(retried);
    if (attempt > 1) {
      while (again.size() < attempt - 1) {
        again.add(ItemSet.EMPTY);
      }
      again.set(attempt - 2, again.get(attempt - 2).with(item));
    }
    return new JobProgress(
        batches,
        Math.max(next, item + 1),
        running,
        failed,
        reported,
        retrying.without(item),
        again);
  }

  JobProgress ended(int item, boolean well) {
    SortedMap<Integer, Active> running = new TreeMap<>(active);
    running.remove(item);
    ItemSet bad = well ? failed : failed.with(item);
    return new JobProgress(batches, next, running, bad, reported, retrying, retried);
  }

  JobProgress retry(int item) {
    return new JobProgress(
        batches, next, active, failed.without(item), reported, retrying.with(item), retried);
  }

  JobProgress report(int item) {
    return new JobProgress(
        batches, next, active, failed.without(item), reported.with(item), retrying, retried);
  }

  /// True when an item runs or may start.
  boolean moves() {
    return !active.isEmpty() || pending() > 0;
  }

  /// How many items have each status.
  public Map<ItemStatus, Integer> counts() {
    return Map.of(
        ItemStatus.PENDING,
        pending(),
        ItemStatus.RUNNING,
        active.size(),
        ItemStatus.COMPLETED,
        completed(),
        ItemStatus.FAILED,
        failed.size(),
        ItemStatus.REPORTED,
        reported.size());
  }
}
