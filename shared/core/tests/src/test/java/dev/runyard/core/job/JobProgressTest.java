package dev.runyard.core.job;

import static dev.runyard.core.job.FoldedJob.added;
import static dev.runyard.core.job.FoldedJob.began;
import static dev.runyard.core.job.FoldedJob.completed;
import static dev.runyard.core.job.FoldedJob.failed;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What a job knows of its items: one that was completed, one that failed, one that was reported,
/// one that is to run again, one that runs again, one that runs, and two that were never started.
final class JobProgressTest {
  private final JobProgress items =
      FoldedJob.of(
              FoldedJob.terms(10, OnFailed.HOLD, null),
              added("k", 1, 5),
              added("l", 6, 3),
              new JobEvent.Started(),
              began(1, 1),
              completed(1, 1),
              began(2, 1),
              failed(2, 1),
              began(3, 1),
              failed(3, 1),
              new JobEvent.ItemReported(3, "known"),
              began(4, 1),
              failed(4, 1),
              new JobEvent.ItemRetried(4),
              began(5, 1),
              failed(5, 1),
              new JobEvent.ItemRetried(5),
              began(5, 2),
              began(6, 1))
          .facts()
          .items();

  @Test
  void knowsTheStatusOfEach() {
    assertEquals(
        List.of(
            ItemStatus.COMPLETED,
            ItemStatus.FAILED,
            ItemStatus.REPORTED,
            ItemStatus.PENDING,
            ItemStatus.RUNNING,
            ItemStatus.RUNNING,
            ItemStatus.PENDING,
            ItemStatus.PENDING),
        IntStream.rangeClosed(1, items.total()).mapToObj(items::status).toList());
  }

  @Test
  void countsThem() {
    assertEquals(
        Map.of(
            ItemStatus.PENDING, 3,
            ItemStatus.RUNNING, 2,
            ItemStatus.COMPLETED, 1,
            ItemStatus.FAILED, 1,
            ItemStatus.REPORTED, 1),
        items.counts());
  }

  @Test
  void knowsWhichThereAre() {
    assertFalse(items.has(0));
    assertTrue(items.has(1));
    assertTrue(items.has(8));
    assertFalse(items.has(9));
  }

  @Test
  void knowsHowOftenEachWasStarted() {
    assertEquals(1, items.attempts(1));
    assertEquals(1, items.attempts(4));
    assertEquals(2, items.attempts(5));
    assertEquals(1, items.attempts(6));
    assertEquals(0, items.attempts(7));
  }

  @Test
  void findsTheFirstOfAStatusFromAnItemOn() {
    assertEquals(Optional.of(1), items.first(ItemStatus.COMPLETED, 1));
    assertEquals(Optional.empty(), items.first(ItemStatus.COMPLETED, 2));
    assertEquals(Optional.of(2), items.first(ItemStatus.FAILED, 1));
    assertEquals(Optional.empty(), items.first(ItemStatus.FAILED, 3));
    assertEquals(Optional.of(3), items.first(ItemStatus.REPORTED, 3));
    assertEquals(Optional.of(5), items.first(ItemStatus.RUNNING, 1));
    assertEquals(Optional.of(6), items.first(ItemStatus.RUNNING, 6));
    assertEquals(Optional.empty(), items.first(ItemStatus.RUNNING, 7));
  }

  @Test
  void findsWhatIsToRunAgainAndWhatWasNeverStarted() {
    assertEquals(Optional.of(4), items.first(ItemStatus.PENDING, 1));
    assertEquals(Optional.of(7), items.first(ItemStatus.PENDING, 5));
    assertEquals(Optional.of(8), items.first(ItemStatus.PENDING, 8));
    assertEquals(Optional.empty(), items.first(ItemStatus.PENDING, 9));
  }

  @Test
  void startsWhatIsToRunAgainBeforeWhatWasNeverStarted() {
    assertEquals(List.of(), items.upNext(0));
    assertEquals(List.of(4), items.upNext(1));
    assertEquals(List.of(4, 7), items.upNext(2));
    assertEquals(List.of(4, 7, 8), items.upNext(10));
  }

  @Test
  void startsNoMoreOfThoseThatAreToRunAgainThanThereIsRoomFor() {
    JobProgress again = items.retry(2);

    assertEquals(List.of(2), again.upNext(1));
    assertEquals(List.of(2, 4), again.upNext(2));
    assertEquals(List.of(2, 4, 7), again.upNext(3));
  }

  @Test
  void findsTheAdditionOfAnItem() {
    assertEquals(Optional.of("k"), items.batch(1).map(ItemBatch::key));
    assertEquals(Optional.of("k"), items.batch(5).map(ItemBatch::key));
    assertEquals(Optional.of("l"), items.batch(6).map(ItemBatch::key));
    assertEquals(Optional.of("l"), items.batch(8).map(ItemBatch::key));
    assertEquals(Optional.empty(), items.batch(9).map(ItemBatch::key));
  }
}
