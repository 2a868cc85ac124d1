package dev.runyard.core.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.interaction.Action;
import dev.runyard.core.interaction.Question;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ActionJsonTest {
  private static final Instant ASKED = Instant.parse("2026-03-01T12:00:00Z");
  private static final Action PENDING =
      Action.of(
          new Question(
                  "a-1", ActionType.QUESTION, "Which?", null, List.of("left", "right"), 60, null)
              .asked(ASKED),
          ASKED,
          7);

  @Test
  void saysWhatIsAskedAndWhichAnswersThereAre() {
    JsonNode json = ActionJson.of(PENDING);

    assertEquals("pending", json.path("status").textValue());
    assertEquals("[\"left\",\"right\"]", json.path("choices").toString());
    for (String member : List.of("decision", "answer", "decided_by", "decided_at")) {
      assertTrue(json.path(member).isNull(), member);
    }
  }

  @Test
  void saysWhoDecidedWhatAndWhen() {
    Action decided =
        PENDING.resolved(
            new Action.Resolution(
                9,
                ASKED.plusSeconds(5),
                ActionDecision.ANSWER,
                Question.answer("left"),
                "somebody"));

    JsonNode json = ActionJson.of(decided);

    assertEquals("decided", json.path("status").textValue());
    assertEquals("answer", json.path("decision").textValue());
    assertEquals("left", json.path("answer").textValue());
    assertEquals("somebody", json.path("decided_by").textValue());
    assertEquals("2026-03-01T12:00:05Z", json.path("decided_at").textValue());
  }
}
