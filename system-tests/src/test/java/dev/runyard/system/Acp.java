package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.testkit.agentcommunication.AcpSchemas;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;

/// The calls of the Agent Communication Protocol, as its clients make them. Every response is
/// checked against the protocol's own definition.
record Acp(Api api) {
  private static final String MESSAGE =
      "{\"role\":\"user\",\"parts\":[{\"content_type\":\"text/plain\",\"content\":\"%s\"}]}";

  static String create(String agent, String mode) {
    return "{\"agent_name\":\"%s\",\"input\":[%s],\"mode\":\"%s\"}"
        .formatted(agent, MESSAGE.formatted("hello"), mode);
  }

  static String resume(String mode) {
    return "{\"await_resume\":{\"type\":\"message\",\"message\":%s},\"mode\":\"%s\"}"
        .formatted(MESSAGE.formatted("go on"), mode);
  }

  /// Begins a run whose agent asks, waits until it does, and returns the run's id.
  String awaiting(String agent) throws IOException, InterruptedException {
    JsonNode run = answered(200, "/runs", create(agent, "sync"));
    assertEquals("awaiting", run.path("status").asText(), run::toString);
    assertEquals("message", run.at("/await_request/type").asText());
    return run.path("run_id").asText();
  }

  JsonNode run(String id) throws IOException, InterruptedException {
    Api.Answer answer = api.get("/runs/" + id);
    assertEquals(200, answer.status(), answer.json()::toString);
    AcpSchemas.check("Run", answer.json());
    return answer.json();
  }

  /// The error of a refused call.
  JsonNode refused(int status, String path, String body) throws IOException, InterruptedException {
    Api.Answer answer = api.post(path, body);
    assertEquals(status, answer.status(), answer.json()::toString);
    AcpSchemas.check("Error", answer.json());
    return answer.json();
  }

  /// Resumes and waits until the run ends or awaits again.
  JsonNode resumeSync(String id) throws IOException, InterruptedException {
    return answered(200, "/runs/" + id, resume("sync"));
  }

  JsonNode resumeAsync(String id) throws IOException, InterruptedException {
    return answered(202, "/runs/" + id, resume("async"));
  }

  /// Resumes and reads the stream to its end.
  List<JsonNode> resumeStream(String id) throws IOException, InterruptedException {
    String body =
        api.text(
            api.request("/runs/" + id)
                .header("Content-Type", Api.TYPE)
                .POST(BodyPublishers.ofString(resume("stream"))));
    List<JsonNode> events = new ArrayList<>();
    for (String frame : body.split("\n\n", -1)) {
      if (frame.startsWith("data: ")) {
        JsonNode event = Api.JSON.readTree(frame.substring("data: ".length()));
        AcpSchemas.check("Event", event);
        events.add(event);
      } else {
        assertTrue(frame.isEmpty() || frame.equals(":"), frame);
      }
    }
    return events;
  }

  /// The texts of a run's output.
  static List<String> texts(JsonNode run) {
    List<String> texts = new ArrayList<>();
    run.path("output")
        .forEach(message -> message.path("parts").forEach(part -> texts.add(content(part))));
    return texts;
  }

  private static String content(JsonNode part) {
    return part.path("content").asText();
  }

  private JsonNode answered(int status, String path, String body)
      throws IOException, InterruptedException {
    Api.Answer answer = api.post(path, body);
    assertEquals(status, answer.status(), answer.json()::toString);
    AcpSchemas.check("Run", answer.json());
    return answer.json();
  }
}
