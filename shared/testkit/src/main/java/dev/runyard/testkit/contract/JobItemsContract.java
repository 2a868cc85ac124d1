package dev.runyard.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.job.ItemRow;
import dev.runyard.core.job.JobItems;
import dev.runyard.core.job.JobKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every [JobItems] promises.
public abstract class JobItemsContract {
  private JobItems items;
  private JobKey job;

  /// The store under test; it may hold items of other jobs.
  protected abstract JobItems jobItems();

  @BeforeEach
  void open() {
    items = jobItems();
    job = new JobKey(SampleRuns.tenant(), "j-1");
  }

  @Test
  void keepsTheFirstRequestsOfAName() {
    assertEquals(Optional.empty(), items.requests(job, "a-0"));
    items.put(job, "a-0", new byte[] {1, 2, 0, -1});
    items.put(job, "a-0", new byte[] {9});
    items.put(job, "a-1", new byte[] {3});

    assertArrayEquals(new byte[] {1, 2, 0, -1}, items.requests(job, "a-0").orElseThrow());
    assertEquals(Optional.empty(), items.requests(new JobKey(job.tenant(), "j-2"), "a-0"));
  }

  @Test
  void keepsTheNewestRowOfAnItem() {
    assertEquals(Optional.empty(), items.row(job, 3));
    ItemRow newer = SampleJobs.row(3, 9);
    items.save(job, List.of(newer));
    items.save(job, List.of(SampleJobs.row(3, 8)));

    assertEquals(Optional.of(newer), items.row(job, 3));
    assertEquals(Optional.empty(), items.row(job, 2));
  }

  @Test
  void hasRowsInTheOrderOfTheItems() {
    List<ItemRow> rows =
        IntStream.of(1, 2, 9, 10, 11, 100_000).mapToObj(i -> SampleJobs.row(i, i)).toList();
    items.save(job, rows.reversed());
    items.put(job, "item", new byte[] {1});

    assertEquals(rows, items.rows(job, 1, 100));
    assertEquals(rows.subList(2, 4), items.rows(job, 3, 2));
    assertEquals(List.of(), items.rows(new JobKey(job.tenant(), "j-2"), 1, 100));
  }
}
