package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// docs/image.md against what npm installs into the image, on arm64 and x64.
@Reads(ImageLicencesTest.PAGE)
class ImageLicencesTest {
  static final String PAGE = "docs/image.md";

  private static final Pattern AGENTS = Pattern.compile("(?m)^ARG AGENTS=\"(.*)\"$");
  private static final String MODULES = "node_modules/";

  @Gate
  @Breach(
      replace = "| `@openai/codex` | Apache-2.0 |",
      by = "| `@openai/codex` | MIT |",
      named = "| `@openai/codex` | Apache-2.0 |")
  @Breach(
      replace = "| `@anthropic-ai/claude-code-linux-arm64` |",
      by = "| `@anthropic-ai/claude-code` |",
      named = "claude-code-linux-arm64")
  @Breach(
      in = "runner-container/agents/codex/package-lock.json",
      replace = "\"license\": \"Apache-2.0\"",
      by = "\"license\": \"Unknown\"",
      named = "| `@openai/codex` | Unknown |")
  @Breach(
      in = RunnerImageTest.DOCKERFILE,
      replace = "ARG AGENTS=\"codex claude_code\"",
      by = "ARG AGENTS=\"codex claude_code pi\"",
      named = "pi-coding-agent")
  void listsTheLicenceOfEachPackage(Repository repository) throws IOException {
    Set<String> rows = repository.text(PAGE).lines().collect(Collectors.toSet());
    var agents = AGENTS.matcher(repository.text(RunnerImageTest.DOCKERFILE)).results().toList();
    List<String> missing = new ArrayList<>();
    for (String agent : agents.getFirst().group(1).split(" ", -1)) {
      JsonNode packages = new ObjectMapper().readTree(lock(repository, agent)).path("packages");
      for (var entry : packages.properties()) {
        if (entry.getKey().startsWith(MODULES) && isForTheImage(entry.getValue())) {
          String row = row(entry.getKey(), entry.getValue());
          if (!rows.contains(row)) {
            missing.add(row);
          }
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  private static String lock(Repository repository, String agent) {
    return repository.text("runner-container/agents/" + agent + "/package-lock.json");
  }

  private static String row(String folder, JsonNode entry) {
    String name = folder.substring(folder.lastIndexOf(MODULES) + MODULES.length());
    return "| `%s` | %s |"
        .formatted(entry.path("name").asText(name), entry.path("license").asText());
  }

  private static boolean isForTheImage(JsonNode entry) {
    return names(entry.path("os"), "linux") && names(entry.path("libc"), "glibc");
  }

  /// A package that names none is for all.
  private static boolean names(JsonNode kinds, String kind) {
    return kinds.isEmpty() || kinds.valueStream().anyMatch(one -> one.asText().equals(kind));
  }
}
