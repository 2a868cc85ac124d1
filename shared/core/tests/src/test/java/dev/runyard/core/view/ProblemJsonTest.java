package dev.runyard.core.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class ProblemJsonTest {

  @ParameterizedTest
  @EnumSource
  void endsEveryDetailWithOneFullStop(ProblemCode code) {
    for (String said : new String[] {"prompt must not be empty", "prompt must not be empty."}) {
      String detail = ProblemJson.of(Problem.of(code, said)).path("detail").textValue();

      assertTrue(detail.startsWith("prompt must not be empty."), detail);
      assertTrue(detail.endsWith(".") && !detail.endsWith(".."), detail);
    }
  }

  @Test
  void saysWhereTheAgentsAreListed() {
    Problem problem = Problem.of(ProblemCode.UNKNOWN_BACKEND, "unknown backend: x");

    assertEquals(
        "unknown backend: x. GET /v1/agents lists the agents there are.",
        ProblemJson.of(problem).path("detail").textValue());
  }

  @Test
  void writesJsonInATitleAsItIsWritten() {
    Problem problem = Problem.of(ProblemCode.MALFORMED_JSON, "The body must be JSON.");

    assertEquals("Malformed JSON", ProblemJson.of(problem).path("title").textValue());
  }
}
