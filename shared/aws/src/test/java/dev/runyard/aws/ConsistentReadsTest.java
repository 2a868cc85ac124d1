package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.ids.RunKey;
import dev.runyard.core.projection.RunFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

/// Which reads of the log and the views must see every earlier write. DynamoDB Local shows each
/// write at once, so the test checks the requests themselves.
@ExtendWith(Emulators.Given.class)
class ConsistentReadsTest implements ExecutionInterceptor {
  private static final Duration RETENTION = Duration.ofDays(1);
  private static final RunKey RUN = new RunKey("acme", "019c0000-0000-7000-8000-000000000001");
  private final List<Boolean> consistent = new ArrayList<>();
  private final DynamoDbClient dynamo;

  ConsistentReadsTest(Emulators emulators) {
    dynamo = emulators.clients(Map.of(), List.of(this)).dynamo();
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    switch (context.request()) {
      case GetItemRequest get -> consistent.add(Boolean.TRUE.equals(get.consistentRead()));
      case QueryRequest query -> consistent.add(Boolean.TRUE.equals(query.consistentRead()));
      case Object _ -> {}
    }
  }

  @Test
  void whateverIsDecidedFromALogReadsItAsItIs() {
    DynamoEventLog log =
        new DynamoEventLog(dynamo, TestTables.EVENTS, RETENTION, () -> Instant.EPOCH);

    log.chunksAfter(RUN, 0);
    assertEquals(Set.of(true), read());

    log.chunkAt(RUN, 1);
    assertEquals(Set.of(true), read());
  }

  /// Followers read the same place again until something new is there, at half the price.
  @Test
  void whoeverFollowsALogReadsItAtHalfThePrice() {
    new DynamoEventLog(dynamo, TestTables.EVENTS, RETENTION, () -> Instant.EPOCH).newsAfter(RUN, 0);

    assertEquals(Set.of(false), read());
  }

  @Test
  void theTurnsOfASessionAreReadAsTheyAre() {
    new DynamoSessionQueue(dynamo, TestTables.VIEWS, RETENTION, () -> Instant.EPOCH)
        .read("acme", "session-1");

    assertEquals(List.of(true), consistent);
  }

  @Test
  void theRunsOfASessionAreReadAsTheyAreAndNoOthers() {
    DynamoReadModels models =
        new DynamoReadModels(dynamo, TestTables.VIEWS, RETENTION, () -> Instant.EPOCH);

    models.list("acme", new RunFilter(null, null, "session-1"), 1, Optional.empty());
    assertEquals(Set.of(true), read());

    models.list("acme", new RunFilter(null, "echo", null), 1, Optional.empty());
    assertEquals(Set.of(false), read());

    models.snapshot(RUN);
    assertEquals(Set.of(false), read());
  }

  private Set<Boolean> read() {
    Set<Boolean> kinds = Set.copyOf(consistent);
    consistent.clear();
    return kinds;
  }
}
