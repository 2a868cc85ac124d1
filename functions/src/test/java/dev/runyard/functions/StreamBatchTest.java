package dev.runyard.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import dev.runyard.core.access.Identity;
import dev.runyard.core.batch.StreamRoute;
import dev.runyard.core.ids.RunKey;
import dev.runyard.testkit.counter.CounterKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class StreamBatchTest {
  private static final RunKey RUN =
      new RunKey(Identity.TENANT_DEFAULT, "019c0000-0000-7000-8000-000000000001");
  private static final CounterKey COUNTER = new CounterKey(Identity.TENANT_DEFAULT, RUN.runId());
  private static final DynamodbEvent BOTH =
      StreamEvent.of(COUNTER.partition(), RUN.partition(), COUNTER.partition());

  private final Twins twins = new Twins();
  private final RunBatch runs = new RunBatch(twins.jsonLog(), twins.streamFailures, twins.clock);
  private final List<RunKey> seenRuns = new ArrayList<>();
  private final List<CounterKey> seenCounters = new ArrayList<>();
  private final List<CounterKey> parkedCounters = new ArrayList<>();

  @Test
  void takesEachStreamTheWayOfItsKind() {
    handle(runs.route(seenRuns::add), counters(seenCounters::add));

    assertEquals(List.of(RUN), seenRuns);
    assertEquals(List.of(COUNTER), seenCounters);
    assertEquals("", twins.logged());
  }

  @Test
  void refusesAKindThatHasNoRouteAndSaysSo() {
    handle(runs.route(seenRuns::add));

    assertEquals(List.of(RUN), seenRuns);
    assertTrue(twins.streamFailures.runs().isEmpty());
    assertTrue(
        twins.logged().contains("\"event\":\"unknown_kind_of_stream\",\"kind\":\"counter\""),
        twins.logged());
  }

  @Test
  void setsAsideAStreamAsItsKindSays() {
    handle(
        runs.route(seenRuns::add),
        counters(
            _ -> {
              throw new IllegalStateException("s3cret");
            }));

    assertEquals(List.of(RUN), seenRuns);
    assertEquals(List.of(COUNTER), parkedCounters);
    assertTrue(twins.streamFailures.runs().isEmpty());
    assertTrue(twins.logged().contains("counter_set_aside"));
    assertFalse(twins.logged().contains("s3cret"));
  }

  private void handle(StreamRoute<?>... routes) {
    StreamsEventResponse response = runs.handle(BOTH, List.of(routes));
    assertEquals(List.of(), response.getBatchItemFailures());
  }

  private StreamRoute<CounterKey> counters(Consumer<CounterKey> action) {
    return new StreamRoute<>(
        CounterKey.KIND,
        partition -> new CounterKey(Identity.TENANT_DEFAULT, partition.split("#", 3)[2]),
        action,
        parkedCounters::add);
  }
}
