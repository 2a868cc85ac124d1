package dev.runyard.system.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.system.Api;
import dev.runyard.system.SystemStack;
import dev.runyard.system.matrix.Stand.Ran;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// The genuine Codex and Claude Code in a thread: its running turn is steered, one that waits is
/// promoted, each knows what was said in those before, and nothing of those that were taken back.
///
/// A prompt without directives has the model do what the last script in its conversation says.
@Order(6)
final class ThreadsOfClisIT {
  private static final Set<String> KINDS = Set.of("codex", "claude_code");
  private static final String STEER = ",\"busy\":\"steer\"";
  private static final String AGAIN = "Say it again.";
  private static final String HEARD = "[[say Heard.]]";

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
    String free = stand.subject().permitted();
    String alone = Stand.unique();
    String a;
    String b;
    String c;
    try (Exchanges.Hold _ = stand.hold(alone)) {
      String answering = Stand.unique();
      try (Exchanges.Hold _ = stand.hold(answering)) {
        String thinking = Stand.unique();
        try (Exchanges.Hold _ = stand.hold(thinking)) {
          a = turn(stand, "a", first(stand, thinking, answering), talks(stand));
          assertTrue(stand.awaitModel(a, thinking), "the model is asked");
          b = turn(stand, "b", AGAIN, free);
          c = turn(stand, "c", alone + " [[say Gamma.]]", free);
          assertEquals(List.of(b, c), queue(stand));

          assertEquals("done", outcome(stand, "promote_queued_turn", "c"));
          assertEquals(List.of(c, b), queue(stand));
          assertEquals(List.of(a, c, b), promoted(stand));
          steer(stand, a);
          if (takesAtOnce(stand)) {
            stand.api().until(a, "process.input");
          }
        }
        stand.api().until(a, "process.input");
      }
      assertTrue(stand.awaitModel(c, alone), "the promoted turn is the next");
      assertEquals("created", stand.api().view(b).path("status").asText());
      refusesWhereItTakesNone(stand);
    }
    Ran steered = stand.ended(a);
    assertEquals("completed", steered.status(), steered::end);
    assertTrue(steered.text().contains("Heard."), () -> told(steered));
    assertEquals(1, steered.payloads("process.input").size(), () -> told(steered));
    Ran second = stand.ended(c);
    Ran third = stand.ended(b);
    assertEquals("Gamma.", second.text(), () -> told(second));
    assertEquals("Gamma.", third.text(), () -> told(third));
    assertEquals(steered.nativeSession(), third.nativeSession());
    assertFalse(at(third, "started_at").isBefore(at(second, "finished_at")), () -> told(third));
  }

  /// The prompt of the turn that is steered. An agent that takes a message only once its model has
  /// begun to answer has a tool to call before it says something.
  private static String first(Stand stand, String thinking, String answering) {
    return thinking
        + (takesAtOnce(stand)
            ? " [[say Alpha.]]"
            : " [[sh true]] " + answering + " [[say Alpha.]]");
  }

  private static boolean takesAtOnce(Stand stand) {
    return stand.offersInteractive(Capabilities.MESSAGE);
  }

  /// The extensions of a turn that takes messages.
  private static String talks(Stand stand) {
    return takesAtOnce(stand) ? stand.subject().asking() : stand.subject().permitted();
  }

  /// By command, and once more as if the answer had been lost.
  private static void steer(Stand stand, String running) throws Exception {
    String body =
        "{\"command\":\"submit_turn\",\"params\":%s}"
            .formatted(stand.body(HEARD, talks(stand), named(stand, "s") + STEER));
    for (int i = 0; i < 2; i++) {
      JsonNode steered = command(stand, body);
      assertEquals("accepted", steered.path("outcome").asText(), steered::toString);
      assertEquals(running, steered.at("/ids/run_id").asText(), steered::toString);
    }
  }

  private static void refusesWhereItTakesNone(Stand stand) throws Exception {
    if (!stand.offers(Capabilities.MESSAGE)) {
      Api.Answer refused =
          stand
              .api()
              .post(
                  "/v1/runs",
                  stand.body(HEARD, stand.subject().permitted(), named(stand, "n") + STEER));
      assertEquals("unsupported_capability", refused.code(), () -> refused.json().toString());
    }
  }

  private static void goesBack(Stand stand) throws Exception {
    assertEquals("done", outcome(stand, "rollback_thread", "a"));
    Ran after = stand.ended(turn(stand, "after", AGAIN, stand.subject().permitted()));
    assertEquals("Heard.", after.text(), () -> told(after));
  }

  private static Instant at(Ran ran, String member) {
    return Instant.parse(ran.view().path(member).asText());
  }

  private static String told(Ran ran) {
    return ran.end() + " " + ran.text() + " " + ran.events();
  }

  private static String thread(Stand stand) {
    return "t-" + stand.subject().kind();
  }

  private static String turn(Stand stand, String name, String prompt, String extensions)
      throws Exception {
    return stand.submit(prompt, extensions, named(stand, name));
  }

  private static String named(Stand stand, String name) {
    return "\"thread_id\":\"%s\",\"turn_id\":\"%s-%s\""
        .formatted(thread(stand), stand.subject().kind(), name);
  }

  private static String outcome(Stand stand, String command, String turn) throws Exception {
    return command(
            stand, "{\"command\":\"%s\",\"params\":{%s}}".formatted(command, named(stand, turn)))
        .path("outcome")
        .asText();
  }

  private static JsonNode command(Stand stand, String body) throws Exception {
    Api.Answer answer = stand.api().post("/v1/runtime/commands", body);
    assertEquals(200, answer.status(), () -> answer.json().toString());
    return answer.json();
  }

  private static List<String> queue(Stand stand) throws Exception {
    JsonNode answer = stand.api().get("/v1/threads/" + thread(stand) + "/queue").json();
    return texts(answer.path("queue"), "run_id");
  }

  /// The whole order as the change of it is told.
  private static List<String> promoted(Stand stand) throws Exception {
    JsonNode events =
        stand.api().get("/v1/threads/" + thread(stand) + "/events").json().path("events");
    for (JsonNode event : events) {
      if (event.at("/payload/change").asText().equals("promoted")) {
        assertEquals("queue.changed", event.path("type").asText());
        return texts(event.at("/payload/turns"), "runId");
      }
    }
    return List.of();
  }

  private static List<String> texts(JsonNode list, String member) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.path(member).asText()));
    return texts;
  }
}
