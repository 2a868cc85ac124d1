package dev.runyard.gates.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.cli.Runyard;
import dev.runyard.cli.Terminal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/// The commands that README.md and the pages under docs/ show are commands of this command line.
final class CommandsPageTest {
  private static final Path HOME =
      Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
  private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
  private static final Pattern COMMAND = Pattern.compile("\\./runyard ([^#)\n]*)");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  @Test
  void everyShownCommandIsUnderstood() throws IOException {
    List<String> commands = new ArrayList<>();
    for (Path page : pages()) {
      BLOCK
          .matcher(Files.readString(page))
          .results()
          .flatMap(block -> COMMAND.matcher(block.group(1)).results())
          .forEach(command -> commands.add(command.group(1).strip()));
    }
    assertTrue(commands.contains("demo"), commands.toString());
    List<String> wrong = new ArrayList<>();
    for (String command : commands) {
      try {
        line().parseArgs(words(command));
      } catch (CommandLine.ParameterException e) {
        wrong.add(command + ": " + e.getMessage());
      }
    }
    assertEquals(List.of(), wrong);
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(HOME.resolve("docs"))) {
      return Stream.concat(
              Stream.of(HOME.resolve("README.md")),
              docs.filter(file -> file.toString().endsWith(".md")))
          .toList();
    }
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
