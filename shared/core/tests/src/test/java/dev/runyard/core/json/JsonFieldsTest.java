package dev.runyard.core.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFieldsTest {
  private final ObjectNode body = JsonNodeFactory.instance.objectNode();

  private JsonFields members() {
    return JsonFields.of(body, Set.of("a", "b"));
  }

  private static Problem wrong(String pointer, String detail) {
    return new Problem(ProblemCode.INVALID_REQUEST, detail, List.of(pointer));
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.MIN_VALUE, 0.5, 10})
  void takesANumberAboveZeroUpToItsLimit(double value) {
    body.put("a", value);
    JsonFields members = members();

    assertEquals(OptionalDouble.of(value), members.optionalPositive("a", 10));
    assertEquals(OptionalDouble.empty(), members.optionalPositive("b", 10));
    assertEquals(Optional.empty(), members.problem());
  }

  @ParameterizedTest
  @ValueSource(doubles = {-1, 0, 10.000001})
  void refusesANumberThatIsNotAboveZeroOrTooLarge(double value) {
    body.put("a", value);
    JsonFields members = members();

    assertEquals(OptionalDouble.empty(), members.optionalPositive("a", 10));
    assertEquals(
        Optional.of(wrong("/a", "a must be a number above 0 and at most 10")), members.problem());
  }

  @Test
  void refusesAnotherKindOfValueInANumbersPlace() {
    body.put("a", "5").put("b", 5);
    JsonFields members = members();

    assertEquals(OptionalDouble.empty(), members.optionalPositive("a", 10));
    assertEquals(OptionalDouble.of(5), members.optionalPositive("b", 10));
    assertTrue(members.problem().isPresent());
  }

  @Test
  void takesWholeNumbersFromTheLowestToTheHighest() {
    body.put("a", 2).put("b", 7);
    JsonFields members = members();

    assertEquals(OptionalLong.of(2), members.optionalWhole("a", 2, 7));
    assertEquals(OptionalLong.of(7), members.optionalWhole("b", 2, 7));
    assertEquals(Optional.empty(), members.problem());
    assertEquals(OptionalLong.empty(), members.optionalWhole("a", 3, 7));
    assertEquals(
        Optional.of(wrong("/a", "a must be a whole number from 3 to 7")), members.problem());
  }

  @Test
  void keepsTheFirstProblemOnly() {
    body.put("a", 1).put("b", 1);
    JsonFields members = members();
    members.text("b");
    members.text("a");

    assertEquals(Optional.of(wrong("/b", "b must be a string")), members.problem());
  }

  @Test
  void readsAListUpToItsLimit() {
    body.putArray("a").add("x").add("y");
    JsonFields members = members();

    assertEquals(List.of("x", "y"), members.texts("a", 2));
    assertEquals(List.of(), members.texts("b", 2));
    assertEquals(Optional.empty(), members.problem());
    assertEquals(List.of(), members.texts("a", 1));
    assertEquals(
        Optional.of(wrong("/a", "a must be a list of at most 1 strings")), members.problem());
  }

  @Test
  void pointsToTheItemThatIsNoStringAndGivesThoseBeforeIt() {
    body.putArray("a").add("x").add(1).add("y");
    JsonFields members = members();

    assertEquals(List.of("x"), members.texts("a", 3));
    assertEquals(Optional.of(wrong("/a/1", "Each of a must be a string")), members.problem());
  }

  @Test
  void readsTheValuesOfAnObjectUpToItsLimit() {
    body.putObject("a").put("x", 1).put("y", 2);
    JsonFields members = members();

    assertEquals(List.of("x", "y"), List.copyOf(members.values("a", 2).keySet()));
    assertEquals(Optional.empty(), members.problem());
    assertTrue(members.values("a", 1).isEmpty());
    assertEquals(Optional.of(wrong("/a", "a must have at most 1 members")), members.problem());
  }

  @Test
  void namesAMemberOfAMemberWithItsWholePath() {
    body.putObject("a").put("x", 1);
    JsonFields members = members();
    members.object("a", Set.of("y"));

    assertEquals(
        Optional.of(wrong("/a/x", "There is no such member. Known members: y.")),
        members.problem());
  }
}
