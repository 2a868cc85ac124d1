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

final class GeminiWireTest {
  private static final String MODEL = "/v1beta/models/gemini-x:";
  private static final String STREAM = MODEL + "streamGenerateContent?alt=sse";
  private static final String WHOLE = MODEL + "generateContent";
  private static final String PARTS = "/candidates/0/content/parts/0";
  private static final String SHELL =
      "{'functionDeclarations':[{'name':'run_shell_command','parametersJsonSchema':"
          + "{'properties':{'command':{'type':'string'}}}}]}";

  private final WireClient client;

  GeminiWireTest() {
    client = new WireClient();
  }

  @AfterEach
  void stop() {
    client.close();
  }

  @Test
  void streamsPiecesAndTheUsageLast() throws Exception {
    List<JsonNode> events =
        client.events(STREAM, request("[[think Look]] [[slow 2 1]] [[usage 7 5 2 1]]"));
    assertEquals("Look1 2", joined(events, PARTS + "/text"));
    assertEquals("true", joined(events, PARTS + "/thought"));
    JsonNode last = events.getLast();
    assertEquals("STOP", last.at("/candidates/0/finishReason").asText());
    assertEquals("gemini-x", last.path("modelVersion").asText());
    JsonNode usage = last.path("usageMetadata");
    assertEquals(7, usage.path("promptTokenCount").asInt());
    assertEquals(4, usage.path("candidatesTokenCount").asInt());
    assertEquals(1, usage.path("thoughtsTokenCount").asInt());
    assertEquals(12, usage.path("totalTokenCount").asInt());
  }

  @Test
  void callsAToolThenAnswersItsResult() throws Exception {
    ObjectNode request = request("[[sh ls]] [[say Seen]]");
    request.putArray("tools").add(json(SHELL));
    List<JsonNode> events = client.events(STREAM, request);
    assertEquals("run_shell_command", joined(events, PARTS + "/functionCall/name"));
    assertEquals("ls", joined(events, PARTS + "/functionCall/args/command"));
    request.withArray("/contents").add(json("{'role':'model','parts':[]}"));
    request
        .withArray("/contents")
        .add(
            json(
                "{'role':'user','parts':[{'functionResponse':{'name':'run_shell_command',"
                    + "'response':{'output':'a b'}}}]}"));
    assertEquals("Seen", joined(client.events(STREAM, request), PARTS + "/text"));
  }

  @Test
  void answersTheRoutersQuestionInItsShape() throws Exception {
    ObjectNode request = request("[[sh ls]]");
    request.set(
        "generationConfig",
        json(
            "{'responseMimeType':'application/json','responseJsonSchema':{'type':'object',"
                + "'required':['reasoning','model_choice'],'properties':{'reasoning':"
                + "{'type':'string'},'model_choice':{'type':'string','enum':['flash','pro']}}}}"));
    assertEquals(
        "{\"reasoning\":\"scripted\",\"model_choice\":\"flash\"}",
        client.whole(WHOLE, request).at(PARTS + "/text").asText());
  }

  @Test
  void countsTokensAndAnswersWithoutAStream() throws Exception {
    assertEquals(
        request("Hi").toString().length() / 4,
        client.whole(MODEL + "countTokens", request("Hi")).path("totalTokens").asInt());
    assertEquals(
        "Whole", client.whole(WHOLE, request("[[say Whole]]")).at(PARTS + "/text").asText());
  }

  @Test
  void failsAsTheProviderWould() throws Exception {
    HttpResponse<String> refused = client.post(STREAM, request("[[status 429]]"));
    assertEquals(429, refused.statusCode());
    JsonNode error = WireClient.JSON.readTree(refused.body());
    assertEquals("RESOURCE_EXHAUSTED", error.at("/error/status").asText());
    assertEquals(400, client.post(WHOLE, json("{}")).statusCode());
    assertEquals(404, client.post(MODEL + "embedContent", json("{}")).statusCode());
    assertThrows(IOException.class, () -> client.events(STREAM, request("[[drop]]")));
  }

  private static ObjectNode request(String prompt) throws IOException {
    ObjectNode request = json("{}");
    request
        .putArray("contents")
        .addObject()
        .put("role", "user")
        .putArray("parts")
        .addObject()
        .put("text", prompt);
    return request;
  }
}
