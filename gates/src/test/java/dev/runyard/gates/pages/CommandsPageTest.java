package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.Runyard;
import dev.runyard.cli.Terminal;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Repository;
import java.io.BufferedReader;
import java.io.PrintStream;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine;

/// The commands that the pages show are commands of this command line.
final class CommandsPageTest {
  private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
  private static final Pattern COMMAND = Pattern.compile("\\./runyard ([^#)\n]*)");

  private static final Pattern INLINE = Pattern.compile("`\\./runyard ([^`]+)`");

  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  @Gate
  @Breach(in = "README.md", replace = "./runyard list\n", by = "./runyard lists\n", named = "lists")
  @Breach(
      in = "README.md",
      replace = "`./runyard demo --agent echo`",
      by = "`./runyard demo --agents echo`",
      named = "demo --agents echo")
  @Breach(in = "docs/planted.md", by = "see `./runyard lst`", named = "lst")
  @Breach(
      in = "docs/planted.md",
      by = "```sh\n./runyard up --no-such-option\n```",
      named = "up --no-such-option")
  void everyShownCommandIsUnderstood(Repository repository) {
    Set<String> commands = new LinkedHashSet<>();
    for (String page : repository.files(".md")) {
      String text = repository.text(page);
      BLOCK
          .matcher(text)
          .results()
          .flatMap(block -> COMMAND.matcher(block.group(1)).results())
          .forEach(command -> commands.add(command.group(1).strip()));
      INLINE.matcher(text).results().forEach(command -> commands.add(command.group(1)));
    }
    assertTrue(commands.contains("demo"), commands.toString());
    CommandLine line = line();
    List<String> wrong = new ArrayList<>();
    for (String command : commands) {
      try {
        line.parseArgs(words(command));
      } catch (CommandLine.ParameterException e) {
        if (!(e instanceof CommandLine.MissingParameterException && isName(command))) {
          wrong.add(command + ": " + e.getMessage());
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  /// True for a command that running text calls by its name alone.
  private static boolean isName(String command) {
    return !command.contains(" ");
  }

  private static String[] words(String command) {
    return WORD.matcher(command)
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .toArray(String[]::new);
  }

  private static CommandLine line() {
    PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
    return Runyard.line(
        new Terminal(
            nowhere, nowhere, new BufferedReader(new StringReader("")), Map.of(), false, false),
        _ -> {
          throw new IllegalStateException("nothing is started");
        });
  }
}
