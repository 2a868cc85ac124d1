package dev.runyard.runner.backend.claude;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.runner.backend.FakeProgram;
import dev.runyard.runner.backend.Recording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// A program in place of Claude Code that works in its own directory.
public final class FakeClaude extends FakeProgram {
  private FakeClaude(Path directory, String script) throws IOException {
    super(
        directory,
        "claude",
        "cd \"$started\"\n"
            + HEAR
            + """
            init() { echo '{"type":"system","subtype":"init","session_id":"s-1","model":"m"}'; }
            result() { echo '{"type":"result","subtype":"success","is_error":false}'; }
            """
            + script);
  }

  /// Prints a recording of Claude Code, waits for an answer after each request, and ends as
  /// recorded once its input is closed. No program is started after the last line, since one that
  /// is slow to start would be taken for an agent that does not leave.
  public static FakeClaude playing(Path directory, String name) throws IOException {
    Recording recording = Recording.named("claude", name);
    write(directory, recording);
    return running(
        directory,
        """
        hear
        while IFS= read -r line <&3; do
          printf '%s\\n' "$line"
          case "$line" in '{"type":"control_request"'*) hear ;; esac
        done 3< lines.jsonl
        while IFS= read -r line; do printf '%s\\n' "$line"; done < stderr.txt >&2
        """
            + end(
                recording.exit(),
                "while IFS= read -r line; do printf '%s\\n' \"$line\"; done >> said"));
  }

  /// Runs a shell script. `hear` reads a line of input, `init` prints the first line of a turn,
  /// `result` the last.
  public static FakeClaude running(Path directory, String script) throws IOException {
    return new FakeClaude(directory, script);
  }

  /// Runs a shell script in its workspace that has heard its first message, and added it to the
  /// conversation kept there. `PROGRAM` is its own directory; `hear` does not record.
  public static FakeClaude conversing(Path directory, String script) throws IOException {
    return running(
        directory,
        """
        PROGRAM=$PWD
        cd "$(cat pwd)"
        id=11111111-1111-4111-8111-111111111111
        own="$CLAUDE_CONFIG_DIR/projects/$(pwd -P | sed 's/[^a-zA-Z0-9]/-/g')"
        mkdir -p "$own"
        hear() { IFS= read -r heard; }
        init() { echo '{"type":"system","subtype":"init","session_id":"'$id'","model":"m"}'; }
        hear
        printf '%s\\n' "$heard" >> "$own/$id.jsonl"
        """
            + script);
  }

  /// Settings in which it is Claude Code.
  ///
  /// @param others of its settings
  public AgentSettings settings(Map<String, Object> others) throws IOException {
    Map<String, Object> agent = new TreeMap<>(others);
    agent.put("program", program().toString());
    return AgentSettings.parse(
        JsonFormat.JSON.writeValueAsString(Map.of("agents", Map.of("claude_code", agent))),
        AgentCatalog.builtIn());
  }
}
