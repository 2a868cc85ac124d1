package dev.runyard.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What people expect to find in an open project is there, and true.
final class ProjectFilesTest {
  private static final Pattern FIRST_CELL =
      Pattern.compile("^\\| `([^`]+\\.[a-zA-Z]+)` \\|", Pattern.MULTILINE);
  private static final Pattern COMMANDS =
      Pattern.compile("## Two commands\n\n```sh\n(.+)\n(.+)\n```");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LICENSE",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CHANGELOG.md",
        "CODE_OF_CONDUCT.md",
        ".editorconfig",
        ".github/workflows/build.yml",
        ".github/dependabot.yml",
        ".github/pull_request_template.md",
        ".github/ISSUE_TEMPLATE/bug.yml"
      })
  void isThere(String file) {
    assertTrue(Files.isRegularFile(Repository.HOME.resolve(file)), file);
  }

  @Test
  void theFilesThatAChangeTouchesExist() {
    List<String> named =
        FIRST_CELL.matcher(text("CONTRIBUTING.md")).results().map(it -> it.group(1)).toList();
    assertTrue(named.size() > 10, named::toString);
    assertEquals(
        List.of(),
        named.stream().filter(file -> !Files.exists(Repository.HOME.resolve(file))).toList());
  }

  @Test
  void theBuildServerRunsTheTestCommandOfTheReadme() {
    Matcher commands = COMMANDS.matcher(text("README.md"));
    assertTrue(commands.find());
    assertEquals("./runyard demo", commands.group(1));
    assertTrue(
        text(".ci/run").lines().anyMatch(line -> line.startsWith(commands.group(2) + " <")),
        commands.group(2));
    assertTrue(text(".github/workflows/build.yml").contains("run: .ci/run"));
    assertTrue(Files.isExecutable(Repository.HOME.resolve(".ci/run")));
  }

  @Test
  void theLicenceIsOneEverywhere() {
    assertTrue(text("LICENSE").contains("Apache License\n                           Version 2.0"));
    assertTrue(text("pom.xml").contains("<name>Apache-2.0</name>"));
    assertTrue(text("README.md").contains("[Apache License 2.0](LICENSE)"));
  }

  private static String text(String file) {
    return Repository.read(Repository.HOME.resolve(file));
  }
}
