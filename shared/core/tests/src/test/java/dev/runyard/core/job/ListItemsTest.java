package dev.runyard.core.job;

import static dev.runyard.core.job.FoldedJob.AT;
import static dev.runyard.core.job.FoldedJob.JOB;
import static dev.runyard.core.job.FoldedJob.added;
import static dev.runyard.core.job.FoldedJob.began;
import static dev.runyard.core.job.FoldedJob.completed;
import static dev.runyard.core.job.FoldedJob.failed;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.memory.MemoryJobPorts;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Pages of a job whose items 1, 2 and 4 have ended, 3 and 5 run, and 6 and 7 were never started.
final class ListItemsTest {
  private final JobState.Existing job =
      FoldedJob.of(
          FoldedJob.terms(10, OnFailed.HOLD, null),
          added("k", 1, 7),
          new JobEvent.Started(),
          began(1, 1),
          completed(1, 1),
          began(2, 1),
          failed(2, 1),
          began(3, 1),
          began(4, 1),
          failed(4, 1),
          began(5, 1));
  private final WatchedItems items = new WatchedItems(new MemoryJobPorts().items());
  private final ListItems list = new ListItems(items);

  ListItemsTest() {
    items.save(JOB, List.of(row(1), row(2), row(4)));
  }

  private static ItemRow row(int item) {
    return new ItemRow(
        item, item, 1, FoldedJob.run(item, 1), null, null, false, JobUsage.NONE, null, AT);
  }

  private static List<Integer> withRows(ListItems.Page page) {
    return page.items().stream()
        .filter(item -> item.row().filter(row -> row.item() == item.number()).isPresent())
        .map(ListItems.Item::number)
        .toList();
  }

  private static List<Integer> numbers(ListItems.Page page) {
    return page.items().stream().map(ListItems.Item::number).toList();
  }

  @Test
  void readsTheRowsOfNeighboursAtOnce() {
    ListItems.Page page = list.page(job, Optional.empty(), 1, 10);

    assertEquals(IntStream.rangeClosed(1, 7).boxed().toList(), numbers(page));
    assertEquals(List.of(1, 2, 4), withRows(page));
    assertEquals(List.of("1+7"), items.read());
  }

  @Test
  void readsOnlyTheRowsThatItShows() {
    ListItems.Page page = list.page(job, Optional.of(ItemStatus.FAILED), 1, 10);

    assertEquals(List.of(2, 4), numbers(page));
    assertEquals(List.of(2, 4), withRows(page));
    assertEquals(List.of("2+1", "4+1"), items.read());
  }

  @Test
  void readsNothingOfItemsThatWereNeverStarted() {
    assertEquals(List.of(6, 7), numbers(list.page(job, Optional.of(ItemStatus.PENDING), 1, 10)));
    assertEquals(List.of(), items.read());
  }

  @Test
  void saysWithWhichItemTheNextPageBegins() {
    assertEquals(Optional.of(4), list.page(job, Optional.empty(), 1, 3).next());
    assertEquals(Optional.of(7), list.page(job, Optional.empty(), 4, 3).next());
    assertEquals(Optional.empty(), list.page(job, Optional.empty(), 5, 3).next());
    assertEquals(Optional.empty(), list.page(job, Optional.of(ItemStatus.FAILED), 1, 2).next());
    assertEquals(Optional.of(4), list.page(job, Optional.of(ItemStatus.FAILED), 1, 1).next());
  }
}
