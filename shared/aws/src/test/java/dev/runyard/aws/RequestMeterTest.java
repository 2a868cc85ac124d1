package dev.runyard.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@ExtendWith(Emulators.Given.class)
class RequestMeterTest {
  private static final RunKey RUN = new RunKey("meter", "019c0000-0000-7000-8000-000000000001");
  private final Emulators emulators;

  RequestMeterTest(Emulators emulators) {
    this.emulators = emulators;
  }

  @Test
  void countsRequestsAndUnits() {
    RequestMeter meter = new RequestMeter();
    try (DynamoDbClient dynamo = emulators.clients(Map.of(), List.of(meter)).dynamo()) {
      DynamoEventLog log =
          new DynamoEventLog(dynamo, TestTables.EVENTS, Duration.ofDays(1), () -> Instant.EPOCH);
      log.append(chunk("first"));
      log.append(chunk("second"));
      log.chunksAfter(RUN, 0);
    }

    assertEquals(Map.of("PutItem", 2L, "Query", 1L), meter.requests());
    assertEquals(1.0, meter.writeUnits());
    assertEquals(1.0, meter.readUnits());
  }

  private static Chunk chunk(String id) {
    return new Chunk(
        RUN,
        id,
        "runner-1",
        ChunkBody.of(
            EventCodec.RUNS,
            List.of(
                new StoredEvent(
                    RUN, "session-1", null, 1, Instant.EPOCH, new RunEvent.ModelDelta("text")))),
        Optional.empty(),
        false);
  }
}
