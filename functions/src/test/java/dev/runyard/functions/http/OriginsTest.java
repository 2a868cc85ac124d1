package dev.runyard.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class OriginsTest {
  private static final String OWN = "https://api.example.com";
  private static final String LISTED = "https://app.example.com";
  private static final Origins ORIGINS = new Origins(Set.of(LISTED));

  @Test
  void refusesPagesOfOtherOriginsAlone() {
    assertEquals(Optional.empty(), ORIGINS.refusal(null, OWN));
    assertEquals(Optional.empty(), ORIGINS.refusal(OWN, OWN));
    assertEquals(Optional.empty(), ORIGINS.refusal(LISTED, OWN));
    for (String other : new String[] {"null", "", LISTED + ".evil.example", LISTED + ":444"}) {
      assertEquals(
          Optional.of(ProblemCode.FORBIDDEN_ORIGIN),
          ORIGINS.refusal(other, OWN).map(Problem::code),
          other);
    }
    assertEquals(
        Optional.of(ProblemCode.FORBIDDEN_ORIGIN),
        new Origins(Set.of()).refusal(LISTED, OWN).map(Problem::code));
  }

  @Test
  void letsListedPagesReadAndNobodyWithCookies() {
    Map<String, String> headers = ORIGINS.headers(LISTED);
    assertEquals(LISTED, headers.get("Access-Control-Allow-Origin"));
    assertEquals("Origin", headers.get("Vary"));
    assertFalse(headers.containsKey("Access-Control-Allow-Credentials"));
    assertEquals(Map.of("Vary", "Origin"), ORIGINS.headers("https://other.example"));
    assertEquals(Map.of("Vary", "Origin"), ORIGINS.headers(null));
    assertEquals(Map.of(), new Origins(Set.of()).headers(LISTED));
  }
}
