package dev.runyard.local.events;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.emulator.EmbeddedTables;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.template.EventSource.StartingPosition;
import dev.runyard.local.template.EventSource.TableStream;
import dev.runyard.local.template.TableDeclaration;
import dev.runyard.testkit.threads.TestPatience;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

class StreamReaderTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  @Test
  void deliversMatchingRecordsInOrderToEveryFunction() throws Exception {
    try (EmbeddedTables tables = new EmbeddedTables(Optional.empty(), AccessCheck.NONE);
        RecordingFunction all = new RecordingFunction(b -> List.of());
        RecordingFunction some = new RecordingFunction(b -> List.of())) {
      tables.create(table());
      List<StreamMapping> mappings =
          List.of(
              mapping(all.function(), List.of()),
              mapping(
                  some.function(),
                  List.of(
                      "{\"dynamodb\":{\"NewImage\":{\"state\":{\"S\":[{\"exists\":true}]}}}}")));
      try (var _ = reader(tables, mappings, new Checkpoints(Optional.empty()));
          DynamoDbClient client = client(tables)) {
        put(client, 1, false);
        put(client, 2, true);
        put(client, 3, false);
        List<String> seen = new ArrayList<>();
        while (seen.size() < 3) {
          seen.addAll(all.awaitBatch());
        }
        assertEquals(seen.stream().sorted().toList(), seen);
        assertEquals(List.of(seen.get(1)), some.awaitBatch());
        assertEquals(List.of(), some.seen());
      }
    }
  }

  @Test
  void aFailingFunctionDoesNotHoldUpTheOther() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (EmbeddedTables tables = new EmbeddedTables(Optional.empty(), AccessCheck.NONE);
        RecordingFunction stuck =
            new RecordingFunction(
                b -> {
                  try {
                    release.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                  return List.of();
                });
        RecordingFunction free = new RecordingFunction(b -> List.of())) {
      tables.create(table());
      List<StreamMapping> mappings =
          List.of(mapping(stuck.function(), List.of()), mapping(free.function(), List.of()));
      try (var _ = reader(tables, mappings, new Checkpoints(Optional.empty()));
          DynamoDbClient client = client(tables)) {
        put(client, 1, true);
        stuck.awaitBatch();
        free.awaitBatch();
        put(client, 2, true);
        assertEquals(1, free.awaitBatch().size());
        release.countDown();
        assertEquals(1, stuck.awaitBatch().size());
      }
    }
  }

  @Test
  void continuesBehindTheLastHandledRecordAfterARestart() throws Exception {
    Optional<Path> data = Optional.of(folder.resolve("tables"));
    Optional<Path> file = Optional.of(folder.resolve("checkpoints.json"));
    String handled;
    try (EmbeddedTables tables = new EmbeddedTables(data, AccessCheck.NONE);
        RecordingFunction before = new RecordingFunction(b -> List.of())) {
      tables.create(table());
      Checkpoints checkpoints = new Checkpoints(file);
      try (var _ = reader(tables, List.of(mapping(before.function(), List.of())), checkpoints);
          DynamoDbClient client = client(tables)) {
        put(client, 1, true);
        handled = before.awaitBatch().getLast();
      }
      checkpoints.save();
      try (DynamoDbClient client = client(tables)) {
        put(client, 2, true);
      }
    }
    try (EmbeddedTables tables = new EmbeddedTables(data, AccessCheck.NONE);
        RecordingFunction after = new RecordingFunction(b -> List.of())) {
      tables.create(table());
      try (var _ =
          reader(tables, List.of(mapping(after.function(), List.of())), new Checkpoints(file))) {
        List<String> batch = after.awaitBatch();
        assertEquals(1, batch.size());
        assertTrue(
            StreamEntry.position(batch.getFirst()).compareTo(StreamEntry.position(handled)) > 0);
      }
    }
  }

  @Test
  void handsOverEveryTypeOfAttribute() throws Exception {
    BlockingQueue<DynamodbEvent> events = new LinkedBlockingQueue<>();
    try (EmbeddedTables tables = new EmbeddedTables(Optional.empty(), AccessCheck.NONE);
        ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
      tables.create(table());
      LambdaFunction function =
          new LambdaFunction(
              "types",
              TestPatience.LONG,
              128,
              (event, context) -> events.add((DynamodbEvent) event),
              calls);
      try (var _ =
              reader(
                  tables,
                  List.of(mapping(function, List.of())),
                  new Checkpoints(Optional.empty()));
          DynamoDbClient client = client(tables)) {
        var bytes = SdkBytes.fromByteArray(new byte[] {1, 2});
        client.putItem(
            request ->
                request
                    .tableName("Data")
                    .item(
                        Map.of(
                            "pk", value(b -> b.s("k")),
                            "n", value(b -> b.n("1.5")),
                            "b", value(b -> b.b(bytes)),
                            "yes", value(b -> b.bool(true)),
                            "nul", value(b -> b.nul(true)),
                            "ss", value(b -> b.ss("x")),
                            "ns", value(b -> b.ns("7")),
                            "bs", value(b -> b.bs(bytes)),
                            "m", value(b -> b.m(Map.of("in", value(c -> c.s("deep"))))),
                            "l", value(b -> b.l(value(c -> c.n("3")))))));
        DynamodbEvent event = events.poll(TestPatience.LONG_SECONDS, TimeUnit.SECONDS);
        if (event == null) {
          throw new AssertionError("no event arrived");
        }
        var record = event.getRecords().getFirst();
        assertEquals("INSERT", record.getEventName());
        assertTrue(record.getEventSourceARN().contains("table/Data/stream/"));
        Map<String, AttributeValue> image = record.getDynamodb().getNewImage();
        assertEquals("1.5", of(image, "n").getN());
        assertArrayEquals(new byte[] {1, 2}, of(image, "b").getB().array());
        assertEquals(true, of(image, "yes").getBOOL());
        assertEquals(true, of(image, "nul").getNULL());
        assertEquals(List.of("x"), of(image, "ss").getSS());
        assertEquals(List.of("7"), of(image, "ns").getNS());
        assertEquals(1, of(image, "bs").getBS().size());
        assertEquals("deep", of(of(image, "m").getM(), "in").getS());
        assertEquals("3", of(image, "l").getL().getFirst().getN());
      }
    }
  }

  private static software.amazon.awssdk.services.dynamodb.model.AttributeValue value(
      java.util.function.Consumer<
              software.amazon.awssdk.services.dynamodb.model.AttributeValue.Builder>
          set) {
    return software.amazon.awssdk.services.dynamodb.model.AttributeValue.builder()
        .applyMutation(set)
        .build();
  }

  private static AttributeValue of(Map<String, AttributeValue> image, String name) {
    return Objects.requireNonNull(image.get(name));
  }

  private static void put(DynamoDbClient client, int key, boolean state) {
    var item =
        state
            ? Map.of("pk", value(b -> b.s("k" + key)), "state", value(b -> b.s("done")))
            : Map.of("pk", value(b -> b.s("k" + key)));
    client.putItem(request -> request.tableName("Data").item(item));
  }

  private static StreamReader reader(
      EmbeddedTables tables, List<StreamMapping> mappings, Checkpoints checkpoints) {
    return new StreamReader(
        tables.streams(), "Data", mappings, checkpoints, InstantSource.system());
  }

  private static StreamMapping mapping(LambdaFunction function, List<String> patterns)
      throws JsonProcessingException {
    List<JsonNode> filters = new ArrayList<>();
    for (String pattern : patterns) {
      filters.add(JSON.readTree(pattern));
    }
    return new StreamMapping(
        function,
        new TableStream(
            "Data",
            StartingPosition.TRIM_HORIZON,
            10,
            Duration.ZERO,
            filters,
            true,
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty()),
        FailureDestination.none());
  }

  private static TableDeclaration table() throws JsonProcessingException {
    return new TableDeclaration(
        "Data",
        "Data",
        JSON.readTree(
            """
            {"AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
             "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
             "StreamSpecification": {"StreamViewType": "NEW_IMAGE"}}
            """));
  }

  private static DynamoDbClient client(EmbeddedTables tables) {
    return DynamoDbClient.builder()
        .endpointOverride(tables.endpoint())
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
        .httpClient(UrlConnectionHttpClient.create())
        .build();
  }
}
