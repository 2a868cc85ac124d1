package dev.runyard.bench.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.ClientEvent;
import dev.runyard.cli.client.LiveEvents;
import dev.runyard.cli.client.NewKey;
import dev.runyard.cli.client.NewRun;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/// Submits runs and follows them over HTTP, as the command line does. What does not go well ends
/// the benchmark: figures of failed runs say nothing.
public final class Runs implements AutoCloseable {
  private final RunyardClient client;

  public Runs(URI stack) {
    this(stack, AccessTokens.of(stack));
  }

  private Runs(URI stack, Optional<String> token) {
    client = new RunyardClient(stack, token);
  }

  /// The same for a tenant that was given a key.
  public static Runs withKey(URI stack) {
    NewKey order = new NewKey("bench", "bench", List.of("runs:read", "runs:write"), null);
    try (RunyardClient operator = new RunyardClient(stack, AccessTokens.of(stack))) {
      return switch (operator.createKey(order)) {
        case ServerReply.Done(JsonNode body) ->
            new Runs(stack, Optional.of(body.path("key").asText()));
        case ServerReply other -> throw new IllegalStateException("no key: " + other);
      };
    }
  }

  /// Submits a run and returns its id.
  public String submit(NewRun run) {
    return switch (client.submit(run, UUID.randomUUID().toString())) {
      case ServerReply.Done(JsonNode body) -> body.path("run_id").asText();
      case ServerReply other -> throw new IllegalStateException("not accepted: " + other);
    };
  }

  /// The run as it stands now.
  public JsonNode get(String runId) {
    return switch (client.run(runId)) {
      case ServerReply.Done(JsonNode body) -> body;
      case ServerReply other -> throw new IllegalStateException("not found: " + other);
    };
  }

  /// The newest runs.
  public JsonNode list() {
    return list(Optional.empty());
  }

  /// The same behind a cursor.
  public JsonNode list(Optional<String> cursor) {
    Map<String, String> from = cursor.map(at -> Map.of("cursor", at)).orElse(Map.of());
    return switch (client.list(from)) {
      case ServerReply.Done(JsonNode body) -> body;
      case ServerReply other -> throw new IllegalStateException("no list: " + other);
    };
  }

  /// The answer to a call about jobs.
  ///
  /// @param path after `/v1/jobs`
  public JsonNode job(String method, String path, JsonNode body) {
    return switch (client.jobs(method, path, body, "")) {
      case ServerReply.Done(JsonNode answer) -> answer;
      case ServerReply other -> throw new IllegalStateException("no job: " + other);
    };
  }

  /// Waits until a job has ended, all of whose items have to complete.
  public JsonNode jobEnded(String id, int items) {
    long after = 0;
    while (true) {
      JsonNode page =
          job(
              "GET",
              "/%s/events?limit=1000&wait=10&after=%d".formatted(id, after),
              NullNode.instance);
      after = page.path("next_after").asLong();
      if (page.path("closed").asBoolean()) {
        JsonNode job = job("GET", "/" + id, NullNode.instance);
        if (job.at("/counts/completed").asInt() != items) {
          throw new IllegalStateException("not all items completed: " + job);
        }
        return job;
      }
    }
  }

  /// Has a server told of each run that completes.
  public void webhook(String url) {
    ObjectNode webhook = JsonNodeFactory.instance.objectNode().put("url", url);
    webhook.putArray("events").add("run.completed");
    if (!(client.webhooks("POST", "", Optional.of(webhook)) instanceof ServerReply.Done)) {
      throw new IllegalStateException("no webhook");
    }
  }

  /// Follows a run to its terminal event.
  public void follow(String runId, Consumer<ClientEvent> handler) throws InterruptedException {
    LiveEvents.End end = new LiveEvents(client).follow(runId, 0, LiveEvents.NATIVE_VIEW, handler);
    if (!(end instanceof LiveEvents.Closed)) {
      throw new IllegalStateException("the stream broke: " + end);
    }
  }

  /// Submits a run and follows it to its end, which must be a good one.
  public Timing run(NewRun run) throws InterruptedException {
    long begin = System.nanoTime();
    String runId = submit(run);
    double accepted = millisSince(begin);
    double[] terminal = new double[1];
    double[] process = new double[1];
    double[] agent = new double[1];
    boolean[] started = new boolean[1];
    follow(
        runId,
        event -> {
          if (started[0] && agent[0] == 0 && !event.type().equals("runtime.warning")) {
            agent[0] = millisSince(begin);
          }
          started[0] |= event.type().equals("process.started");
          if (event.type().equals("process.completed")) {
            process[0] = event.payload().path("durationMillis").asDouble();
          }
          if (event.terminal()) {
            terminal[0] = millisSince(begin);
            requireCompleted(event);
          }
        });
    return new Timing(accepted, agent[0], process[0], terminal[0]);
  }

  /// Submits a run, cancels it once it uses a tool, and answers how long it took from the cancel to
  /// the terminal event, in milliseconds.
  public double cancel(NewRun run) throws InterruptedException {
    String runId = submit(run);
    long[] begin = new long[1];
    double[] terminal = new double[1];
    follow(
        runId,
        event -> {
          if (event.type().equals("tool.started")) {
            begin[0] = System.nanoTime();
            if (!(client.cancel(runId, "bench") instanceof ServerReply.Done)) {
              throw new IllegalStateException("not cancelled");
            }
          }
          if (event.terminal()) {
            terminal[0] = millisSince(begin[0]);
          }
        });
    if (begin[0] == 0) {
      throw new IllegalStateException("the run used no tool");
    }
    return terminal[0];
  }

  /// The same, `count` times, one after the other.
  public List<Timing> run(NewRun run, int count) throws InterruptedException {
    List<Timing> timings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      timings.add(run(run));
    }
    return timings;
  }

  /// When the client had the answer, when the first event behind the start of the agent's process,
  /// and when the terminal event, all from before the submit; and how long the process took.
  public record Timing(
      double acceptedMillis, double agentMillis, double processMillis, double terminalMillis) {}

  private static double millisSince(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }

  public static void requireCompleted(ClientEvent event) {
    if (event.terminal() && !event.type().equals("task.completed")) {
      throw new IllegalStateException("the run ended as " + event.body());
    }
  }

  /// The built-in echo.
  public static NewRun echo(int events, int intervalMillis) {
    return new NewRun(
        "echo",
        "A line of about eighty bytes, as a model's delta has when words are gathered up.",
        null,
        null,
        null,
        Map.of(
            "backend.echo.events", IntNode.valueOf(events),
            "backend.echo.interval_millis", IntNode.valueOf(intervalMillis)),
        Map.of(),
        Map.of());
  }

  @Override
  public void close() {
    client.close();
  }
}
