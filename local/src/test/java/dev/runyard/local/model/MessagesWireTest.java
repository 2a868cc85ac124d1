package dev.runyard.local.model;

import static dev.runyard.local.model.WireClient.joined;
import static dev.runyard.local.model.WireClient.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MessagesWireTest {
  private static final String PATH = "/v1/messages";
  private static final String BASH =
      "{'name':'Bash','input_schema':{'properties':{'command':{'type':'string'}}}}";

  private final WireClient client;

  MessagesWireTest() {
    client = new WireClient();
  }

  @AfterEach
  void stop() {
    client.close();
  }

  @Test
  void streamsBlocksInOrder() throws Exception {
    List<JsonNode> events =
        client.events(PATH, request("[[think Look]] [[slow 2 1]] [[usage 7 5 2]]"));
    assertEquals(
        List.of(
            "message_start",
            "content_block_start",
            "content_block_delta",
            "content_block_delta",
            "content_block_stop",
            "content_block_start",
            "content_block_delta",
            "content_block_delta",
            "content_block_stop",
            "message_delta",
            "message_stop"),
        events.stream().map(event -> event.path("type").asText()).toList());
    assertEquals("Look", joined(events, "/delta/thinking"));
    assertEquals("1 2", joined(events, "/delta/text"));
    JsonNode started = events.getFirst().at("/message/usage");
    assertEquals(5, started.path("input_tokens").asInt());
    assertEquals(2, started.path("cache_read_input_tokens").asInt());
    JsonNode end = events.get(events.size() - 2);
    assertEquals("end_turn", end.at("/delta/stop_reason").asText());
    assertEquals(5, end.at("/usage/output_tokens").asInt());
  }

  @Test
  void hearsWhatAPersonSaysAmidAConversation() throws Exception {
    ObjectNode request = request("[[sh ls]] [[say Seen]]");
    request.putArray("tools").add(json(BASH));
    request.withArray("/messages").add(json("{'role':'assistant','content':[]}"));
    request
        .withArray("/messages")
        .add(json("{'role':'user','content':[{'type':'tool_result','content':'x'}]}"))
        .add(json("{'role':'system','content':'A new message:\\n[[say Heard]]\\nMind it.'}"));

    assertEquals("Heard", joined(client.events(PATH, request), "/delta/text"));
  }

  @Test
  void callsAToolThenAnswersItsResult() throws Exception {
    ObjectNode request = request("[[sh ls]] [[say Seen]]");
    request.putArray("tools").add(json(BASH));
    List<JsonNode> events = client.events(PATH, request);
    assertEquals("Bash", joined(events, "/content_block/name"));
    assertEquals("{\"command\":\"ls\"}", joined(events, "/delta/partial_json"));
    assertEquals("tool_use", joined(events, "/delta/stop_reason"));
    request.withArray("/messages").add(json("{'role':'assistant','content':[]}"));
    request
        .withArray("/messages")
        .add(
            json(
                "{'role':'user','content':[{'type':'tool_result','content':'a b'},"
                    + "{'type':'text','text':'a note the agent adds'}]}"));
    assertEquals("Seen", joined(client.events(PATH, request), "/delta/text"));
  }

  @Test
  void findsTheScriptAmongMergedTextsAndIgnoresSystemMessages() throws Exception {
    ObjectNode request = request("[[say old]]");
    request
        .withArray("/messages")
        .add(
            json(
                "{'role':'user','content':[{'type':'text','text':'[[say new]]'},"
                    + "{'type':'text','text':'<note>'}]}"));
    request.withArray("/messages").add(json("{'role':'system','content':'[[say no]]'}"));
    assertEquals("new", joined(client.events(PATH, request), "/delta/text"));
  }

  @Test
  void answersWithoutAStreamAndInTheShapeAskedFor() throws Exception {
    ObjectNode request = request("[[think t]] [[say Whole]]").put("stream", false);
    JsonNode message = client.whole(PATH, request);
    assertEquals("thinking", message.at("/content/0/type").asText());
    assertEquals("Whole", message.at("/content/1/text").asText());
    request.set(
        "output_config",
        json(
            "{'format':{'type':'json_schema','schema':{'type':'object','required':['title'],"
                + "'properties':{'title':{'type':'string'}}}}}"));
    assertEquals(
        "{\"title\":\"scripted\"}", client.whole(PATH, request).at("/content/0/text").asText());
  }

  @Test
  void failsAsTheProviderWould() throws Exception {
    HttpResponse<String> refused = client.post(PATH, request("[[status 401]]"));
    assertEquals(401, refused.statusCode());
    JsonNode error = WireClient.JSON.readTree(refused.body());
    assertEquals("authentication_error", error.at("/error/type").asText());
    List<JsonNode> events = client.events(PATH, request("[[say x]] [[fail overloaded_error]]"));
    assertEquals("overloaded_error", events.getLast().at("/error/type").asText());
    assertEquals(400, client.post(PATH, json("{}")).statusCode());
    assertEquals(404, client.post(PATH + "/batches", json("{}")).statusCode());
    assertThrows(IOException.class, () -> client.events(PATH, request("[[drop]]")));
  }

  @Test
  void countsTokensAndSaysHello() throws Exception {
    JsonNode count = client.whole(PATH + "/count_tokens", request("Hello"));
    assertEquals(request("Hello").toString().length() / 4, count.path("input_tokens").asInt());
    assertEquals(200, client.send("HEAD", "/").statusCode());
    assertEquals(200, client.send("HEAD", "/api/hello").statusCode());
    assertEquals(404, client.send("GET", "/elsewhere").statusCode());
    assertEquals(
        "claude-x",
        WireClient.JSON
            .readTree(client.send("GET", "/v1/models/claude-x").body())
            .path("id")
            .asText());
  }

  private static ObjectNode request(String prompt) throws IOException {
    ObjectNode request = json("{'model':'m','max_tokens':64,'stream':true}");
    request.putArray("messages").addObject().put("role", "user").put("content", prompt);
    return request;
  }
}
