package dev.runyard.core.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.runyard.core.event.ActionDecision;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DecisionReaderTest {
  @Test
  void readsWhatPeopleMayDecide() {
    assertEquals(ActionDecision.APPROVE, accepted("{\"decision\":\"approve\"}").decision());
    assertEquals(ActionDecision.DENY, accepted("{\"decision\":\"deny\"}").decision());
    assertEquals(ActionDecision.ANSWER, accepted("{\"decision\":\"answer\"}").decision());
  }

  @Test
  void thePayloadIsAnyJsonOrAbsent() {
    assertNull(accepted("{\"decision\":\"answer\"}").payload());
    for (String payload : List.of("\"left\"", "1", "false", "[1]", "{\"a\":null}")) {
      assertEquals(
          payload,
          String.valueOf(
              accepted("{\"decision\":\"answer\",\"payload\":" + payload + "}").payload()));
    }
  }

  @Test
  void refusesWhatOnlyRunyardDecides() {
    for (String decision : List.of("timed_out", "cancelled", "maybe", "")) {
      Problem problem = rejected("{\"decision\":\"" + decision + "\"}");

      assertEquals(ProblemCode.INVALID_REQUEST, problem.code());
      assertEquals(List.of("/decision"), problem.pointers());
    }
  }

  @Test
  void refusesEverythingElse() {
    for (String body : List.of("", "x", "[]", "{}", "{\"decision\":1}")) {
      rejected(body);
    }
    assertEquals(List.of("/by"), rejected("{\"decision\":\"deny\",\"by\":\"me\"}").pointers());
  }

  @Test
  void boundsThePayload() {
    String most = "x".repeat(Limits.DECISION_BYTES_MAX - 2);
    accepted("{\"decision\":\"answer\",\"payload\":\"" + most + "\"}");

    Problem problem = rejected("{\"decision\":\"answer\",\"payload\":\"" + most + "x\"}");

    assertEquals(List.of("/payload"), problem.pointers());
  }

  private static DecisionReader.Result.Accepted accepted(String body) {
    return assertInstanceOf(DecisionReader.Result.Accepted.class, read(body), body);
  }

  private static Problem rejected(String body) {
    return assertInstanceOf(DecisionReader.Result.Rejected.class, read(body), body).problem();
  }

  private static DecisionReader.Result read(String body) {
    return DecisionReader.read(body.getBytes(StandardCharsets.UTF_8));
  }
}
