package dev.runyard.runner.attempt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentCli;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.ClientProtocolTemplate;
import dev.runyard.core.agent.CommandTemplate;
import dev.runyard.core.attempt.Step;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.runner.RunnerRig;
import dev.runyard.runner.backend.AgentBackend;
import dev.runyard.runner.backend.AgentGateway;
import dev.runyard.runner.backend.FakeProgram;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolBackend;
import dev.runyard.runner.backend.command.CommandBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// No agent gets the key of its model provider: not in its variables, its arguments or its files.
final class KeylessAgentsTest {
  private static final String KEY = "sk-operator-0001";

  @TempDir private Path directory;

  static Stream<String> kinds() {
    return Stream.concat(
        AgentCli.allAgents().stream().map(agent -> agent.kind().name()),
        Stream.of("described_command", "described_acp"));
  }

  /// Looks for the key everywhere it can.
  private static final class Spy extends FakeProgram {
    Spy(Path directory) throws IOException {
      super(
          directory,
          "spy",
          """
          find "$HOME" -type f > "$started/files"
          find "$HOME" -type f -exec cat {} + > "$started/contents" 2>/dev/null
          exit 3
          """);
    }

    String seen() throws IOException {
      return String.join("\n", argv()) + environment() + text("contents");
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void findsItsEndpointButNoKey(String kind) throws Exception {
    Spy spy = new Spy(directory);
    Map<String, Object> agent =
        new HashMap<>(
            Map.of(
                "program",
                spy.program().toString(),
                "endpoint",
                "https://models.example.com/v1",
                "api_key_env",
                "MODEL_KEY",
                "env",
                Map.of("COPY", "Bearer " + KEY)));
    if (kind.startsWith("described")) {
      agent.put("api", "chat_completions");
      agent.put(kind.equals("described_acp") ? "acp" : "command", Map.of());
    }
    AgentSettings settings =
        AgentSettings.parse(
            JsonFormat.JSON.writeValueAsString(Map.of("agents", Map.of(kind, agent))),
            AgentGateway.onClassPath().catalog());
    RunnerRig rig = new RunnerRig(directory);
    rig.submit(kind, Map.of());

    Step.Verdict verdict =
        rig.attempts(gateway(settings), settings, Map.of("PATH", "/usr/bin:/bin", "MODEL_KEY", KEY))
            .work(rig.queue.receive(1, 1).getFirst());

    assertEquals(Step.Verdict.ENDED, verdict);
    assertFalse(spy.seen().contains(KEY), spy.seen());
    assertTrue(spy.seen().contains("http://127.0.0.1:"), spy.seen());
    assertFalse(spy.seen().contains("models.example.com"), spy.seen());
    assertTrue(Files.readAllLines(directory.resolve("argv")).stream().noneMatch(this::isAddress));
  }

  private boolean isAddress(String argument) {
    return argument.contains("127.0.0.1");
  }

  private static AgentGateway gateway(AgentSettings settings) {
    List<AgentBackend> backends = new ArrayList<>(AgentGateway.found());
    settings.described().stream()
        .map(
            described ->
                switch (described) {
                  case CommandTemplate command -> new CommandBackend(command);
                  case ClientProtocolTemplate spoken -> new ClientProtocolBackend(spoken);
                })
        .forEach(backends::add);
    return new AgentGateway(backends);
  }
}
