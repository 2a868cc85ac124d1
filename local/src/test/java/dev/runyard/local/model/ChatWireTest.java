package dev.runyard.local.model;

import static dev.runyard.local.model.WireClient.joined;
import static dev.runyard.local.model.WireClient.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ChatWireTest {
  private static final String PATH = "/v1/chat/completions";
  private static final String BASH =
      "{'type':'function','function':{'name':'bash','parameters':"
          + "{'properties':{'command':{'type':'string'}}}}}";

  private final WireClient client;

  ChatWireTest() {
    client = new WireClient();
  }

  @AfterEach
  void stop() {
    client.close();
  }

  @Test
  void streamsATextAndItsUsageWhenAsked() throws Exception {
    ObjectNode request = request("[[think Look]] [[slow 3 1]] [[usage 7 5 2 1]]");
    List<JsonNode> events = client.events(PATH, request);
    assertEquals("1 2 3", joined(events, "/choices/0/delta/content"));
    assertEquals("Look", joined(events, "/choices/0/delta/reasoning_content"));
    assertEquals("stop", events.getLast().at("/choices/0/finish_reason").asText());

    request.putObject("stream_options").put("include_usage", true);
    JsonNode usage = client.events(PATH, request).getLast().path("usage");
    assertEquals(7, usage.path("prompt_tokens").asInt());
    assertEquals(5, usage.path("completion_tokens").asInt());
    assertEquals(2, usage.at("/prompt_tokens_details/cached_tokens").asInt());
    assertTrue(client.post(PATH, request).body().endsWith("data: [DONE]\n\n"));
  }

  @Test
  void callsAToolThenAnswersItsResult() throws Exception {
    ObjectNode request = request("[[sh ls]] [[say Seen]]");
    request.putArray("tools").add(json(BASH));
    List<JsonNode> events = client.events(PATH, request);
    String call = "/choices/0/delta/tool_calls/0";
    assertEquals("bash", joined(events, call + "/function/name"));
    assertEquals("{\"command\":\"ls\"}", joined(events, call + "/function/arguments"));
    assertEquals("tool_calls", events.getLast().at("/choices/0/finish_reason").asText());
    String id = joined(events, call + "/id");
    request.withArray("/messages").add(json("{'role':'assistant','content':null}"));
    request
        .withArray("/messages")
        .add(json("{'role':'tool','tool_call_id':'" + id + "','content':'a b'}"));
    assertEquals("Seen", joined(client.events(PATH, request), "/choices/0/delta/content"));
  }

  @Test
  void answersWithoutAStreamAndInTheShapeAskedFor() throws Exception {
    ObjectNode request = request("[[think t]] [[sh ls]]").put("stream", false);
    request.putArray("tools").add(json(BASH));
    JsonNode message = client.whole(PATH, request).at("/choices/0/message");
    assertEquals("t", message.path("reasoning_content").asText());
    assertEquals("bash", message.at("/tool_calls/0/function/name").asText());
    request.remove("tools");
    request.set(
        "response_format",
        json(
            "{'type':'json_schema','json_schema':{'schema':{'type':'object','required':['kind'],"
                + "'properties':{'kind':{'enum':['a','b']}}}}}"));
    assertEquals(
        "{\"kind\":\"a\"}", client.whole(PATH, request).at("/choices/0/message/content").asText());
  }

  @Test
  void distinguishesConversationsByTheirInstructions() throws Exception {
    ObjectNode first = request("[[status 500 x1]] [[say Back]]");
    ObjectNode second = request("[[status 500 x1]] [[say Back]]");
    second.withArray("/messages").insert(0, json("{'role':'system','content':'Work in /b'}"));
    assertEquals(500, client.post(PATH, first).statusCode());
    assertEquals(500, client.post(PATH, second).statusCode());
    assertEquals("Back", joined(client.events(PATH, first), "/choices/0/delta/content"));
  }

  @Test
  void failsAsTheProviderWould() throws Exception {
    HttpResponse<String> refused = client.post(PATH, request("[[status 402]]"));
    assertEquals(402, refused.statusCode());
    JsonNode error = WireClient.JSON.readTree(refused.body());
    assertEquals("insufficient_quota", error.at("/error/code").asText());
    List<JsonNode> events = client.events(PATH, request("[[fail server_error]]"));
    assertEquals("server_error", events.getLast().at("/error/code").asText());
    assertEquals(400, client.post(PATH, json("{}")).statusCode());
    assertThrows(IOException.class, () -> client.events(PATH, request("[[drop]]")));
  }

  private static ObjectNode request(String prompt) throws IOException {
    ObjectNode request = json("{'model':'m','stream':true}");
    request.putArray("messages").addObject().put("role", "user").put("content", prompt);
    return request;
  }
}
