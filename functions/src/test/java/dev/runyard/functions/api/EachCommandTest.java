package dev.runyard.functions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.runtime.CommandNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each command by itself, with the answers that docs/conformance.md says it has.
final class EachCommandTest {
  private static final Path PAGE = Path.of("..", "docs", "conformance.md");
  private static final String SECTION = "## Agent Runtime commands\n";
  private static final Pattern CODE = Pattern.compile("`([a-z_]+)`");

  private final CommandWorld world = new CommandWorld();

  @Test
  void thePageHasEveryCommand() {
    assertEquals(Set.copyOf(CommandNames.all()), page().keySet());
    assertEquals(53, page().size());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void answersAsThePageSays(String command) {
    Objects.requireNonNull(CommandScripts.all().get(command), command).accept(world);

    assertEquals(page().get(command), world.answers());
  }

  @ParameterizedTest
  @MethodSource("built")
  void storesNothingForAMemberThatItDoesNotKnow(String command) {
    ObjectNode params = params(command).put("other_member", 1);

    refusedAt("/params/other_member", command, params);
  }

  @ParameterizedTest
  @MethodSource("built")
  void storesNothingForAMemberOfAnotherType(String command) {
    List<String> members = params(command).properties().stream().map(Map.Entry::getKey).toList();
    assertTrue(!members.isEmpty());
    for (String member : members) {
      ObjectNode params = params(command);
      JsonNode given = params.get(member);
      params.remove(member);
      ObjectNode wrong =
          given.isNumber() || given.isBoolean() ? params.put(member, "x") : params.put(member, 7);

      refusedAt("/params/" + member, command, wrong);
    }
  }

  private void refusedAt(String pointer, String command, ObjectNode params) {
    switch (command) {
      case "update_task" -> world.task("x", "");
      case "add_job_items" -> world.job(false);
      case String _ -> {}
    }
    int before = world.stored();
    String text = params.toString();
    APIGatewayProxyResponseEvent answer =
        world.command(command, text.substring(1, text.length() - 1));

    assertEquals(400, answer.getStatusCode(), () -> command + text + answer.getBody());
    JsonNode problem = Client.json(answer);
    assertEquals("invalid_request", problem.path("code").textValue());
    assertEquals(pointer, problem.at("/errors/0/pointer").textValue(), answer.getBody());
    assertEquals(before, world.stored());
  }

  /// Every member of a command's params.
  private static ObjectNode params(String command) {
    String thread = "'thread_id':'t-1'";
    String turn = thread + ",'turn_id':'a'";
    String task = "'task_id':'x'";
    String job = "'job_id':'j1'";
    String window = "'limit':1,'cursor':'c'";
    String edge = task + ",'kind':'blocks','to':'y','reason':'r'";
    String params =
        switch (command) {
          case "submit_turn" ->
              turn
                  + ",'agent':'echo','prompt':'hi','session_id':'s-1','busy':'queue','tags':{},"
                  + "'timeout_seconds':9,'task_id':'x'";
          case "interrupt_turn" -> turn + ",'queued':'keep','reason':'r'";
          case "remove_queued_turn", "promote_queued_turn", "resume_thread", "rollback_thread" ->
              turn;
          case "respond_action" -> "'action_id':'a','decision':'answer'";
          case "get_session" -> "'session_id':'s-1','view':'lime'," + window;
          case "get_thread_read" -> thread + ",'view':'lime'," + window;
          case "create_job" ->
              job + ",'session_id':'s-1','request':{'agent':'echo'},'items':[],'concurrency':1";
          case "add_job_items" -> job + ",'items':[{'prompt':'a'}]";
          case "start_job", "get_job" -> job;
          case "cancel_job" -> job + ",'reason':'r'";
          case "retry_job_item" -> job + ",'item':1";
          case "report_job_item" -> job + ",'item':1,'note':'n'";
          case "list_jobs", "list_tasks" -> window;
          case "create_task" -> task + ",'title':'t','request':{'agent':'echo'},'draft':true";
          case "update_task" -> task + ",'title':'t','priority':1";
          case "start_task" -> task + ",'request':{'prompt':'p'}";
          case "retry_task" -> task + ",'reason':'r','request':{'prompt':'p'}";
          case "append_task_progress" -> task + ",'message':'m','percent':1";
          case "pause_task", "cancel_task", "fail_task" -> task + ",'reason':'r'";
          case "complete_task" -> task + ",'summary':'s'";
          case "resume_task", "archive_task", "get_task" -> task;
          case "link_tasks", "unlink_tasks" -> edge;
          case String _ -> throw new AssertionError(command);
        };
    try {
      return (ObjectNode) JsonFormat.JSON.readTree("{" + params.replace('\'', '"') + "}");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<String> commands() {
    return CommandNames.all().stream();
  }

  static Stream<String> built() {
    return CommandNames.BUILT.stream();
  }

  /// The outcomes and codes of each command.
  private static Map<String, Set<String>> page() {
    try {
      String page = Files.readString(PAGE);
      String section = page.substring(page.indexOf(SECTION) + SECTION.length());
      Map<String, Set<String>> commands = new TreeMap<>();
      section
          .lines()
          .takeWhile(line -> !line.startsWith("## "))
          .filter(line -> line.startsWith("| ") && !line.startsWith("| id |"))
          .map(line -> line.split("\\|", -1))
          .forEach(cells -> commands.put(cells[1].strip(), codes(cells[2])));
      return commands;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> codes(String cell) {
    return CODE.matcher(cell)
        .results()
        .map((MatchResult found) -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
