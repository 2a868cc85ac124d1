package dev.runyard.core.job;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Pages of a job's items. Which item has which status comes from the job's log; what is said of
/// its run comes from a row that may lag behind.
public final class ListItems {
  private final JobItems items;

  public ListItems(JobItems items) {
    this.items = items;
  }

  /// One page.
  ///
  /// @param next number of the item with which the next page begins; empty when there is none
  public record Page(List<Item> items, Optional<Integer> next) {
    public Page {
      items = List.copyOf(items);
    }
  }

  /// An item and the row of its newest run that ended.
  public record Item(int number, Optional<ItemRow> row) {}

  /// Items from the number `from` on, with that status if one is given, at most `limit`.
  public Page page(JobState.Existing job, Optional<ItemStatus> status, int from, int limit) {
    JobProgress progress = job.facts().items();
    List<Integer> numbers = new ArrayList<>();
    int at = Math.max(1, from);
    while (at <= progress.total() && numbers.size() <= limit) {
      int wanted = at;
      Optional<Integer> found =
          status.isEmpty() ? Optional.of(wanted) : progress.first(status.get(), wanted);
      if (found.isEmpty()) {
        break;
      }
      numbers.add(found.get());
      at = found.get() + 1;
    }
    List<Integer> shown = numbers.subList(0, Math.min(limit, numbers.size()));
    Map<Integer, ItemRow> rows = rows(job.facts().job(), progress, shown);
    return new Page(
        shown.stream()
            .map(number -> new Item(number, Optional.ofNullable(rows.get(number))))
            .toList(),
        numbers.size() > limit ? Optional.of(numbers.get(limit)) : Optional.empty());
  }

  /// Rows of neighbours are read at once.
  private Map<Integer, ItemRow> rows(JobKey job, JobProgress progress, List<Integer> numbers) {
    Map<Integer, ItemRow> rows = new HashMap<>();
    int i = 0;
    while (i < numbers.size()) {
      int first = numbers.get(i);
      int last = first;
      while (i + 1 < numbers.size() && numbers.get(i + 1) == last + 1) {
        last++;
        i++;
      }
      i++;
      if (first < progress.next()) {
        int end = last;
        items.rows(job, first, last - first + 1).stream()
            .filter(row -> row.item() <= end)
            .forEach(row -> rows.put(row.item(), row));
      }
    }
    return rows;
  }
}
