package dev.runyard.system.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.local.model.ModelExchange;
import dev.runyard.system.Api;
import dev.runyard.system.SystemStack;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// One kind of agent on a stack, for a client that knows only HTTP.
final class Stand {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final AtomicInteger MARKS = new AtomicInteger(900_000);

  private final Subject subject;
  private final SystemStack stack;
  private final Exchanges exchanges;
  private final Path folder;
  private final JsonNode manifest;
  private final Map<String, String> kept;

  /// @param kept what trials leave for each other
  Stand(
      Subject subject,
      SystemStack stack,
      Exchanges exchanges,
      Path folder,
      Map<String, String> kept)
      throws IOException, InterruptedException {
    this.subject = subject;
    this.stack = stack;
    this.exchanges = exchanges;
    this.folder = folder;
    this.kept = kept;
    this.manifest = stack.api().get("/v1/agents/" + subject.kind()).json();
  }

  Subject subject() {
    return subject;
  }

  Api api() {
    return stack.api();
  }

  /// A file that does not exist, outside of every workspace.
  Path mark(String name) {
    return folder.resolve(subject.kind() + "-" + name);
  }

  boolean offers(String capability) {
    return offers("capabilities", capability);
  }

  /// Whether only interactive runs have it.
  boolean offersInteractive(String capability) {
    return offers("interactive_capabilities", capability);
  }

  private boolean offers(String member, String capability) {
    for (JsonNode offered : manifest.path(member)) {
      if (offered.asText().equals(capability)) {
        return true;
      }
    }
    return false;
  }

  /// Values that an earlier trial left for a later one.
  Map<String, String> kept() {
    return kept;
  }

  /// Submits a run whose tools may do anything.
  String submit(String prompt) throws IOException, InterruptedException {
    return submit(prompt, subject.permitted(), "");
  }

  /// Submits a run.
  ///
  /// @param extensions members of `extensions`
  /// @param more members of the request
  String submit(String prompt, String extensions, String more)
      throws IOException, InterruptedException {
    return api().run(body(prompt, extensions, more));
  }

  String body(String prompt, String extensions, String more) {
    return "{\"agent\":\"%s\",\"prompt\":%s,\"extensions\":{%s}%s}"
        .formatted(
            subject.kind(),
            Api.JSON.getNodeFactory().textNode(prompt),
            extensions,
            more.isEmpty() ? "" : "," + more);
  }

  Ran run(String prompt) throws IOException, InterruptedException {
    return ended(submit(prompt));
  }

  /// The end of a run that is meant to fail with the code.
  Ran failed(String id, String code) throws IOException, InterruptedException {
    stack.mayFail(id, code);
    return ended(id);
  }

  Ran ended(String id) throws IOException, InterruptedException {
    JsonNode view = api().ended(id);
    return new Ran(id, view, api().all(id, 1_000));
  }

  /// The events of a run so far.
  List<JsonNode> events(String id) throws IOException, InterruptedException {
    List<JsonNode> events = new ArrayList<>();
    api().get("/v1/runs/" + id + "/events?limit=1000").json().path("events").forEach(events::add);
    return events;
  }

  /// A directive that no other prompt has.
  static String unique() {
    return "[[usage %d 1]]".formatted(MARKS.incrementAndGet());
  }

  /// Waits until the model was asked for the step with this directive, or the run ended.
  boolean awaitModel(String id, String directive) throws IOException, InterruptedException {
    while (exchanges(directive).findAny().isEmpty()) {
      if (api().view(id).path("closed").asBoolean()) {
        return false;
      }
      aMoment();
    }
    return true;
  }

  /// Waits until the agent took an input, or the run ended.
  void awaitInput(String id) throws IOException, InterruptedException {
    while (!Api.types(events(id)).contains("process.input")
        && !api().view(id).path("closed").asBoolean()) {
      aMoment();
    }
  }

  /// The requests to the model with a directive.
  Stream<ModelExchange> exchanges(String directive) {
    return exchanges.stream().filter(each -> each.directive().contains(directive));
  }

  /// Holds the model's answers to the step with a directive back.
  Exchanges.Hold hold(String directive) {
    return exchanges.hold(directive);
  }

  Api.Answer say(String id, String content) throws IOException, InterruptedException {
    String text = Objects.toString(Api.JSON.getNodeFactory().textNode(content));
    return api()
        .send(
            api()
                .request("/v1/runs/" + id + "/messages")
                .header("Content-Type", Api.TYPE)
                .POST(BodyPublishers.ofString("{\"content\":" + text + "}")));
  }

  static void aMoment() {
    LockSupport.parkNanos(LOOK_NANOS);
  }

  /// A run that ended.
  record Ran(String id, JsonNode view, List<JsonNode> events) {
    String status() {
      return view.path("status").asText();
    }

    String code() {
      return view.path("error").path("code").asText("");
    }

    String text() {
      return view.path("final_text").asText("").strip();
    }

    List<JsonNode> payloads(String type) {
      return events.stream()
          .filter(event -> event.path("type").asText().equals(type))
          .map(event -> event.path("payload"))
          .toList();
    }

    String nativeSession() {
      List<JsonNode> told = payloads("session.updated");
      return told.isEmpty() ? "" : told.getFirst().path("nativeSessionId").asText();
    }

    String end() {
      return code().isEmpty() ? status() : status() + " with `" + code() + "`";
    }
  }
}
