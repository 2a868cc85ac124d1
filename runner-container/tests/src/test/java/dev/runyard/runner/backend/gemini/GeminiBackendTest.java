package dev.runyard.runner.backend.gemini;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.event.RunEvent;
import dev.runyard.needs.Program;
import dev.runyard.runner.backend.Requests;
import dev.runyard.runner.backend.Talking;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GeminiBackendTest {
  private static final int OUTPUT_CHARS = 300_000;

  @TempDir private Path directory = Path.of("");

  /// Node writes what the pipe accepts at once and the rest later, which an exit loses.
  @Test
  void losesNothingOfAnAgentThatExitsBeforeItWasRead() throws Exception {
    Talking.Heard heard =
        run(
            """
            const say = (type, more) => process.stdout.write(JSON.stringify({type, ...more}) + '\\n');
            say('init', {session_id: 's-1'});
            say('tool_use', {tool_name: 'sh', tool_id: 't', parameters: {}});
            say('tool_result', {tool_id: 't', status: 'success', output: 'x'.repeat(%d)});
            say('message', {role: 'assistant', content: process.env.NODE_OPTIONS, delta: true});
            say('result', {status: 'success'});
            process.exit(0);
            """
                .formatted(OUTPUT_CHARS));

    List<Long> bytes =
        heard.events().stream()
            .filter(RunEvent.ToolResult.class::isInstance)
            .map(event -> ((RunEvent.ToolResult) event).outputBytes())
            .toList();
    assertEquals(List.of((long) OUTPUT_CHARS), bytes);
    assertEquals(Optional.empty(), heard.end().failure());
    assertTrue(heard.text().startsWith("--no-deprecation --require="), heard::text);
  }

  private Talking.Heard run(String script) throws IOException {
    Path program = Program.write(directory.resolve("an agent"), "#!/usr/bin/env node\n" + script);
    String document =
        "{'agents':{'gemini_cli':{'program':'%s','env':{'PATH':'%s','NODE_OPTIONS':'%s'}}}}"
            .formatted(program, System.getenv("PATH"), "--no-deprecation");
    AgentSettings settings =
        AgentSettings.parse(document.replace('\'', '"'), AgentCatalog.builtIn());
    Path home = Files.createDirectory(directory.resolve("a home"));
    return new Talking(
            new GeminiBackend()
                .start(
                    Requests.request("gemini_cli", "Do it", Map.of(), directory),
                    Requests.context(home, settings.of(new AgentKind("gemini_cli")))))
        .end();
  }
}
