package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunBounds;
import dev.runyard.runner.backend.codex.CodexBackend;
import dev.runyard.runner.backend.echo.EchoBackend;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AgentGatewayTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  @TempDir private Path directory;
  private final RecordingBackend backend = new RecordingBackend("scripted");
  private final AgentGateway gateway = new AgentGateway(List.of(backend, new EchoBackend()));

  @Test
  void findsTheBackendsOnTheClassPath() {
    AgentGateway found = AgentGateway.onClassPath();

    assertInstanceOf(EchoBackend.class, found.backend(AgentCatalog.ECHO).orElseThrow());
    assertInstanceOf(CodexBackend.class, found.backend(AgentCatalog.CODEX).orElseThrow());
  }

  /// What the API accepts must be what a runner can start.
  @Test
  void offersWhatTheApiOffers() {
    assertEquals(AgentCatalog.builtIn().all(), AgentGateway.onClassPath().catalog().all());
  }

  @Test
  void listsItsAgentsByKind() {
    assertEquals(
        List.of(new AgentKind("echo"), new AgentKind("scripted")),
        gateway.catalog().all().stream().map(AgentManifest::kind).toList());
  }

  @Test
  void refusesTwoBackendsOfAKind() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> new AgentGateway(List.of(new EchoBackend(), new RecordingBackend("echo"))));

    assertTrue(refused.toString().contains("kind echo"));
  }

  @Test
  void startsARunOnTheBackendOfItsKind() {
    AgentRunRequest request = Requests.request("scripted", "Do it", Map.of(), directory);

    AgentGateway.Result.Started started =
        assertInstanceOf(AgentGateway.Result.Started.class, run(request));

    assertSame(backend.started().getFirst().run(), started.run());
    assertEquals(request, backend.started().getFirst().request());
  }

  @Test
  void knowsNoOtherKind() {
    Problem problem = refused(Requests.request("other", "Do it", Map.of(), directory));

    assertEquals(ProblemCode.UNKNOWN_BACKEND, problem.code());
    assertEquals("unknown backend: other", problem.detail());
  }

  @Test
  void startsNothingForAnExtensionNobodyKnows() {
    Problem problem =
        refused(
            Requests.request(
                "scripted", "Do it", Map.of("agent_api.made_up", JSON.nullNode()), directory));

    assertEquals(ProblemCode.UNSUPPORTED_CAPABILITY, problem.code());
    assertEquals(List.of(), backend.started());
  }

  @Test
  void startsNothingWhoseBoundCouldNotBeKept() {
    AgentRunRequest plain = Requests.request("scripted", "Do it", Map.of(), directory);
    Problem problem = refused(Requests.within(plain, new RunBounds(null, 1000L, null, null, null)));

    assertEquals(ProblemCode.UNSUPPORTED_CAPABILITY, problem.code());
    assertEquals("unsupported capability for scripted: runyard.limits.tokens.v1", problem.detail());
    assertEquals(List.of(), backend.started());
    assertInstanceOf(
        AgentGateway.Result.Started.class,
        run(Requests.within(plain, new RunBounds(null, null, null, 60, 60))));
  }

  @Test
  void startsNothingForAValueThatIsNoGood() {
    Map<String, JsonNode> extensions = Map.of(AgentCatalog.ECHO_EVENTS, JSON.numberNode(0));

    Problem problem = refused(Requests.request("echo", "Do it", extensions, directory));

    assertEquals(ProblemCode.INVALID_REQUEST, problem.code());
    assertEquals(List.of("/extensions/backend.echo.events"), problem.pointers());
  }

  @Test
  void startsNothingWithoutAPrompt() {
    assertEquals(
        ProblemCode.INVALID_REQUEST,
        refused(Requests.request("scripted", " \n", Map.of(), directory)).code());
    assertEquals(List.of(), backend.started());
  }

  private AgentGateway.Result run(AgentRunRequest request) {
    return gateway.run(request, Requests.context(directory));
  }

  private Problem refused(AgentRunRequest request) {
    return assertInstanceOf(AgentGateway.Result.Refused.class, run(request)).problem();
  }
}
