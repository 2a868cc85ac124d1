package dev.runyard.core.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AgentCatalogTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final AgentManifest CODEX = AgentCatalog.builtIn().find("codex").orElseThrow();
  private static final AgentManifest ECHO = AgentCatalog.builtIn().find("echo").orElseThrow();

  @ParameterizedTest
  @ValueSource(strings = {"codex", "claude_code", "a1"})
  void takesKindsOfTheGrammar(String kind) {
    assertEquals(kind, new AgentKind(kind).name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Codex", "codex-1", "1codex", "_x", "café", "codex\n"})
  void refusesOtherKinds(String kind) {
    assertFalse(AgentKind.isKind(kind));
    assertThrows(IllegalArgumentException.class, () -> new AgentKind(kind));
  }

  @Test
  void boundsKinds() {
    assertTrue(AgentKind.isKind("a".repeat(AgentKind.BYTES_MAX)));
    assertFalse(AgentKind.isKind("a".repeat(AgentKind.BYTES_MAX + 1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent_api.run", "agent_api.control.cancel.v1", "backend.codex.exec_x"})
  void knowsCapabilityIds(String id) {
    assertTrue(Capabilities.isId(id));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "run",
        "agent_api.",
        "agent_api",
        "backend.codex",
        "backend..x",
        "Agent_api.run",
        "backend.1x.y",
        "agent_api.r\u00fcn"
      })
  void refusesOtherCapabilityIds(String id) {
    assertFalse(Capabilities.isId(id));
  }

  @Test
  void everyExtensionKeyIsACapability() {
    for (AgentManifest manifest : AgentCatalog.builtIn().all()) {
      manifest
          .extensions()
          .forEach(extension -> assertTrue(manifest.capabilities().contains(extension.key())));
      assertTrue(manifest.capabilities().contains(Capabilities.RUN));
      assertTrue(manifest.capabilities().contains(Capabilities.EVENTS_LIVE));
    }
  }

  @Test
  void refusesACapabilityOfAnotherBackend() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new AgentManifest(
                new AgentKind("other"),
                "",
                "",
                new TreeSet<>(List.of("agent_api.run", "agent_api.events", "backend.codex.x")),
                List.of(),
                List.of()));
  }

  @Test
  void trimsTheModel() {
    assertEquals(
        Map.of(Capabilities.MODEL, JSON.textNode("gpt-x")),
        accepted(CODEX, Map.of(Capabilities.MODEL, JSON.textNode(" gpt-x "))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "--yolo", "a\nb"})
  void refusesAModelWithoutRepeatingIt(String model) {
    Problem problem = refused(CODEX, Map.of(Capabilities.MODEL, JSON.textNode(model)));

    assertEquals(ProblemCode.INVALID_REQUEST, problem.code());
    assertEquals("invalid agent_api.config.model.v1", problem.detail());
    assertEquals(List.of("/extensions/agent_api.config.model.v1"), problem.pointers());
  }

  @Test
  void boundsTheModelInBytes() {
    String most = "é".repeat(AgentCatalog.MODEL_BYTES_MAX / 2);

    accepted(CODEX, Map.of(Capabilities.MODEL, JSON.textNode(most)));
    refused(CODEX, Map.of(Capabilities.MODEL, JSON.textNode(most + "a")));
    refused(CODEX, Map.of(Capabilities.MODEL, JSON.numberNode(5)));
  }

  @Test
  void refusesAFlagThatIsNone() {
    assertEquals(
        "agent_api.exec.non_interactive must be a boolean",
        refused(CODEX, Map.of(Capabilities.NON_INTERACTIVE, JSON.textNode("yes"))).detail());
  }

  @Test
  void anUnknownKeyWinsOverAWrongValue() {
    Problem problem =
        refused(
            CODEX,
            Map.of(
                "agent_api.zzz",
                JSON.numberNode(1),
                Capabilities.NON_INTERACTIVE,
                JSON.textNode("no")));

    assertEquals(ProblemCode.UNSUPPORTED_CAPABILITY, problem.code());
    assertEquals("unsupported capability for codex: agent_api.zzz", problem.detail());
  }

  @Test
  void refusesKeysOfOtherBackendsAndPlainCapabilities() {
    for (String key : List.of("backend.echo.events", "agent_api.run", "no key\u0007")) {
      assertEquals(
          ProblemCode.UNSUPPORTED_CAPABILITY, refused(CODEX, Map.of(key, JSON.nullNode())).code());
    }
    assertFalse(
        refused(CODEX, Map.of("no key\u0007", JSON.nullNode())).detail().contains("\u0007"));
  }

  @Test
  void refusesARequiredCapabilityItLacks() {
    Problem problem =
        assertInstanceOf(
                AgentManifest.Result.Refused.class,
                ECHO.check(Map.of(), List.of(Capabilities.RUN, Capabilities.SESSION_HANDLE)))
            .problem();

    assertEquals(ProblemCode.UNSUPPORTED_CAPABILITY, problem.code());
    assertEquals(List.of("/requires/1"), problem.pointers());
  }

  @Test
  void asksForApprovalOnlyWhenSomebodyIsThere() {
    Map<String, JsonNode> asks =
        Map.of(AgentCatalog.CODEX_APPROVAL_POLICY, JSON.textNode("on-request"));

    assertEquals(
        "backend.codex.exec.approval_policy must be never while agent_api.exec.non_interactive is"
            + " true",
        refused(CODEX, asks).detail());
    accepted(CODEX, Map.of(AgentCatalog.CODEX_APPROVAL_POLICY, JSON.textNode("never")));
    accepted(
        CODEX,
        Map.of(
            AgentCatalog.CODEX_APPROVAL_POLICY, JSON.textNode("on-request"),
            Capabilities.NON_INTERACTIVE, JSON.booleanNode(false)));
  }

  @Test
  void takesMessagesOnlyWhereARunIsInteractive() {
    Map<String, JsonNode> interactive =
        Map.of(Capabilities.NON_INTERACTIVE, JSON.booleanNode(false));

    assertFalse(CODEX.capabilities().contains(Capabilities.MESSAGE));
    assertFalse(CODEX.capabilitiesOf(Map.of()).contains(Capabilities.MESSAGE));
    assertTrue(CODEX.capabilitiesOf(interactive).contains(Capabilities.MESSAGE));
    assertInstanceOf(
        AgentManifest.Result.Refused.class, CODEX.check(Map.of(), List.of(Capabilities.MESSAGE)));
    assertInstanceOf(
        AgentManifest.Result.Accepted.class,
        CODEX.check(interactive, List.of(Capabilities.MESSAGE)));
  }

  @Test
  void refusesASandboxModeOffTheList() {
    assertEquals(
        "backend.codex.exec.sandbox_mode must be one of: read-only | workspace-write",
        refused(CODEX, Map.of(AgentCatalog.CODEX_SANDBOX_MODE, JSON.textNode("none"))).detail());
  }

  @Test
  void boundsWholeNumbers() {
    accepted(ECHO, Map.of(AgentCatalog.ECHO_EVENTS, JSON.numberNode(1)));
    accepted(ECHO, Map.of(AgentCatalog.ECHO_EVENTS, JSON.numberNode(AgentCatalog.ECHO_EVENTS_MAX)));
    for (JsonNode wrong :
        List.of(
            JSON.numberNode(0),
            JSON.numberNode(AgentCatalog.ECHO_EVENTS_MAX + 1),
            JSON.numberNode(1.5),
            JSON.numberNode(Double.POSITIVE_INFINITY),
            JSON.numberNode(new java.math.BigInteger("9223372036854775808")),
            JSON.textNode("1"))) {
      assertEquals(
          "backend.echo.events must be a whole number from 1 to 100000",
          refused(ECHO, Map.of(AgentCatalog.ECHO_EVENTS, wrong)).detail());
    }
  }

  @Test
  void defaultsStandInForAbsentKeys() {
    assertEquals(
        JSON.textNode("workspace-write"),
        CODEX.effective(Map.of(), AgentCatalog.CODEX_SANDBOX_MODE));
    assertEquals(null, CODEX.effective(Map.of(), Capabilities.MODEL));
    assertEquals(
        JSON.booleanNode(false),
        CODEX.effective(
            Map.of(Capabilities.NON_INTERACTIVE, JSON.booleanNode(false)),
            Capabilities.NON_INTERACTIVE));
  }

  @Test
  void describesExtensionsAsOneClosedSchema() {
    JsonNode schema = ECHO.extensionsSchema();

    assertEquals("object", schema.path("type").textValue());
    assertFalse(schema.path("additionalProperties").booleanValue());
    JsonNode events = schema.path("properties").path(AgentCatalog.ECHO_EVENTS);
    assertEquals("integer", events.path("type").textValue());
    assertEquals(100_000, events.path("maximum").intValue());
    assertEquals(1, events.path("default").intValue());
    assertEquals(
        4,
        CODEX.extensionsSchema().at("/properties/backend.codex.exec.approval_policy/enum").size());
  }

  private static Map<String, JsonNode> accepted(
      AgentManifest manifest, Map<String, JsonNode> given) {
    return assertInstanceOf(AgentManifest.Result.Accepted.class, manifest.check(given, List.of()))
        .extensions();
  }

  private static Problem refused(AgentManifest manifest, Map<String, JsonNode> given) {
    return assertInstanceOf(AgentManifest.Result.Refused.class, manifest.check(given, List.of()))
        .problem();
  }
}
