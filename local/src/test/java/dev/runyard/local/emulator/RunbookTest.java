package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.events.FilterPattern;
import dev.runyard.local.events.TableStreams.Stream;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.EventSource.TableStream;
import dev.runyard.local.template.PseudoParameters;
import dev.runyard.local.template.TableDeclaration;
import dev.runyard.local.template.Template;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/// The runbook's commands that give back runs and records do so: they are taken from its pages and
/// run with the AWS CLI on emulated tables and queues, which are the template's.
@Needs(Outside.AWS_CLI)
class RunbookTest {
  private static final Path DOCS = Path.of("..", "docs", "runbook");
  private static final String LOST = "LostRecordsQueue";
  private static final String ASIDE = "StreamFailureQueue";
  private static final String DEAD = "DeadLetterQueue";
  private static final int RETENTION_DAYS = 90;

  /// When records were lost, in notes: late enough that nothing expires meanwhile.
  private static final Instant LOST_SINCE = Instant.parse("2100-07-01T00:00:00.250Z");

  private static final Duration LOST_FOR = Duration.ofMinutes(10);

  /// How far before and after that the commands look.
  private static final Duration AROUND = Duration.ofMinutes(5);

  @TempDir Path folder;

  private final EmbeddedTables tables = new EmbeddedTables(Optional.empty(), AccessCheck.NONE);
  private final EmbeddedQueues server = new EmbeddedQueues(Optional.empty());
  private final Queues queues = new Queues(server.endpoint());
  private final Blueprint blueprint =
      new Blueprint(Template.read(Path.of("..", "template.yaml"), Map.of()));
  private Map<String, String> urls = Map.of();
  private String events = "";

  @BeforeEach
  void create() {
    blueprint.tables().forEach(tables::create);
    urls = queues.create(blueprint.queues());
    events =
        blueprint.tables().stream()
            .filter(table -> table.logicalId().equals("EventsTable"))
            .map(TableDeclaration::name)
            .findFirst()
            .orElseThrow();
  }

  @AfterEach
  void close() {
    queues.close();
    server.close();
    tables.close();
  }

  @Test
  void hasTheStreamTellOfLostRecordsAgain() throws Exception {
    Map<String, AttributeValue> run = append("default#run#one", Duration.ZERO);
    Map<String, AttributeValue> job = append("default#job#two", AROUND);
    Map<String, AttributeValue> task = append("default#task#three", LOST_FOR.plus(AROUND));
    append("default#run#one", LOST_FOR);
    append("default#run#before", AROUND.plusSeconds(1).negated());
    append("default#run#after", LOST_FOR.plus(AROUND).plusSeconds(1));
    put("default#run#text", Duration.ZERO, Map.of());
    int before = told().size();
    send(LOST, note(LOST_SINCE, Duration.ofSeconds(20)));
    send(LOST, note(LOST_SINCE.plusSeconds(20), LOST_FOR.minusSeconds(20)));

    List<String> commands = new ArrayList<>(page("LostRecordsAlarm"));
    String tidiesUp = commands.removeLast();
    String printed = run(commands);

    List<Record> again = told().subList(before, told().size());
    assertEquals(
        Set.of(later(run), later(job), later(task)),
        again.stream().map(told -> told.dynamodb().newImage()).collect(Collectors.toSet()));
    assertEquals(3, again.stream().filter(this::isHeard).count());
    assertEquals(
        2,
        printed.lines().filter(line -> line.contains("RetryAttemptsExhausted")).count(),
        printed);
    run(List.of("QUEUE=$(output LostRecordsQueueUrl)", tidiesUp));
    assertEquals("0 0", left(LOST));
  }

  @Test
  void hasTheStreamTellOfAJobThatWasPassedOver() throws Exception {
    Map<String, AttributeValue> first =
        put(
            "default#job#one",
            Duration.ZERO,
            Map.of("sk", AttributeValue.fromN("1"), "state", AttributeValue.fromS("created")));

    String tells = page("StreamFailuresAlarm").getLast();
    run(List.of(tells.replace("<tenant>", "default").replace("<jobId>", "one")));

    Record again = told().getLast();
    assertEquals(later(first), again.dynamodb().newImage());
    assertTrue(isHeard(again));
  }

