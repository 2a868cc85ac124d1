package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.Grants;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.needs.NeedsStandards;
import dev.runyard.needs.Standards;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The order and the messages of refusals, before anything is started.
final class ExtensionVectorsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;
  private final RecordingBackend backend =
      new RecordingBackend(AgentCatalog.builtIn().find("codex").orElseThrow());
  private final AgentGateway gateway = new AgentGateway(List.of(backend));

  static Stream<JsonNode> own() throws IOException {
    try (InputStream in = ExtensionVectorsTest.class.getResourceAsStream("extensions.json")) {
      return elements(JSON.readTree(in));
    }
  }

  static Stream<JsonNode> standard() throws IOException {
    return elements(
        JSON.readTree(Standards.file("universal-agent-api/vectors.json").toFile()).path("ext"));
  }

  private static Stream<JsonNode> elements(JsonNode vectors) {
    assertTrue(vectors.size() > 1);
    return StreamSupport.stream(vectors.spliterator(), false);
  }

  @ParameterizedTest
  @MethodSource("own")
  void answersAsItShould(JsonNode vector) {
    answers(vector);
  }

  @NeedsStandards
  @ParameterizedTest
  @MethodSource("standard")
  void answersAsTheStandardSays(JsonNode vector) {
    answers(vector);
  }

  private void answers(JsonNode vector) {
    boolean allowed = !vector.path("when").asText("").endsWith("=false");
    Map<String, JsonNode> extensions = new TreeMap<>();
    vector
        .path("ext")
        .properties()
        .forEach(entry -> extensions.put(entry.getKey(), entry.getValue()));

    AgentGateway.Result result =
        run(vector.path("prompt").asText("do it"), extensions, allowed ? ALL : NOTHING);

    if (vector.has("effective")) {
      assertInstanceOf(AgentGateway.Result.Started.class, result);
      assertEquals(
          vector.path("effective"),
          backend.started().getFirst().request().extensions().get(Capabilities.MODEL));
      return;
    }
    Problem problem = assertInstanceOf(AgentGateway.Result.Refused.class, result).problem();
    assertEquals(
        vector.path("error").textValue().equals("UnsupportedCapability")
            ? ProblemCode.UNSUPPORTED_CAPABILITY
            : ProblemCode.INVALID_REQUEST,
        problem.code());
    assertEquals(vector.path("message").asText(problem.detail()), problem.detail());
    assertTrue(problem.detail().endsWith(vector.path("capability").asText("")));
    assertEquals(List.of(), backend.started());
  }

  @Test
  void takesRelativeDirectoriesFromTheWorkingDirectory() throws IOException {
    Files.createDirectories(directory.resolve("here/sub"));
    Files.writeString(directory.resolve("file"), "");

    assertInstanceOf(AgentGateway.Result.Started.class, run("x", dirs("here/../here", "."), ALL));
    assertEquals(
        "invalid agent_api.exec.add_dirs.v1.dirs[1]",
        assertInstanceOf(AgentGateway.Result.Refused.class, run("x", dirs(".", "file"), ALL))
            .problem()
            .detail());
    assertEquals(
        List.of(directory.resolve("here"), directory),
        AddedDirs.of(dirs("here", "./here/sub/..", "."), directory));
  }

  @Test
  void expandsNothingInDirectories() {
    for (String dir : List.of("~", "$HOME", "${HOME}")) {
      assertInstanceOf(AgentGateway.Result.Refused.class, run("x", dirs(dir), ALL));
    }
  }

  private static final Set<String> ALL =
      Set.of(Capabilities.ADD_DIRS, Capabilities.EXTERNAL_SANDBOX);
  private static final Set<String> NOTHING = Set.of();

  private static Map<String, JsonNode> dirs(String... dirs) {
    return Map.of(Capabilities.ADD_DIRS, JSON.valueToTree(Map.of("dirs", List.of(dirs))));
  }

  private AgentGateway.Result run(
      String prompt, Map<String, JsonNode> extensions, Set<String> allow) {
    AgentSettings.Agent settings =
        new AgentSettings.Agent(null, List.of(), Map.of(), null, null, null, Grants.of(allow));
    return gateway.run(
        Requests.request("codex", prompt, extensions, directory),
        Requests.context(directory, settings));
  }
}
