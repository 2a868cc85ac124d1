package dev.runyard.testkit.agentcommunication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.needs.NeedsStandards;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Bodies that are right and wrong: our schema tells them apart, and as the protocol's file does.
final class AcpSchemasTest {
  private static final String GOOD = "good";
  private static final String BAD = "bad";

  @Test
  void ourSchemaDistinguishesRightFromWrong() throws Exception {
    for (JsonNode example : examples()) {
      assertEquals(
          example.path("verdict").textValue().equals(GOOD),
          AcpSchemas.ownErrors(schema(example), example.path("body")).isEmpty(),
          example::toString);
    }
  }

  @Test
  @NeedsStandards
  void theProtocolsFileAgrees() throws Exception {
    for (JsonNode example : examples()) {
      assertEquals(
          !example.path("verdict").textValue().equals(BAD),
          AcpOpenApi.errors(schema(example), example.path("body")).isEmpty(),
          example::toString);
    }
    assertEquals(new TreeSet<>(AcpOpenApi.operations()), new TreeSet<>(AcpSchemas.operations()));
  }

  private static String schema(JsonNode example) {
    return example.path("schema").textValue();
  }

  private static List<JsonNode> examples() throws IOException, URISyntaxException {
    URL file = Objects.requireNonNull(AcpSchemasTest.class.getResource("answers.jsonl"));
    List<JsonNode> examples = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(file.toURI()))) {
      examples.add(JsonFormat.JSON.readTree(line));
    }
    return examples;
  }
}