  @Test
  void givesDeadLettersBackToRunners() throws Exception {
    send(DEAD, "default#run#one");
    send(DEAD, "default#run#two");
    send(ASIDE, "default#run#three advance");

    List<String> commands = new ArrayList<>(page("LeftMessagesAlarm"));
    String gives = commands.removeLast();
    String looked = run(commands);
    assertEquals(
        List.of("2", "1"),
        looked
            .lines()
            .filter(line -> line.contains("\"ApproximateNumberOfMessages\""))
            .map(line -> line.replaceAll("[^0-9]", ""))
            .toList(),
        looked);
    assertEquals(1, looked.lines().filter(line -> line.contains("#run#three")).count(), looked);

    run(List.of(gives));
    Set<String> back = new HashSet<>();
    while (back.size() < 2) {
      back.addAll(bodies("RunQueue"));
    }
    assertEquals(Set.of("default#run#one", "default#run#two"), back);
    assertEquals("0 0", left(DEAD));
  }

  /// A change that functions are told of, written so long after the first lost record.
  private Map<String, AttributeValue> append(String stream, Duration after) {
    return put(stream, after, Map.of("state", AttributeValue.fromS("queued")));
  }

  private Map<String, AttributeValue> put(
      String stream, Duration after, Map<String, AttributeValue> members) {
    Instant expires = LOST_SINCE.plus(after).plus(Duration.ofDays(RETENTION_DAYS));
    Map<String, AttributeValue> item = new HashMap<>();
    item.put("pk", AttributeValue.fromS(stream));
    item.put("sk", AttributeValue.fromN(Long.toString(System.nanoTime())));
    item.put("expires", AttributeValue.fromN(Long.toString(expires.getEpochSecond())));
    item.putAll(members);
    try (DynamoDbClient client = EmulatorClients.dynamo(tables.endpoint())) {
      client.putItem(put -> put.tableName(events).item(item));
    }
    return item;
  }

  /// The same, kept a second longer.
  private static Map<String, AttributeValue> later(Map<String, AttributeValue> item) {
    long expires = Long.parseLong(Objects.requireNonNull(item.get("expires")).n());
    Map<String, AttributeValue> after = new HashMap<>(item);
    after.put("expires", AttributeValue.fromN(Long.toString(expires + 1)));
    return after;
  }

  /// Whether it passes the filters of both functions that follow the table.
  private boolean isHeard(Record told) {
    AttributeValue state = told.dynamodb().newImage().get("state");
    Map<String, ?> event =
        Map.of(
            "eventName",
            told.eventNameAsString(),
            "dynamodb",
            Map.of("NewImage", Map.of("state", Map.of("S", Objects.requireNonNull(state).s()))));
    List<TableStream> streams =
        blueprint.functions().stream()
            .flatMap(function -> function.events().stream())
            .filter(TableStream.class::isInstance)
            .map(TableStream.class::cast)
            .toList();
    assertEquals(2, streams.size());
    return streams.stream()
        .allMatch(
            stream ->
                stream.filters().stream()
                    .map(FilterPattern::of)
                    .anyMatch(filter -> filter.matches(event)));
  }

  /// What the stream told of, in its order.
  private List<Record> told() {
    Stream stream = tables.streams().describe(events);
    try (DynamoDbStreamsClient client = EmulatorClients.streams(tables.endpoint())) {
      String oldest =
          client
              .getShardIterator(
                  get ->
                      get.streamArn(stream.arn())
                          .shardId(stream.shards().getLast().id())
                          .shardIteratorType("TRIM_HORIZON"))
              .shardIterator();
      return client.getRecords(get -> get.shardIterator(oldest)).records();
    }
  }

