package dev.runyard.functions.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.testkit.openapi.SameApi;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What was described once stays: the description is compared with the one that was published
/// before, `openapi/published.json`, which a release replaces.
final class SameApiTest {
  private static final Path PUBLISHED =
      Path.of("src", "test", "resources", "openapi", "published.json");

  @Test
  void clientsOfThePublishedDescriptionGoOn() throws IOException {
    JsonNode published = JsonFormat.JSON.readTree(PUBLISHED.toFile());

    assertEquals(List.of(), SameApi.broken(published, ApiDocument.json()));
  }

  @Test
  void whatIsAddedBreaksNothing() {
    ObjectNode more = ApiDocument.json();
    ((ObjectNode) more.path("paths"))
        .putObject("/v1/more")
        .putObject("get")
        .put("operationId", "m");
    more.withObject("/components/schemas/Run/properties").putObject("more").put("type", "string");
    ((ArrayNode) more.at("/components/schemas/Run/required")).add("more");
    more.withObject("/components/schemas/SubmitRun/properties").putObject("more");
    more.withObject("/components/schemas/SubmitRun/properties/prompt").put("maxLength", 1 << 20);

    assertEquals(List.of(), SameApi.broken(ApiDocument.json(), more));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /paths                                          | /v1/agents  | GET /v1/agents went
          /paths/~1v1~1runs                               | get         | GET /v1/runs went
          /paths/~1v1~1runs/post/responses                | 202         | POST /v1/runs 202 went
          /components/schemas/Run/properties              | exit        | /exit went
          /components/schemas/SubmitRun/properties        | tags        | /tags went
          /paths/~1v1~1runs/get                           | parameters  | status went
          /paths/~1v1~1runs~1{id}~1events/get/responses/200/content | text/event-stream | is no text/event-stream any more
          """)
  void namesWhatWent(String at, String member, String named) {
    ObjectNode less = ApiDocument.json();
    ((ObjectNode) less.at(at)).remove(member);

    assertNamed(less, named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /components/schemas/SubmitRun               | required  | ["agent","prompt","tags"] | /tags is needed
          /components/schemas/Run                     | required  | ["run_id"]                | /exit may be absent
          /components/schemas/SubmitRun/properties/prompt | maxLength | 9                     | has a lower maxLength
          /components/schemas/SubmitRun/properties/timeout_seconds | minimum | 9              | has a higher minimum
          /components/schemas/SubmitRun/properties/timeout_seconds | type | "integer"         | was
          /components/schemas/Run/properties/final_text | type     | ["string","null","object"] | was
          /components/schemas/SessionId               | pattern   | "^a$"                     | has another pattern
          /components/schemas/OrderUpload/properties/format | enum | ["zip"]                  | takes fewer values
          /paths/~1v1~1agents/get                     | security  | []                        | needs another scope
          """)
  void namesWhatChanged(String at, String member, String value, String named) throws IOException {
    ObjectNode other = ApiDocument.json();
    ((ObjectNode) other.at(at)).set(member, JsonFormat.JSON.readTree(value));

    assertNamed(other, named);
  }

  private static void assertNamed(JsonNode other, String named) {
    List<String> broken = SameApi.broken(ApiDocument.json(), other);

    assertTrue(broken.stream().anyMatch(change -> change.contains(named)), broken::toString);
  }
}
