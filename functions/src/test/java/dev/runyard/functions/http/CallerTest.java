package dev.runyard.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.access.Scope;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class CallerTest {
  private final Caller reader = new Caller("shop", "key:1", Set.of(Scope.RUNS_READ));

  @Test
  void mayCallWhatItsScopesAllowAndWhatIsOpen() {
    assertEquals(Optional.empty(), reader.refusal(Optional.of(Scope.RUNS_READ)));
    assertEquals(Optional.empty(), reader.refusal(Optional.empty()));
  }

  @Test
  void isToldWhichScopeItLacks() {
    assertEquals(
        Optional.of(
            Problem.of(
                ProblemCode.SCOPE_MISSING,
                "This needs the scope runs:write. Use a key or token that has it.")),
        reader.refusal(Optional.of(Scope.RUNS_WRITE)));
  }
}
