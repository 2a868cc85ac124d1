package dev.runyard.functions.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.problem.ProblemCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class QueryTest {
  private static final Set<String> KNOWN = Set.of("a", "b");

  @Test
  void readsWhatIsThere() {
    Query query = Query.parse("a=x%20y+z&b=7", KNOWN);

    assertEquals(Optional.of("x y z"), query.text("a"));
    assertEquals(7, query.whole("b", 0, 9, 1));
    assertEquals(5, query.whole("c", 0, 9, 5));
    assertEquals(Optional.empty(), query.problem());
    assertEquals(Optional.empty(), Query.parse(null, KNOWN).problem());
    assertEquals(Optional.empty(), Query.parse("", KNOWN).problem());
  }

  @ParameterizedTest
  @ValueSource(strings = {"c=1", "a=1&a=2", "a=%zz", "a=%", "&", "=", "a=1&", "%61=1&a=2"})
  void refusesWhatIsUnknownTwiceOrBroken(String raw) {
    assertTrue(Query.parse(raw, KNOWN).problem().isPresent());
  }

  @Test
  void keepsTheFirstProblem() {
    Query query = Query.of(Map.of("a", List.of("x")), KNOWN);
    query.whole("a", 0, 9, 0);
    query.refuse(ProblemCode.NOT_FOUND, "later");

    assertEquals("a must be a whole number from 0 to 9.", query.problem().orElseThrow().detail());
  }
}
