package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.local.LocalOptions;
import dev.runyard.needs.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An agent prints the secrets it was given wherever it can, and writes them to its session; then
/// everything is searched that the stack has kept or answers.
final class SecretCanaryTest {
  private static final String SECRET = "canary-S3cret/0123456789+xyz";
  private static final String PARAMETER = "canary.parameter.9876543210";
  private static final String KEY = "sk-canary-key-of-the-models-001";

  /// Plays codex: its tool prints the values in many forms and about 1 MB of lines, its answer
  /// repeats them.
  private static final String AGENT =
      """
      #!/bin/sh
      cat >/dev/null
      id=00000000-0000-7000-8000-000000000001
      echo "{\\"type\\":\\"thread.started\\",\\"thread_id\\":\\"$id\\"}"
      echo '{"type":"turn.started"}'
      said() {
        printf '{"type":"item.completed","item":{"id":"%s","type":"agent_message","text":"%s"}}\\n' $1 "$2"
      }
      base64=$(printf 'x%s' "$NPM_TOKEN" | base64 | tr -d '\\n')
      hex=$(printf '%s' "$NPM_TOKEN" | od -An -v -tx1 | tr -d ' \\n')
      environ=$(tr '\\0"\\\\' ' \\047/' < /proc/self/environ | tr '\\n\\t' '  ' | tr -d '\\001-\\037')
      said i0 "mine: $NPM_TOKEN $PYPI_TOKEN"
      said i1 "$base64 $hex"
      said i2 "$environ"
      printf '{"type":"item.completed","item":{"id":"t1","type":"command_execution","command":"echo %s",' "$NPM_TOKEN"
      printf '"aggregated_output":"'
      awk -v k="$NPM_TOKEN" -v p="$PYPI_TOKEN" -v n=$LINES \\
        'BEGIN { for (i = 0; i < n; i++) printf "line %d %s %s\\\\n", i, k, p }'
      printf '","exit_code":0,"status":"completed"}}\\n'
      echo "lost $NPM_TOKEN" >&2
      mkdir -p "$CODEX_HOME/sessions/2026/$PYPI_TOKEN"
      echo "{\\"id\\":\\"$id\\",\\"said\\":\\"$NPM_TOKEN\\"}" > "$CODEX_HOME/sessions/2026/rollout-$id.jsonl"
      echo "$NPM_TOKEN" > "$CODEX_HOME/sessions/2026/$PYPI_TOKEN/file"
      case "$FAILS" in
        yes) printf '{"type":"turn.failed","error":{"message":"no %s"}}\\n' "$NPM_TOKEN"; exit 1 ;;
      esac
      said i3 "final $NPM_TOKEN $PYPI_TOKEN"
      echo '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}'
      """;

  private static final String DOCUMENT =
      """
      {"agents":{"codex":{"program":"AGENT","endpoint":"http://127.0.0.1:9/v1",
        "api_key":"secretsmanager:models#openai","env":{"LINES":"14000"},
        "request_env":["NPM_TOKEN","PYPI_TOKEN","FAILS"],
        "secrets":{"NPM":"secretsmanager:team/npm","PYPI":"ssm:/team/pypi","NONE":"ssm:/none"}}}}
      """;

  @TempDir private Path folder = Path.of("");