  /// What Lambda writes when it gives up records of a stream.
  private String note(Instant first, Duration span) {
    Stream stream = tables.streams().describe(events);
    ObjectNode note = JsonNodeFactory.instance.objectNode();
    note.putObject("requestContext")
        .put("requestId", "request")
        .put("functionArn", "arn:aws:lambda:us-east-1:000000000000:function:project")
        .put("condition", "RetryAttemptsExhausted")
        .put("approximateInvokeCount", 100);
    note.put("version", "1.0").put("timestamp", "2026-01-01T00:00:00.000Z");
    note.putObject("DDBStreamBatchInfo")
        .put("shardId", stream.shards().getLast().id())
        .put("startSequenceNumber", "1")
        .put("endSequenceNumber", "2")
        .put("approximateArrivalOfFirstRecord", first.toString())
        .put("approximateArrivalOfLastRecord", first.plus(span).toString())
        .put("batchSize", 2)
        .put("streamArn", stream.arn());
    return note.toString();
  }

  private void send(String queue, String body) {
    queues.client().sendMessage(send -> send.queueUrl(url(queue)).messageBody(body));
  }

  private Set<String> bodies(String queue) {
    return queues
        .client()
        .receiveMessage(receive -> receive.queueUrl(url(queue)).maxNumberOfMessages(10))
        .messages()
        .stream()
        .map(Message::body)
        .collect(Collectors.toSet());
  }

  /// How many messages are there, and how many were received and are not deleted.
  private String left(String queue) {
    Map<String, String> counts =
        queues
            .client()
            .getQueueAttributes(get -> get.queueUrl(url(queue)).attributeNamesWithStrings("All"))
            .attributesAsStrings();
    return counts.get("ApproximateNumberOfMessages")
        + " "
        + counts.get("ApproximateNumberOfMessagesNotVisible");
  }

  private String url(String queue) {
    return Objects.requireNonNull(urls.get(queue), queue);
  }

  /// The blocks of commands of a page.
  private static List<String> page(String name) throws IOException {
    String[] parts = Files.readString(DOCS.resolve(name + ".md")).split("```(sh)?\n", -1);
    List<String> blocks = new ArrayList<>();
    for (int i = 1; i < parts.length; i += 2) {
      blocks.add(parts[i]);
    }
    return blocks;
  }

  /// Runs commands as the runbook says, but for what needs CloudFormation or CloudWatch: outputs
  /// and resources are those created here, and there are no lines of functions.
  private String run(List<String> commands) throws Exception {
    Path script = folder.resolve("commands.sh");
    String known =
        urls.entrySet().stream()
            .map(queue -> "%1$s|%1$sUrl) echo '%2$s';;".formatted(queue.getKey(), queue.getValue()))
            .collect(Collectors.joining("\n"));
    Files.writeString(
        script,
        String.join(
            "\n",
            "set -euo pipefail",
            page("README").getFirst(),
            "output() { case $1 in\n"
                + known
                + "\nEventsTable) echo "
                + events
                + ";;\n*) exit 1;; esac; }",
            "resource() { output \"$1\"; }",
            "parameter() { [ $1 = RetentionDays ] && echo " + RETENTION_DAYS + "; }",
            "lines() { :; }",
            "aws() { command aws --endpoint-url $(endpoint $1) \"$@\"; }",
            "endpoint() { case $1 in sqs) echo %s;; dynamodb) echo %s;; *) exit 1;; esac; }"
                .formatted(server.endpoint(), tables.endpoint()),
            String.join("\n", commands)));
    ProcessBuilder builder = new ProcessBuilder("bash", script.toString());
    builder.directory(folder.toFile());
    builder.redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("AWS_"));
    environment.put("AWS_REGION", PseudoParameters.REGION);
    environment.put("AWS_DEFAULT_REGION", PseudoParameters.REGION);
    environment.put("AWS_ACCESS_KEY_ID", "local");
    environment.put("AWS_SECRET_ACCESS_KEY", "local");
    environment.put("AWS_CONFIG_FILE", folder.resolve("none").toString());
    environment.put("AWS_EC2_METADATA_DISABLED", "true");
    environment.put("AWS_PAGER", "");
    environment.put("NO_PROXY", "127.0.0.1");
    environment.put("TZ", "Europe/Berlin");
    Process process = builder.start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), printed);
    return printed;
  }
}
