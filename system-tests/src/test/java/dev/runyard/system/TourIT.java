package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.needs.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The tour, as its page has it: with curl, a shell and the command line, on a stack that takes
/// keys. First the operator goes it with the access token, then a tenant with a key.
@Needs(Outside.CURL)
final class TourIT {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh\\n(.*?)^```$");
  private static final String PORT = "7070";
  private static final String NEXT = "--- next";

  @TempDir private Path folder;

  @Test
  void goesAsThePageSays() throws Exception {
    StackFolder files = StackFolder.in(folder);
    try (SystemStack stack = SystemStack.start(files, "--access", "keys")) {
      List<List<String>> blocks = blocks();
      assertEquals(2, blocks.size(), "blocks of commands");
      List<String> tour = blocks.getFirst();
      List<String> withKey = blocks.getLast();
      List<String> again = tour.stream().filter(part -> !part.contains("ask()")).toList();

      List<String> printed =
          run(stack, files, Stream.of(tour, withKey, again).flatMap(List::stream).toList());

      String operators = went(printed.subList(tour.size() - again.size(), tour.size()));
      String tenants = went(printed.subList(tour.size() + withKey.size(), printed.size()));
      assertNotEquals(operators, tenants);
      String commands = String.join("", printed.subList(tour.size(), tour.size() + withKey.size()));
      assertTrue(commands.contains("hello") && commands.contains("completed"), commands);
      assertEquals(200, stack.api().get("/v1/runs/" + operators).status());
      assertEquals(404, stack.api().get("/v1/runs/" + tenants).status());
    }
  }

  /// What each part of the tour has to print.
  ///
  /// @return the run
  private static String went(List<String> printed) throws IOException {
    List<String> said = printed.stream().filter(text -> !text.isBlank()).toList();
    assertEquals(5, said.size(), () -> String.join(NEXT, printed));
    String run = json(said.get(0)).path("run_id").asText();
    assertTrue(run.matches("[0-9a-f-]{36}"), said.get(0));
    List<String> ids =
        Pattern.compile("(?m)^id: ?(\\d+)$")
            .matcher(said.get(1))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertEquals(1, ids.stream().filter("6"::equals).count(), said.get(1));
    assertEquals(2, ids.stream().filter("7"::equals).count(), said.get(1));
    assertEquals(ids.indexOf("7") + 1, ids.indexOf("8"), "one stream after the other");
    assertTrue(said.get(1).contains("event: task.completed"), said.get(1));
    JsonNode page = json(said.get(2));
    assertEquals(7, page.at("/events/0/sequence").asInt(), said.get(2));
    assertEquals(16, page.path("next_after").asInt(), said.get(2));
    assertEquals("run_closed", json(said.get(3)).path("code").asText(), said.get(3));
    assertEquals("/prompt", json(said.get(4)).at("/errors/0/pointer").asText(), said.get(4));
    return run;
  }

  private static JsonNode json(String text) throws IOException {
    return Api.JSON.readTree(text);
  }

  /// The parts of each block of the page, which are apart by empty lines.
  private static List<List<String>> blocks() throws IOException {
    Path home = Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
    String page = Files.readString(home.resolve("docs/tour.md"));
    return BLOCK
        .matcher(page)
        .results()
        .map((MatchResult block) -> List.of(block.group(1).strip().split("\n\n", -1)))
        .toList();
  }

  /// Runs all parts in one shell; returns what each printed.
  private List<String> run(SystemStack stack, StackFolder files, List<String> parts)
      throws IOException, InterruptedException {
    String port = Integer.toString(stack.api().uri().getPort());
    Path user = Files.createDirectories(folder.resolve("user"));
    Files.createSymbolicLink(
        Files.createDirectories(user.resolve(".cache")).resolve("runyard"), files.cache());
    ProcessBuilder cli = CommandLine.of(files.home(), List.of());
    Program.write(
        user.resolve("runyard"),
        "#!/bin/sh\nexec %s \"$@\"\n"
            .formatted(
                cli.command().stream()
                    .map(word -> "'" + word + "'")
                    .collect(Collectors.joining(" "))));
    String text =
        parts.stream()
            .map(part -> part.replace(PORT, port))
            .collect(Collectors.joining("\necho; echo '" + NEXT + "'\n"));
    Path script = Files.writeString(user.resolve("tour.sh"), text + "\n");
    List<String> command = new ArrayList<>(List.of("bash", "-u", script.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).directory(user.toFile());
    builder.environment().putAll(cli.environment());
    builder.environment().put("HOME", user.toString());
    builder.environment().put("RUNYARD_CACHE", files.cache().toString());
    builder.environment().put("RUNYARD_CONFIG", user.resolve("config").toString());
    builder.environment().put("RUNYARD_URL", stack.api().uri().toString());
    Path errors = folder.resolve("tour.err");
    Process process = builder.redirectError(errors.toFile()).start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), () -> printed);
    List<String> each = List.of(printed.split(NEXT + "\n", -1));
    assertEquals(parts.size(), each.size(), printed);
    return each;
  }
}