  @Test
  void keepsAndAnswersNoValueOfASecret() throws Exception {
    try (StackClient client = new StackClient(folder);
        EmbeddedStack stack = EmbeddedStack.start(options(), false)) {
      for (String fails : List.of("no", "yes")) {
        String run =
            client.submit(
                stack.uri(),
                """
                {"agent":"codex","prompt":"x","env":{"NPM_TOKEN":{"secret":"NPM"},
                  "PYPI_TOKEN":{"secret":"PYPI"},"FAILS":"%s"}}
                """
                    .formatted(fails));
        List<JsonNode> events = client.streamed(stack.uri(), run);
        assertEquals(
            fails.equals("no") ? "task.completed" : "task.failed",
            events.getLast().path("type").asText(),
            events::toString);
        clean("the events", events.toString());
        clean("the run", client.run(stack.uri(), run).toString());
        assertEquals(
            Set.of("NPM", "PYPI"),
            events.stream()
                .filter(event -> event.path("type").asText().equals("output.redacted"))
                .map(event -> event.path("payload").path("secret").asText())
                .collect(Collectors.toSet()));
        assertTrue(events.toString().contains("session_redacted"), events::toString);
        for (JsonNode event : events) {
          if (event.path("type").asText().equals("output.spilled")) {
            String output =
                client.text(
                    stack.uri(),
                    "/v1/runs/%s/outputs/%s"
                        .formatted(run, event.path("payload").path("outputRef").asText()));
            assertTrue(output.length() > 500_000, () -> "of " + output.length());
            clean("an output", output);
          }
        }
        clean("the views", client.text(stack.uri(), "/v1/runs"));
      }
    }
    StoredTexts stored = StoredTexts.below(folder, "secrets.json");
    stored.texts().forEach(SecretCanaryTest::clean);
    assertTrue(stored.has("sessions/2026/rollout-"), "no session was searched");
    assertTrue(stored.has("line 13999 [redacted NPM]"), "no output was searched");
    assertTrue(stored.has("\"level\""), "no log was searched");
  }

  @Test
  void startsNoAgentWithoutItsSecret() throws Exception {
    try (StackClient client = new StackClient(folder);
        EmbeddedStack stack = EmbeddedStack.start(options(), false)) {
      String run =
          client.submit(
              stack.uri(),
              "{\"agent\":\"codex\",\"prompt\":\"x\",\"env\":{\"NPM_TOKEN\":{\"secret\":\"NONE\"}}}");

      List<JsonNode> events = client.streamed(stack.uri(), run);

      assertTrue(
          events.stream().noneMatch(event -> event.path("type").asText().equals("sandbox.applied")),
          events::toString);
      JsonNode error = client.run(stack.uri(), run).path("error");
      assertEquals("secret_unavailable", error.path("code").asText(), error::toString);
      assertTrue(error.path("message").asText().contains("NONE"), error::toString);
    }
    assertNotEquals(List.of(), StoredTexts.below(folder, "secrets.json").texts());
  }

  private LocalOptions options() throws IOException {
    Path agent = Program.write(folder.resolve("agent"), AGENT);
    Path secrets = folder.resolve("secrets.json");
    Files.writeString(
        secrets,
        """
        {"team/npm":"%s","/team/pypi":"%s","models":"{\\"openai\\":\\"%s\\"}"}
        """
            .formatted(SECRET, PARAMETER, KEY));
    Files.setPosixFilePermissions(secrets, PosixFilePermissions.fromString("rw-------"));
    Path agents =
        Files.writeString(
            folder.resolve("agents.json"), DOCUMENT.replace("AGENT", agent.toString()));
    return LocalOptions.of(
            Path.of("..", "template.yaml"), Files.createDirectories(folder.resolve("work")))
        .withData(folder.resolve("data"))
        .withAgents(agents)
        .withSecrets(secrets)
        .withParameter("Isolation", "none");
  }

  private static void clean(String where, String text) {
    for (String value : List.of(SECRET, PARAMETER, KEY)) {
      assertFalse(text.contains(value), () -> where + " contains a value");
      assertFalse(text.contains(value.substring(0, 16)), () -> where + " contains a part of one");
    }
    String hex =
        SECRET.chars().mapToObj(each -> "%02x".formatted(each)).collect(Collectors.joining());
    assertFalse(text.contains(hex), () -> where + " contains a value in hexadecimal digits");
    byte[] shifted = ("x" + SECRET).getBytes(StandardCharsets.UTF_8);
    String base64 = Base64.getEncoder().encodeToString(shifted).substring(4, 28);
    assertFalse(text.contains(base64), () -> where + " contains a value in base64");
  }
}
