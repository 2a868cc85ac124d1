package dev.runyard.gates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What people expect to find in an open project is there, and true.
final class ProjectFilesTest {
  private static final List<String> EXPECTED =
      List.of(
          "LICENSE",
          "CONTRIBUTING.md",
          "SECURITY.md",
          "CHANGELOG.md",
          "CODE_OF_CONDUCT.md",
          ".editorconfig",
          ".github/workflows/build.yml",
          ".github/dependabot.yml",
          ".github/pull_request_template.md",
          ".github/ISSUE_TEMPLATE/bug.yml");

  private static final Map<String, String> LICENCE =
      Map.of(
          "LICENSE", "Apache License\n                           Version 2.0",
          "pom.xml", "<name>Apache-2.0</name>",
          "README.md", "[Apache License 2.0](LICENSE)");

  private static final Pattern FIRST_CELL =
      Pattern.compile("^\\| `([^`]+\\.[a-zA-Z]+)` \\|", Pattern.MULTILINE);
  private static final Pattern COMMANDS =
      Pattern.compile("## Two commands\n\n```sh\n(.+)\n(.+)\n```");

  @Gate
  @Breach(in = "SECURITY.md", by = "", named = "SECURITY.md")
  void whatPeopleLookForIsThere(Repository repository) {
    assertEquals(List.of(), EXPECTED.stream().filter(file -> !repository.has(file)).toList());
  }

  @Gate
  @Breach(
      in = "CONTRIBUTING.md",
      replace = "`docs/events.md`",
      by = "`docs/gone.md`",
      named = "docs/gone.md")
  void theFilesThatAChangeTouchesExist(Repository repository) {
    List<String> named =
        FIRST_CELL
            .matcher(repository.text("CONTRIBUTING.md"))
            .results()
            .map(cell -> cell.group(1))
            .toList();
    assertTrue(named.size() > 10, named::toString);
    assertEquals(List.of(), named.stream().filter(file -> !repository.has(file)).toList());
  }

  @Gate
  @Breach(in = "README.md", replace = "./runyard demo\n", by = "./runyard try\n", named = "try")
  @Breach(in = ".ci/run", replace = "mvn verify <", by = "mvn test <", named = "mvn verify")
  @Breach(
      in = ".github/workflows/build.yml",
      replace = "run: .ci/run",
      by = "run: mvn test",
      named = "run: .ci/run")
  void theBuildServerRunsTheTestCommandOfTheReadme(Repository repository) {
    Matcher commands = COMMANDS.matcher(repository.text("README.md"));
    assertTrue(commands.find());
    assertEquals("./runyard demo", commands.group(1));
    assertTrue(
        repository
            .text(".ci/run")
            .lines()
            .anyMatch(line -> line.startsWith(commands.group(2) + " <")),
        commands.group(2));
    String step = "- run: .ci/run";
    assertTrue(
        repository
            .text(".github/workflows/build.yml")
            .lines()
            .anyMatch(it -> it.strip().equals(step)),
        step);
    assertTrue(Files.isExecutable(Repository.HOME.resolve(".ci/run")));
  }

  @Gate
  @Breach(in = "LICENSE", replace = "Version 2.0", by = "Version 1.1", named = "LICENSE")
  @Breach(in = "pom.xml", replace = "Apache-2.0", by = "MIT", named = "pom.xml")
  @Breach(in = "README.md", replace = "[Apache License 2.0]", by = "[MIT]", named = "README.md")
  void theLicenceIsOneEverywhere(Repository repository) {
    List<String> others =
        LICENCE.keySet().stream()
            .filter(file -> !repository.text(file).contains(LICENCE.getOrDefault(file, "")))
            .toList();
    assertEquals(List.of(), others);
  }
}
