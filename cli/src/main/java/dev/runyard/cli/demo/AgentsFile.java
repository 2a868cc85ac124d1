package dev.runyard.cli.demo;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// Writes the file that tells the stack how to start Codex against another model server. Its format
/// is described in docs/agents-file.md.
public final class AgentsFile {
  /// A model that Codex knows, so that it offers its full set of tools; the server accepts any
  /// name.
  static final String MODEL = "gpt-5.5";

  private static final String KEY_VARIABLE = "CODEX_DEMO_KEY";

  private AgentsFile() {}

  public static Path codex(Path folder, Path program, URI modelServer) throws IOException {
    Map<String, Object> codex =
        Map.of(
            "program", program.toString(),
            "endpoint", modelServer.toString(),
            "model", MODEL,
            "api_key_env", KEY_VARIABLE,
            "env", Map.of(KEY_VARIABLE, "any-key-will-do"));
    Path file = folder.resolve("agents.json");
    Files.write(
        file,
        JsonMapper.builder()
            .build()
            .writerWithDefaultPrettyPrinter()
            .writeValueAsBytes(Map.of("agents", Map.of("codex", codex))));
    return file;
  }
}
