package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.TaskWaiting;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.interaction.Question;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.message.Message;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.transcript.MessageEvents;
import dev.runyard.testkit.agentcommunication.AcpSchemas;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Calls the server as clients of the protocol do, and does what a runner and its agent would.
final class AcpRig implements AutoCloseable {
  static final String NO_RUN = "019a0000-0000-7000-8000-000000000009";
  private static final String MESSAGE =
      "{\"role\":\"user\",\"parts\":[{\"content_type\":\"text/plain\",\"content\":\"hi\"}]}";

  final StreamRig stream = new StreamRig();

  @Override
  public void close() {
    stream.close();
  }

  static String create(String mode) {
    return "{\"agent_name\":\"echo\",\"input\":[%s],\"mode\":\"%s\"}".formatted(MESSAGE, mode);
  }

  /// A request that begins a run, with these additional members.
  static String in(String members) throws IOException {
    ObjectNode body = (ObjectNode) JsonFormat.JSON.readTree(create("sync"));
    body.setAll((ObjectNode) JsonFormat.JSON.readTree(members));
    return body.toString();
  }

  static String resume(String mode) {
    return "{\"await_resume\":{\"type\":\"message\",\"message\":%s},\"mode\":\"%s\"}"
        .formatted(MESSAGE, mode);
  }

  HttpRequest post(String path, String body) {
    return stream
        .request(path)
        .header("Content-Type", "application/json")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  CompletableFuture<HttpResponse<String>> posted(String path, String body) {
    return stream.client().sendAsync(post(path, body), BodyHandlers.ofString());
  }

  static JsonNode json(String schema, HttpResponse<String> response) throws IOException {
    JsonNode body = JsonFormat.JSON.readTree(response.body());
    AcpSchemas.check(schema, body);
    return body;
  }

  /// The run in the queue, claimed by a runner whose agent has begun.
  RunKey claimed() {
    RunKey run = stream.twins.queue.runs().getFirst();
    stream
        .twins
        .runs()
        .execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", stream.twins.clock.instant()));
    stream.twins.report(run, new RunEvent.ProcessStarted("p-1", "echo"));
    return run;
  }

  void says(RunKey run, String text) {
    stream.twins.report(
        run, MessageEvents.whole(Message.text("agent/echo", text)).toArray(RunEvent[]::new));
  }

  void asks(RunKey run) {
    asks(run, Question.of(ActionId.of(run, 1), ActionType.MESSAGE, ""));
  }

  /// Asks for one of these answers.
  void asks(RunKey run, String... choices) {
    asks(
        run,
        new Question(
            ActionId.of(run, 1), ActionType.QUESTION, "Which?", null, List.of(choices), 0, null));
  }

  private void asks(RunKey run, Question question) {
    stream.twins.report(
        run,
        question.asked(stream.twins.clock.instant()),
        new TaskWaiting(ActionId.of(run, 1), "waiting_input"));
  }

  RunKey awaiting() throws Exception {
    json("Run", posted("/runs", create("async")).get());
    RunKey run = claimed();
    asks(run);
    return run;
  }

  /// The events of a stream, past comments.
  static List<JsonNode> events(String stream) throws IOException {
    List<JsonNode> events = new ArrayList<>();
    for (String frame : stream.split("\n\n", -1)) {
      if (frame.startsWith("data: ")) {
        JsonNode event = JsonFormat.JSON.readTree(frame.substring(6));
        AcpSchemas.check("Event", event);
        events.add(event);
      } else {
        assertTrue(frame.isEmpty() || frame.equals(":"), frame);
      }
    }
    return events;
  }

  static List<String> types(List<JsonNode> events) {
    return events.stream().map(event -> event.path("type").asText()).toList();
  }
}
