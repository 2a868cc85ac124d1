package dev.runyard.core.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
  @Test
  void allowsOnlyTheFailuresItNames() {
    RetryPolicy policy = new RetryPolicy(3, List.of("agent_error", "timed_out"), 0);

    assertTrue(policy.allows(1, "agent_error"));
    assertTrue(policy.allows(2, "timed_out"));
    assertFalse(policy.allows(1, "launch_failed"));
    assertFalse(policy.allows(3, "agent_error"));
  }

  @Test
  void takesAStarForEveryFailure() {
    RetryPolicy policy = new RetryPolicy(2, List.of(RetryPolicy.ANY), 0);

    assertTrue(policy.allows(1, "whatever"));
    assertFalse(policy.allows(2, "whatever"));
  }

  @Test
  void neverRetriesUnlessAsked() {
    assertFalse(RetryPolicy.NEVER.allows(1, "agent_error"));
    assertFalse(new RetryPolicy(10, List.of(), 0).allows(1, "agent_error"));
  }

  @Test
  void doublesThePauseUpToTheLongestAMessageCanHave() {
    RetryPolicy policy = new RetryPolicy(10, List.of("*"), 100);

    assertEquals(
        List.of(100, 200, 400, 800, 900, 900),
        IntStream.rangeClosed(1, 6).mapToObj(policy::delaySeconds).toList());
    assertEquals(900, new RetryPolicy(10, List.of("*"), 900).delaySeconds(1000));
    assertEquals(0, new RetryPolicy(10, List.of("*"), 0).delaySeconds(5));
  }

  @Test
  void refusesWhatCannotBeDone() {
    assertThrows(IllegalArgumentException.class, () -> new RetryPolicy(0, List.of(), 0));
    assertThrows(
        IllegalArgumentException.class,
        () -> new RetryPolicy(RetryPolicy.ATTEMPTS_MAX + 1, List.of(), 0));
    assertThrows(IllegalArgumentException.class, () -> new RetryPolicy(1, List.of(), -1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new RetryPolicy(1, List.of(), RetryPolicy.BACKOFF_SECONDS_MAX + 1));
  }
}
