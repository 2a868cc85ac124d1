package dev.runyard.local.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScriptedModelServerTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ConcurrentLinkedQueue<ModelExchange> exchanges = new ConcurrentLinkedQueue<>();
  private final HttpClient client = HttpClient.newHttpClient();
  private final ScriptedModelServer server;

  ScriptedModelServerTest() {
    server = ScriptedModelServer.start(0, exchanges::add);
  }

  @Test
  void listensOnLoopbackOnly() {
    assertEquals("127.0.0.1", server.baseUrl().getHost());
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    server.close();
  }

  @Test
  void listsItsModel() throws Exception {
    URI models = URI.create(server.baseUrl() + "/models");
    var response =
        client.send(HttpRequest.newBuilder(models).build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(
        ScriptedModelServer.MODEL, JSON.readTree(response.body()).at("/data/0/id").asText());
  }

  @Test
  void streamsATextInOrder() throws Exception {
    HttpResponse<String> response = post(request("[[slow 3 1]] [[usage 7 5 2 1]]"));
    assertEquals(200, response.statusCode());
    List<JsonNode> events = events(response.body());
    assertEquals(
        List.of(
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.delta",
            "response.output_text.delta",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response.completed"),
        events.stream().map(event -> event.path("type").asText()).toList());
    assertEquals(
        IntStream.range(0, events.size()).boxed().toList(),
        events.stream().map(event -> event.path("sequence_number").asInt()).toList());
    assertEquals("1 2 3", deltas(events));
    JsonNode usage = events.getLast().at("/response/usage");
    assertEquals(7, usage.path("input_tokens").asInt());
    assertEquals(2, usage.at("/input_tokens_details/cached_tokens").asInt());
    assertEquals(1, usage.at("/output_tokens_details/reasoning_tokens").asInt());
    assertEquals(12, usage.path("total_tokens").asInt());
  }

  @Test
  void callsTheOfferedToolThenAnswersItsResult() throws Exception {
    ObjectNode request = request("[[think Look]] [[sh ls]] [[say Seen]]");
    request
        .putArray("tools")
        .addObject()
        .put("type", "function")
        .put("name", "exec_command")
        .putObject("parameters")
        .putObject("properties")
        .putObject("cmd")
        .put("type", "string");
    JsonNode output = events(post(request).body()).getLast().at("/response/output");
    assertEquals("Look", output.at("/0/summary/0/text").asText());
    assertEquals("function_call", output.at("/1/type").asText());
    assertEquals("{\"cmd\":\"ls\"}", output.at("/1/arguments").asText());

    var input = request.withArray("/input");
    output.forEach(input::add);
    input
        .addObject()
        .put("type", "function_call_output")
        .put("call_id", output.at("/1/call_id").asText())
        .put("output", "a b");
    assertEquals("Seen", deltas(events(post(request).body())));
    assertEquals(
        List.of(
            "model step 0: [[think Look]] [[sh ls]] -> TOOL_CALL",
            "model step 1: [[say Seen]] -> TEXT"),
        exchanges.stream().map(ModelExchange::line).toList());
  }

  @Test
  void answersWithoutAStream() throws Exception {
    ObjectNode request = request("[[say Whole]]").put("stream", false);
    JsonNode body = JSON.readTree(post(request).body());
    assertEquals("completed", body.path("status").asText());
    assertEquals("Whole", body.at("/output/0/content/0/text").asText());
  }

  @Test
  void failsAsManyTimesAsAskedThenContinues() throws Exception {
    ObjectNode request = request("[[status 503 x2]] [[say Back]]");
    assertEquals(503, post(request).statusCode());
    HttpResponse<String> second = post(request);
    assertEquals(503, second.statusCode());
    assertEquals("server_is_overloaded", JSON.readTree(second.body()).at("/error/code").asText());
    assertEquals("Back", deltas(events(post(request).body())));
    assertEquals(List.of(0, 1, 2), exchanges.stream().map(ModelExchange::attempt).toList());
  }

  @Test
  void reportsAFailureInsideTheStream() throws Exception {
    JsonNode last = events(post(request("[[fail insufficient_quota]]")).body()).getLast();
    assertEquals("response.failed", last.path("type").asText());
    assertEquals("insufficient_quota", last.at("/response/error/code").asText());
  }

  @Test
  void breaksTheConnectionOnADrop() {
    assertThrows(IOException.class, () -> post(request("[[say half]] [[drop]]")));
  }

  @Test
  void keepsAHangingStreamOpenUntilItCloses() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    CompletableFuture<HttpResponse<Void>> hanging =
        client.sendAsync(
            posting(request("[[say Working]] [[hang]]")),
            HttpResponse.BodyHandlers.fromLineSubscriber(new LineWatch("Working", seen)));
    assertTrue(seen.await(TestPatience.LONG_SECONDS, TimeUnit.SECONDS));
    assertFalse(hanging.isDone());
    server.close();
    assertThrows(
        ExecutionException.class, () -> hanging.get(TestPatience.LONG_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void servesManyConversationsAtOnce() {
    int conversations = 64;
    List<CompletableFuture<String>> replies = new ArrayList<>();
    for (int i = 0; i < conversations; i++) {
      ObjectNode request = request("[[status 500 x1]] [[slow 5 2|reply " + i + "]]");
      request.put("prompt_cache_key", "conversation-" + i);
      replies.add(
          client
              .sendAsync(posting(request), HttpResponse.BodyHandlers.ofString())
              .thenCompose(
                  _ -> client.sendAsync(posting(request), HttpResponse.BodyHandlers.ofString()))
              .thenApply(response -> deltas(events(response.body()))));
    }
    assertEquals(
        IntStream.range(0, conversations).mapToObj(i -> "reply " + i).toList(),
        replies.stream().map(CompletableFuture::join).toList());
    assertEquals(2 * conversations, exchanges.size());
  }

  @Test
  void refusesWhatItCannotAnswer() throws Exception {
    assertEquals(400, post("not json").statusCode());
    assertEquals(400, post("{\"model\":\"m\"}").statusCode());
    assertEquals(
        400, post(request("[[say x]]").put("previous_response_id", "resp_1")).statusCode());
    URI below = URI.create(server.baseUrl() + "/responses/other");
    HttpRequest other =
        HttpRequest.newBuilder(below).POST(HttpRequest.BodyPublishers.ofString("{}")).build();
    assertEquals(404, client.send(other, HttpResponse.BodyHandlers.discarding()).statusCode());
    HttpRequest get = HttpRequest.newBuilder(URI.create(server.baseUrl() + "/responses")).build();
    assertEquals(405, client.send(get, HttpResponse.BodyHandlers.discarding()).statusCode());
    assertTrue(exchanges.isEmpty());
  }

  private static ObjectNode request(String prompt) {
    ObjectNode request = JSON.createObjectNode().put("model", "m").put("stream", true);
    request
        .putArray("input")
        .addObject()
        .put("type", "message")
        .put("role", "user")
        .putArray("content")
        .addObject()
        .put("type", "input_text")
        .put("text", prompt);
    return request;
  }

  private HttpResponse<String> post(Object body) throws IOException, InterruptedException {
    return client.send(posting(body), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest posting(Object body) {
    return HttpRequest.newBuilder(URI.create(server.baseUrl() + "/responses"))
        .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
        .build();
  }

  private static List<JsonNode> events(String stream) {
    List<JsonNode> events = new ArrayList<>();
    String event = "";
    for (String line : stream.lines().toList()) {
      if (line.startsWith("event: ")) {
        event = line.substring("event: ".length());
      } else if (line.startsWith("data: ")) {
        JsonNode data = json(line.substring("data: ".length()));
        assertEquals(event, data.path("type").asText());
        events.add(data);
      }
    }
    return events;
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String deltas(List<JsonNode> events) {
    return events.stream()
        .filter(event -> event.path("type").asText().equals("response.output_text.delta"))
        .map(event -> event.path("delta").asText())
        .collect(Collectors.joining());
  }
}
