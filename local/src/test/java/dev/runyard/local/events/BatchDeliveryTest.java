package dev.runyard.local.events;

import static dev.runyard.local.events.RecordingFunction.batch;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.template.EventSource.StartingPosition;
import dev.runyard.local.template.EventSource.TableStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;

class BatchDeliveryTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final List<ObjectNode> notes = new ArrayList<>();
  private final List<String> checkpoints = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private Instant now = START;

  @Test
  void handlesABatchInOneCall() throws InterruptedException {
    assertEquals(List.of(batch(1, 2, 3)), deliver(settings(false, 2), b -> List.of(), 1, 2, 3));
    assertEquals(List.of("3"), checkpoints);
  }

  @Test
  void retriesFromTheLowestReportedRecord() throws InterruptedException {
    assertEquals(
        List.of(batch(1, 2, 3, 4), batch(2, 3, 4)),
        deliver(
            settings(false, 2), b -> b.contains("1") ? List.of("4", "2") : List.of(), 1, 2, 3, 4));
    assertEquals(List.of("1", "4"), checkpoints);
    assertEquals(List.of(), notes);
  }

  @Test
  void countsRetriesFromTheRecordThatFails() throws InterruptedException {
    assertEquals(
        List.of(batch(1, 2, 3), batch(2, 3)),
        deliver(settings(false, 1), b -> List.of("2"), 1, 2, 3));
    assertEquals(List.of("1", "3"), checkpoints);
    assertNote("RetryAttemptsExhausted", "2", "3");
  }

  @Test
  void treatsAnUnknownRecordAsAFailureOfTheBatch() throws InterruptedException {
    assertEquals(
        List.of(batch(1, 2), batch(1, 2)), deliver(settings(false, 1), b -> List.of("99"), 1, 2));
    assertNote("RetryAttemptsExhausted", "1", "2");
  }

  @Test
  void bisectsWhenTheFunctionThrows() throws InterruptedException {
    assertEquals(
        List.of(batch(1, 2, 3, 4), batch(1, 2), batch(3, 4), batch(3), batch(3), batch(4)),
        deliver(
            settings(true, 1),
            b -> b.contains("3") ? RecordingFunction.fail() : List.of(),
            1,
            2,
            3,
            4));
    assertEquals(List.of("2", "3", "4"), checkpoints);
    assertNote("RetryAttemptsExhausted", "3", "3");
    assertEquals(List.of(Duration.ofMillis(100)), pauses);
  }

  @Test
  void givesUpRecordsThatAreTooOld() throws InterruptedException {
    assertEquals(
        List.of(batch(1), batch(1)),
        deliver(
            settings(false, -1),
            b -> {
              now = now.plusSeconds(31);
              return RecordingFunction.fail();
            },
            1));
    assertNote("RecordAgeExceeded", "1", "1");
  }

  @Test
  void waitsLongerBeforeEachRetryUpToAMost() throws InterruptedException {
    deliver(settings(false, 8), b -> RecordingFunction.fail(), 1);
    assertEquals(Duration.ofMillis(100), pauses.getFirst());
    assertEquals(Duration.ofMillis(200), pauses.get(1));
    assertEquals(BatchDelivery.BACKOFF_MAX, pauses.getLast());
  }

  private void assertNote(String condition, String first, String last) {
    ObjectNode note = notes.getFirst();
    assertEquals(1, notes.size());
    assertEquals(condition, note.path("requestContext").path("condition").asText());
    var info = note.path("DDBStreamBatchInfo");
    assertEquals(first, info.path("startSequenceNumber").asText());
    assertEquals(last, info.path("endSequenceNumber").asText());
    assertEquals("shard", info.path("shardId").asText());
  }

  private List<List<String>> deliver(
      TableStream settings, Function<List<String>, List<String>> answer, int... numbers)
      throws InterruptedException {
    try (RecordingFunction recorder = new RecordingFunction(answer)) {
      StreamMapping mapping = new StreamMapping(recorder.function(), settings, notes::add);
      new BatchDelivery(
              mapping,
              new ShardAddress("arn", "shard"),
              () -> now,
              Duration.ofMillis(100),
              wait -> {
                pauses.add(wait);
                return true;
              },
              checkpoints::add)
          .deliver(Arrays.stream(numbers).mapToObj(BatchDeliveryTest::entry).toList());
      return recorder.seen();
    }
  }

  private static TableStream settings(boolean bisects, int retries) {
    return new TableStream(
        "Data",
        StartingPosition.TRIM_HORIZON,
        10,
        Duration.ZERO,
        List.of(),
        true,
        bisects,
        retries < 0 ? Optional.empty() : Optional.of(retries),
        Optional.of(Duration.ofSeconds(60)),
        Optional.empty());
  }

  private static StreamEntry entry(int number) {
    Record record =
        Record.builder()
            .eventName("INSERT")
            .dynamodb(
                StreamRecord.builder()
                    .sequenceNumber(String.valueOf(number))
                    .keys(Map.of("pk", AttributeValue.fromS("k")))
                    .build())
            .build();
    return new StreamEntry(record, START);
  }
}
