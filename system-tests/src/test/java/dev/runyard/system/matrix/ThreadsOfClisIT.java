package dev.runyard.system.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.system.Api;
import dev.runyard.system.SystemStack;
import dev.runyard.system.matrix.Stand.Ran;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The genuine Codex and Claude Code in a thread: its running turn is steered, one that waits is
/// promoted, and the thread goes back to what an earlier turn left.
@Order(6)
@Timeout(900)
final class ThreadsOfClisIT {
  private static final Set<String> KINDS = Set.of("codex", "claude_code");

  /// Counts the files in the agent's home that say what one turn said, without saying so itself.
  private static final String LOOK =
      "[[sh echo found=$(grep -rlE 'say [B]eta' ~ 2>/dev/null | wc -l)]] [[say Done.]]";

  @Test
  void takesTurnsAsItIsTold() throws Exception {
    List<Subject> subjects =
        Subject.all().stream().filter(subject -> KINDS.contains(subject.kind())).toList();
    assertEquals(KINDS.size(), subjects.size());
    try (Bed bed = new Bed(subjects);
        SystemStack stack = SystemStack.start(bed.stackFolder(Map.of(), List.of()))) {
      for (Stand stand : bed.stands(stack)) {
        steersAndPromotes(stand);
        goesBack(stand);
      }
    }
  }

  private static void steersAndPromotes(Stand stand) throws Exception {
    String mark = Stand.unique();
    String extensions =
        stand.offersInteractive(Capabilities.MESSAGE)
            ? stand.subject().asking()
            : stand.subject().permitted();
    String a = turn(stand, "a", mark + " [[slow 50 300]]", extensions, "");
    assertTrue(stand.awaitModel(a, mark), "the model is asked");
    String b = turn(stand, "b", "[[say Beta.]]", "", "");
    String c = turn(stand, "c", "[[say Gamma.]]", "", "");

    assertEquals("done", command(stand, "promote_queued_turn", "c").path("outcome").asText());
    assertEquals(List.of(c, b), queue(stand));
    assertEquals(a, turn(stand, "s", "[[say Heard.]]", extensions, ",\"busy\":\"steer\""));

    Ran steered = stand.ended(a);
    assertEquals("completed", steered.status(), steered::end);
    assertTrue(steered.text().contains("Heard."), steered::text);
    assertEquals(1, steered.payloads("process.input").size());
    Ran second = stand.ended(c);
    Ran third = stand.ended(b);
    assertEquals(List.of("Gamma.", "Beta."), List.of(second.text(), third.text()));
    String ended = second.view().path("finished_at").asText();
    assertTrue(ended.compareTo(third.view().path("started_at").asText()) <= 0, ended);
  }

  private static void goesBack(Stand stand) throws Exception {
    Ran before = stand.ended(turn(stand, "before", LOOK, stand.subject().permitted(), ""));
    assertTrue(!found(before).contains("found=0"), () -> found(before));

    JsonNode back = command(stand, "rollback_thread", "c");
    assertEquals("done", back.path("outcome").asText(), back::toString);
    assertEquals(2, back.at("/result/undone").size(), back::toString);

    Ran after = stand.ended(turn(stand, "after", LOOK, stand.subject().permitted(), ""));
    assertTrue(found(after).contains("found=0"), () -> found(after));
    assertEquals("no_op", command(stand, "resume_thread", "after").path("outcome").asText());
    assertEquals("unavailable", command(stand, "rollback_thread", "b").path("outcome").asText());
  }

  private static String found(Ran ran) {
    StringBuilder said = new StringBuilder(ran.end());
    ran.payloads("tool.result")
        .forEach(result -> said.append(' ').append(result.path("preview").asText()));
    return said.toString();
  }

  private static String thread(Stand stand) {
    return "t-" + stand.subject().kind();
  }

  private static String turn(
      Stand stand, String name, String prompt, String extensions, String more) throws Exception {
    return stand.submit(
        prompt,
        extensions,
        "\"thread_id\":\"%s\",\"turn_id\":\"%s-%s\"%s"
            .formatted(thread(stand), stand.subject().kind(), name, more));
  }

  private static JsonNode command(Stand stand, String command, String turn) throws Exception {
    Api.Answer answer =
        stand
            .api()
            .post(
                "/v1/runtime/commands",
                "{\"command\":\"%s\",\"params\":{\"thread_id\":\"%s\",\"turn_id\":\"%s-%s\"}}"
                    .formatted(command, thread(stand), stand.subject().kind(), turn));
    assertEquals(200, answer.status(), () -> answer.json().toString());
    return answer.json();
  }

  private static List<String> queue(Stand stand) throws Exception {
    List<String> runs = new ArrayList<>();
    stand
        .api()
        .get("/v1/threads/" + thread(stand) + "/queue")
        .json()
        .path("queue")
        .forEach(turn -> runs.add(turn.path("run_id").asText()));
    return runs;
  }
}
