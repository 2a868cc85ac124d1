package dev.runyard.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse.BatchItemFailure;
import dev.runyard.core.access.Identity;
import dev.runyard.core.batch.StreamBatch;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.queue.QueueMessage;
import dev.runyard.core.queue.RunQueue;
import dev.runyard.core.queue.Ticket;
import dev.runyard.testkit.threads.TestPatience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class RunBatchTest {
  private static final RunKey A = run('a');
  private static final RunKey B = run('b');
  private static final RunKey C = run('c');

  private final Twins twins = new Twins();
  private final RunBatch batch = new RunBatch(twins.jsonLog(), twins.streamFailures, twins.clock);
  private final List<RunKey> seen = new ArrayList<>();

  @Test
  void handlesEachRunOnce() {
    assertEquals(List.of(), failures(batch.handle(event(A, B, A, A), seen::add)));
    assertEquals(List.of(A, B), seen);
  }

  @Test
  void reportsARunWhosePortDoesNotAnswerAndHandlesTheRest() {
    StreamsEventResponse response =
        batch.handle(event(A, B, C, B), failOn(B, new PortUnavailable("no answer")));

    assertEquals(List.of("2"), failures(response));
    assertEquals(List.of(A, C), seen);
    assertTrue(twins.streamFailures.runs().isEmpty());
  }

  /// Each run waits until the other has begun.
  @Test
  void handlesRunsSideBySide() {
    CountDownLatch begun = new CountDownLatch(2);
    List<Boolean> met = Collections.synchronizedList(new ArrayList<>());
    RunBatch wide =
        new RunBatch(twins.jsonLog(), twins.streamFailures, twins.clock, Threads.lanes());

    StreamsEventResponse response =
        wide.handle(
            event(A, B, A),
            _ -> {
              begun.countDown();
              try {
                met.add(begun.await(TestPatience.LONG_SECONDS, TimeUnit.SECONDS));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });

    assertEquals(List.of(), failures(response));
    assertEquals(List.of(true, true), met);
  }

  @Test
  void setsAsideARunThatFailsOtherwise() {
    StreamsEventResponse response =
        batch.handle(event(A, B, C), failOn(B, new IllegalStateException("s3cret")));

    assertEquals(List.of(), failures(response));
    assertEquals(List.of(A, C), seen);
    assertEquals(List.of(B), twins.streamFailures.runs());
    assertFalse(twins.logged().contains("s3cret"));
  }

  @Test
  void reportsAFailedRunThatCannotBeSetAside() {
    RunBatch cut = new RunBatch(twins.jsonLog(), new NoQueue(), twins.clock);

    assertEquals(
        List.of("1"), failures(cut.handle(event(B), failOn(B, new IllegalStateException()))));
  }

  @Test
  void setsAsideARunBeforeTheEventSourceGivesItUp() {
    DynamodbEvent event = event(A, B);
    event
        .getRecords()
        .forEach(
            stored ->
                stored
                    .getDynamodb()
                    .setApproximateCreationDateTime(Date.from(twins.clock.instant())));
    Consumer<RunKey> action = failOn(B, new PortUnavailable("no answer"));
    RunBatch cut = new RunBatch(twins.jsonLog(), new NoQueue(), twins.clock);

    twins.clock.advance(Duration.ofSeconds(StreamBatch.SET_ASIDE_AFTER_SECONDS).minusMillis(1));
    assertEquals(List.of("2"), failures(batch.handle(event, action)));
    twins.clock.advance(Duration.ofMillis(1));
    assertEquals(List.of("2"), failures(cut.handle(event, action)));
    assertEquals(List.of(), failures(batch.handle(event, action)));
    assertEquals(List.of(B), twins.streamFailures.runs());
  }

  @Test
  void givesUpOnABatchWhenNothingAnswers() {
    RunKey[] runs = {run('1'), run('2'), run('3'), run('4'), run('5')};
    List<RunKey> tried = new ArrayList<>();

    StreamsEventResponse response =
        batch.handle(
            event(runs),
            run -> {
              tried.add(run);
              throw new PortUnavailable("no answer");
            });

    assertEquals(List.of("1", "2", "3", "4", "5"), failures(response));
    assertEquals(StreamBatch.UNAVAILABLE_MAX, tried.size());
  }

  @Test
  void warmsUpWithARunThatDoesNotExist() {
    twins.log.begin(new PortUnavailable("no answer"));
    batch.warmUp(twins.advance()::advance);
    twins.log.end();
    batch.warmUp(twins.advance()::advance);
    batch.warmUp(twins.project()::project);

    assertTrue(twins.events.streams().isEmpty());
    assertTrue(twins.queue.runs().isEmpty());
    assertTrue(twins.streamFailures.runs().isEmpty());
  }

  @Test
  void passesOverARecordOfAThread() {
    List<RunKey> handled = new ArrayList<>();
    StreamsEventResponse response =
        batch.handle(StreamEvent.of("default#thread#thread-s-1", A.partition()), handled::add);

    assertEquals(List.of(), failures(response));
    assertEquals(List.of(A), handled);
    assertFalse(twins.logged().contains("unknown_kind"), twins.logged());
  }

  @Test
  void skipsARecordThatNamesNoRun() {
    DynamodbEvent event = StreamEvent.of("nonsense", A.partition(), "x#run#y");

    assertEquals(List.of(), failures(batch.handle(event, seen::add)));
    assertEquals(List.of(A), seen);
  }

  private Consumer<RunKey> failOn(RunKey bad, RuntimeException failure) {
    return run -> {
      if (run.equals(bad)) {
        throw failure;
      }
      seen.add(run);
    };
  }

  private static List<String> failures(StreamsEventResponse response) {
    return response.getBatchItemFailures().stream()
        .map(BatchItemFailure::getItemIdentifier)
        .toList();
  }

  private static DynamodbEvent event(RunKey... runs) {
    return StreamEvent.of(Arrays.stream(runs).map(RunKey::partition).toArray(String[]::new));
  }

  private static RunKey run(char last) {
    return new RunKey(Identity.TENANT_DEFAULT, "019c0000-0000-7000-8000-00000000000" + last);
  }

  private static final class NoQueue implements RunQueue {
    @Override
    public void send(QueueMessage message, int delaySeconds) {
      throw new PortUnavailable("no answer");
    }

    @Override
    public List<Ticket> receive(int max, int waitSeconds) {
      throw new PortUnavailable("no answer");
    }

    @Override
    public List<Ticket> extend(List<Ticket> tickets, int seconds) {
      throw new PortUnavailable("no answer");
    }

    @Override
    public void delete(Ticket ticket) {
      throw new PortUnavailable("no answer");
    }

    @Override
    public Depth depth() {
      throw new PortUnavailable("no answer");
    }
  }
}
