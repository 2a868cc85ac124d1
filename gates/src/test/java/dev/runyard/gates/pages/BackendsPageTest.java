package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.agent.AgentCli;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Repository;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The pages about agent CLIs have every kind of agent that a manifest describes, and no other.
final class BackendsPageTest {
  private static final Pattern KIND = Pattern.compile("`([a-z][a-z0-9_]*)`");
  private static final Set<String> KINDS =
      AgentCli.allAgents().stream()
          .map(agent -> agent.kind().name())
          .collect(Collectors.toCollection(TreeSet::new));

  @Gate
  @Breach(in = "docs/backends.md", replace = "| `pi` |", by = "| `pie` |", named = "pie")
  @Breach(
      in = "docs/backends.md",
      replace = "| `codex_acp` |",
      by = "| `codec_acp` |",
      named = "codec_acp")
  void theTablesOfCLIsHaveARowForEach(Repository repository) {
    Set<String> rows = new TreeSet<>();
    boolean table = false;
    for (String line : repository.text("docs/backends.md").lines().toList()) {
      table = line.startsWith("|") && (table || line.startsWith("| kind |"));
      if (table) {
        rows.addAll(kinds(line.split("\\|", -1)[1]));
      }
    }
    assertEquals(KINDS, rows);
  }

  @Gate
  @Breach(in = "docs/capability-matrix.md", replace = "| `pi` |", by = "| `pie` |", named = "pie")
  void theCapabilityMatrixHasAColumnForEach(Repository repository) {
    String heads =
        repository
            .text("docs/capability-matrix.md")
            .lines()
            .filter(line -> line.startsWith("|"))
            .findFirst()
            .orElseThrow();
    assertEquals(KINDS, new TreeSet<>(kinds(heads)));
  }

  private static List<String> kinds(String text) {
    return KIND.matcher(text).results().map(kind -> kind.group(1)).toList();
  }
}
