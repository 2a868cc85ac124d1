package dev.runyard.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.StandardVectors;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.needs.NeedsStandards;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StandardExtensionsTest {
  private static final String DIRS = Capabilities.ADD_DIRS;
  private static final String RESUME = Capabilities.SESSION_RESUME;

  private static final AgentManifest ALL =
      new AgentManifest(
          AgentCatalog.CODEX,
          "All",
          "Understands every standard extension.",
          new TreeSet<>(List.of(Capabilities.RUN, Capabilities.EVENTS)),
          List.of(
              StandardExtensions.model(),
              StandardExtensions.nonInteractive(),
              StandardExtensions.externalSandbox(),
              StandardExtensions.addDirs(),
              StandardExtensions.sessionResume(),
              StandardExtensions.sessionFork(),
              new ExtensionDefinition(
                  AgentCatalog.CODEX_SANDBOX_MODE, new ExtensionType.Flag(), null, "A mode.")),
          List.of());

  @ParameterizedTest
  @ValueSource(strings = {"codex", "gemini_cli", "z", "agent007", "a_1_"})
  void takesKindsInLowerCase(String kind) {
    assertTrue(AgentKind.isKind(kind));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "Opencode", "open-code", "open code", "9lives", "_kind", "größe", "a\n"})
  void takesNoOtherKinds(String kind) {
    assertFalse(AgentKind.isKind(kind));
  }

  @Test
  void boundsModelsAndDirectories() {
    assertEquals(128, StandardExtensions.MODEL_BYTES_MAX);
    assertEquals(16, DirsExtension.DIRS_MAX);
    assertEquals(1024, DirsExtension.DIR_BYTES_MAX);
  }

  @Test
  @NeedsStandards
  void hasTheKindsAndBoundsOfTheStandard() {
    JsonNode vectors = StandardVectors.read();
    vectors.at("/agent_kind/ok").forEach(kind -> assertTrue(AgentKind.isKind(kind.textValue())));
    vectors.at("/agent_kind/bad").forEach(kind -> assertFalse(AgentKind.isKind(kind.textValue())));

    JsonNode constants = vectors.path("constants");
    assertEquals(constants.path("model_id").intValue(), StandardExtensions.MODEL_BYTES_MAX);
    assertEquals(constants.path("add_dirs_max").intValue(), DirsExtension.DIRS_MAX);
    assertEquals(constants.path("add_dir_entry").intValue(), DirsExtension.DIR_BYTES_MAX);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]|invalid agent_api.exec.add_dirs.v1",
        "'x'|invalid agent_api.exec.add_dirs.v1",
        "{'dirs':['/tmp'],'x':1}|invalid agent_api.exec.add_dirs.v1",
        "{}|invalid agent_api.exec.add_dirs.v1.dirs",
        "{'dirs':[]}|invalid agent_api.exec.add_dirs.v1.dirs",
        "{'dirs':'/tmp'}|invalid agent_api.exec.add_dirs.v1.dirs",
        "{'dirs':['a',' ']}|invalid agent_api.exec.add_dirs.v1.dirs[1]",
        "{'dirs':[1]}|invalid agent_api.exec.add_dirs.v1.dirs[0]"
      },
      quoteCharacter = '"')
  void refusesDirectoriesThatAreNone(String value, String message) throws Exception {
    assertEquals(message, refused(Map.of(DIRS, json(value))).detail());
  }

  @Test
  void boundsDirectories() throws Exception {
    accepted(Map.of(DIRS, dirs(16, "a".repeat(1024))));
    assertEquals(
        "invalid agent_api.exec.add_dirs.v1.dirs", refused(Map.of(DIRS, dirs(17, "a"))).detail());
    assertEquals(
        "invalid agent_api.exec.add_dirs.v1.dirs[0]",
        refused(Map.of(DIRS, dirs(1, "é".repeat(512) + "a"))).detail());
  }

  @Test
  void trimsDirectories() throws Exception {
    assertEquals(
        json("{'dirs':['/tmp','b']}"),
        accepted(Map.of(DIRS, json("{'dirs':[' /tmp ','b']}"))).get(DIRS));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "true;KEY must be an object",
        "{};KEY.selector is required",
        "{'selector':'first'};KEY.selector must be one of: last | id",
        "{'selector':null};KEY.selector must be one of: last | id",
        "{'selector':'last','id':'x'};KEY.id must be absent when selector is last",
        "{'selector':'id'};KEY.id is required when selector is id",
        "{'selector':'last','k':1};KEY has unknown key: k",
        "{'selector':'last','a b':1};KEY has unknown key: (not a name)"
      },
      quoteCharacter = '"')
  void refusesSessionsThatAreNone(String value, String message) throws Exception {
    for (String key : List.of(RESUME, Capabilities.SESSION_FORK)) {
      assertEquals(message.replace("KEY", key), refused(Map.of(key, json(value))).detail());
    }
  }

  @Test
  void refusesSessionIdsThatNameNothing() throws Exception {
    for (String id : List.of("", " ", "--last", "a".repeat(1025))) {
      assertEquals(
          "invalid agent_api.session.resume.v1.id",
          refused(Map.of(RESUME, json("{'selector':'id','id':'" + id + "'}"))).detail());
    }
    assertEquals(
        json("{'selector':'id','id':'s-1'}"),
        accepted(Map.of(RESUME, json("{'selector':'id','id':' s-1 '}"))).get(RESUME));
  }

  @Test
  void refusesWhatContradicts() throws Exception {
    JsonNode last = json("{'selector':'last'}");
    assertEquals(
        "agent_api.session.fork.v1 must be left out while agent_api.session.resume.v1 is given",
        refused(Map.of(RESUME, last, Capabilities.SESSION_FORK, last)).detail());
    assertEquals(
        "agent_api.exec.non_interactive must be true while agent_api.exec.external_sandbox.v1 is"
            + " true",
        refused(
                Map.of(
                    Capabilities.EXTERNAL_SANDBOX, json("true"),
                    Capabilities.NON_INTERACTIVE, json("false")))
            .detail());
    assertEquals(
        "backend.codex.exec.sandbox_mode must be left out while"
            + " agent_api.exec.external_sandbox.v1 is true",
        refused(
                Map.of(
                    Capabilities.EXTERNAL_SANDBOX, json("true"),
                    AgentCatalog.CODEX_SANDBOX_MODE, json("true")))
            .detail());
  }

  @Test
  void contradictsNothingWhileTheSandboxIsOn() throws Exception {
    accepted(
        Map.of(
            Capabilities.EXTERNAL_SANDBOX, json("false"),
            Capabilities.NON_INTERACTIVE, json("false"),
            AgentCatalog.CODEX_SANDBOX_MODE, json("true")));
    accepted(
        Map.of(
            Capabilities.EXTERNAL_SANDBOX, json("true"),
            Capabilities.NON_INTERACTIVE, json("true")));
  }

  @Test
  void hasTheDefaultsOfTheStandard() throws Exception {
    assertEquals(json("true"), ALL.effective(Map.of(), Capabilities.NON_INTERACTIVE));
    assertEquals(json("false"), ALL.effective(Map.of(), Capabilities.EXTERNAL_SANDBOX));
    assertEquals(null, ALL.effective(Map.of(), Capabilities.MODEL));
    assertEquals(null, ALL.effective(Map.of(), DIRS));
    assertEquals(null, ALL.effective(Map.of(), RESUME));
  }

  @Test
  void offersWhatIsDangerousOnlyWhereTheOperatorAllowsIt() {
    AgentCatalog builtIn = AgentCatalog.builtIn();
    AgentSettings settings =
        AgentSettings.parse(
            "{\"agents\":{\"codex\":{\"allow\":[\"agent_api.exec.external_sandbox.v1\"]}}}",
            builtIn);

    assertFalse(offers(builtIn, Capabilities.EXTERNAL_SANDBOX));
    assertFalse(offers(builtIn, DIRS));
    assertFalse(offers(builtIn.granted(AgentSettings.NONE), Capabilities.EXTERNAL_SANDBOX));
    assertTrue(offers(builtIn.granted(settings), Capabilities.EXTERNAL_SANDBOX));
    assertFalse(offers(builtIn.granted(settings), DIRS));
  }

  @Test
  void refusesADocumentThatAllowsWhatNobodyCanGrant() {
    for (String key : List.of("agent_api.session.fork.v1", "s3cret")) {
      IllegalArgumentException wrong =
          assertThrows(
              IllegalArgumentException.class,
              () ->
                  AgentSettings.parse(
                      "{\"agents\":{\"codex\":{\"allow\":[\"" + key + "\"]}}}",
                      AgentCatalog.builtIn()));
      assertTrue(String.valueOf(wrong.getMessage()).contains("/agents/codex/allow/0"));
      assertFalse(String.valueOf(wrong.getMessage()).contains(key));
    }
  }

  private static boolean offers(AgentCatalog catalog, String id) {
    return catalog.find("codex").orElseThrow().capabilities().contains(id);
  }

  private static JsonNode dirs(int count, String first) throws JsonProcessingException {
    List<String> dirs = new ArrayList<>(List.of(first));
    while (dirs.size() < count) {
      dirs.add("d" + dirs.size());
    }
    return JsonFormat.JSON.valueToTree(new TreeMap<>(Map.of("dirs", dirs)));
  }

  private static JsonNode json(String single) throws JsonProcessingException {
    return JsonFormat.JSON.readTree(single.replace('\'', '"'));
  }

  private static Map<String, JsonNode> accepted(Map<String, JsonNode> given) {
    return assertInstanceOf(AgentManifest.Result.Accepted.class, ALL.check(given, List.of()))
        .extensions();
  }

  private static Problem refused(Map<String, JsonNode> given) {
    Problem problem =
        assertInstanceOf(AgentManifest.Result.Refused.class, ALL.check(given, List.of())).problem();
    assertEquals(ProblemCode.INVALID_REQUEST, problem.code());
    return problem;
  }
}
