package dev.runyard.gates.template;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.batch.StreamRoute;
import dev.runyard.core.event.EventCodec;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.StoredEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.fleet.ScaleRunners;
import dev.runyard.core.fleet.StartFailure;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.job.JobKey;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunState;
import dev.runyard.core.stream.ChunkHash;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.webhook.Delivery;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.RetrySchedule;
import dev.runyard.core.webhook.WebhookSender;
import dev.runyard.functions.FleetLines;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.project.Handler;
import dev.runyard.runner.log.RunnerLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/// Lines that functions and runners write when something happens that the operator must know of:
/// the code that is deployed writes them, on ports in memory.
final class WrittenLines {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final Ids ids = new RandomIds(new Random(7));
  private final MemoryEventLog events = new MemoryEventLog();
  private final MemoryPorts ports = new MemoryPorts(events, clock);
  private final UseCases cases = new UseCases(ports, clock, ids, "test");
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

  private WrittenLines() {}

  /// What is written where a metric counts; by the name of its filter.
  static Map<String, List<JsonNode>> byMetric() {
    return Map.of(
        "DeadRuns", of(WrittenLines::deadLetter),
        "SetAsideRuns", of(WrittenLines::setAside),
        "NotSetAside", of(WrittenLines::notSetAside),
        "StartFailures", of(WrittenLines::startFails),
        "RunnersAtMax", of(WrittenLines::needsMoreRunners),
        "WaitedSeconds", of(WrittenLines::waits),
        "BrokenChains", of(WrittenLines::chainBreaks),
        "BusRefusals", of(WrittenLines::busRefuses),
        "RunnerErrors", of(WrittenLines::runnerFails));
  }

  /// What is written while nothing is wrong.
  static List<JsonNode> usual() {
    return of(
        it -> {
          it.project(it.submit());
          it.sweep(10);
          new RunnerLog(it.out, it.clock).info("idle", Map.of("seconds", 300));
        });
  }

  private static List<JsonNode> of(Consumer<WrittenLines> happening) {
    WrittenLines lines = new WrittenLines();
    happening.accept(lines);
    return lines.printed.toString(StandardCharsets.UTF_8).lines().map(WrittenLines::json).toList();
  }

  private static JsonNode json(String line) {
    try {
      return JSON.readTree(line);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(line, e);
    }
  }

  private void deadLetter() {
    ports.deadLetters().send(submit(), 0);
    sweep(10);
  }

  private void setAside() {
    new RunBatch(new JsonLog("advance", out), ports.streamFailures(), clock)
        .handle(
            changeOf(submit()),
            _ -> {
              throw new IllegalStateException("planted");
            });
  }

  private void notSetAside() {
    JsonLog log = new JsonLog("project", out);
    Consumer<JobKey> breaks =
        _ -> {
          throw new IllegalStateException("planted");
        };
    new RunBatch(log, ports.streamFailures(), clock)
        .handle(
            changeOf(new JobKey("default", "job-1")), List.of(StreamRoute.jobs(breaks, breaks)));
  }

  private void startFails() {
    ports
        .fleet()
        .refuse(Optional.of(new StartFailure(StartFailure.Cause.QUOTA, "reached the limit")));
    project(submit());
    sweep(10);
  }

  private void needsMoreRunners() {
    submit();
    submit();
    sweep(1);
  }

  private void waits() {
    project(submit());
    clock.advance(Duration.ofMinutes(12));
    sweep(10);
  }

  private void chainBreaks() {
    RunKey run = submit();
    RunState.Existing now = (RunState.Existing) cases.runs().load(run);
    StoredEvent forged =
        new StoredEvent(
            run,
            now.facts().request().sessionId(),
            null,
            now.sequence() + 1,
            clock.instant(),
            new RunEvent.RunStatus("queued"));
    events.append(
        new Chunk(
            run,
            "forged",
            "nobody",
            ChunkBody.of(EventCodec.RUNS, List.of(forged)),
            Optional.empty(),
            false,
            Optional.of(ChunkHash.of(new byte[ChunkHash.HASH_BYTES]))));
    project(run);
  }

  private void busRefuses() {
    DeliveryKey key = new DeliveryKey("default", EventBus.ID, "msg_" + "0".repeat(44));
    Instant now = clock.instant();
    ports.webhooks().setBus(_ -> new WebhookSender.Answer.None(WebhookSender.Trouble.NOT_KEPT));
    ports
        .webhooks()
        .deliveries()
        .add(
            new Delivery(
                key,
                "run.completed",
                null,
                "{\"timestamp\":\"2026-03-01T12:00:00Z\"}",
                now,
                null,
                Delivery.State.WAITING,
                RetrySchedule.TRIES_MAX - 1,
                now,
                now,
                List.of(),
                0));
    SQSMessage message = new SQSMessage();
    message.setMessageId("message");
    message.setBody(key.text());
    SQSEvent batch = new SQSEvent();
    batch.setRecords(List.of(message));
    WebhookSender nobody =
        _ -> {
          throw new AssertionError("no webhook is told");
        };
    new dev.runyard.functions.deliver.Handler(
            cases.deliverWebhook(nobody), Lanes.one(), new JsonLog("deliver", out))
        .handleRequest(batch, null);
  }

  private void runnerFails() {
    new RunnerLog(out, clock).failed("attempt_broke", new IllegalStateException("planted"));
  }

  private void project(RunKey run) {
    JsonLog log = new JsonLog("project", out);
    new Handler(cases.projectRun(), new RunBatch(log, ports.streamFailures(), clock), log)
        .handleRequest(changeOf(run), null);
  }

  /// A sweep that may start so many runners. If something is wrong, the call ends with an error.
  private void sweep(int runnersMax) {
    JsonLog log = new JsonLog("sweep", out);
    ScaleRunners scale = cases.scaleRunners(new FleetSize(0, runnersMax, 1), new FleetLines(log));
    try {
      new dev.runyard.functions.sweep.Handler(cases.sweepRuns(scale, Lanes.one()), clock, log)
          .handleRequest(new ScheduledEvent(), null);
    } catch (RuntimeException e) {
      if (!String.valueOf(e.getMessage()).startsWith("parts that failed: 0")) {
        throw e;
      }
    }
  }

  private static DynamodbEvent changeOf(StreamKey stream) {
    StreamRecord change = new StreamRecord();
    change.setKeys(Map.of("pk", new AttributeValue(stream.partition())));
    change.setSequenceNumber("1");
    DynamodbStreamRecord stored = new DynamodbStreamRecord();
    stored.setDynamodb(change);
    DynamodbEvent event = new DynamodbEvent();
    event.setRecords(List.of(stored));
    return event;
  }

  private RunKey submit() {
    RunRequest request =
        new RunRequest(
            "echo",
            "hello",
            "",
            Map.of(),
            List.of(),
            null,
            60,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER);
    return switch (cases
        .submitRun()
        .submit(new SubmitRun.By("default", "somebody"), request, Optional.empty())) {
      case SubmitRun.Result.Accepted accepted -> accepted.run().facts().run();
      case SubmitRun.Result.Rejected rejected -> throw new AssertionError(rejected.problem());
    };
  }
}
