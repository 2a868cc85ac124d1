package dev.runyard.core.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.request.RunRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The bounds of a submit.
final class BoundsReaderTest {
  private static final RunRequestReader READER = new RunRequestReader(AgentCatalog.builtIn());

  @Test
  void readsTheBoundsOfARun() {
    RunRequest request =
        accepted(
            """
            {"agent": "codex", "prompt": "Fix it", "max_turns": 3, "max_tokens": 5000000000,
             "idle_timeout_seconds": 0, "action_timeout_seconds": 60}
            """);

    assertEquals(new RunBounds(3, 5_000_000_000L, null, 0, 60), request.bounds());
    assertEquals(RunBounds.NONE, accepted("{\"agent\":\"echo\",\"prompt\":\"hi\"}").bounds());
  }

  @Test
  void refusesABoundTheAgentCannotBeHeldTo() {
    for (String wrong :
        List.of(
            "max_turns 1 runyard.limits.turns.v1 echo",
            "max_tokens 1 runyard.limits.tokens.v1 gemini_cli",
            "max_cost_usd 1 runyard.limits.cost.v1 claude_code")) {
      String[] part = wrong.split(" ", -1);
      Problem problem =
          rejected(
              "{\"agent\":\"%s\",\"prompt\":\"hi\",\"%s\":%s}"
                  .formatted(part[3], part[0], part[1]));
      assertEquals(ProblemCode.UNSUPPORTED_CAPABILITY, problem.code());
      assertEquals(List.of("/" + part[0]), problem.pointers());
      assertEquals(
          "unsupported capability for %s: %s".formatted(part[3], part[2]), problem.detail());
    }
  }

  @Test
  void takesABoundOnTheCostWhereEveryTokenHasAPrice() {
    AgentCatalog catalog = AgentCatalog.builtIn();
    RunRequestReader priced =
        new RunRequestReader(
            catalog.granted(
                AgentSettings.parse(
                    "{\"agents\":{\"pi\":{\"prices\":{\"*\":{\"input\":1,\"output\":2}}}}}",
                    catalog)));
    String body = "{\"agent\":\"%s\",\"prompt\":\"hi\",\"max_cost_usd\":0.25}";

    RunRequestReader.Result.Accepted accepted =
        assertInstanceOf(
            RunRequestReader.Result.Accepted.class,
            priced.read(body.formatted("pi").getBytes(StandardCharsets.UTF_8)));

    assertEquals(new RunBounds(null, null, 0.25, null, null), accepted.request().bounds());
    assertInstanceOf(
        RunRequestReader.Result.Rejected.class,
        priced.read(body.formatted("qwen").getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @CsvSource({
    "max_turns,0",
    "max_turns,100001",
    "max_tokens,0",
    "max_tokens,1000000000001",
    "max_tokens,9223372036854775808",
    "max_tokens,1.5",
    "idle_timeout_seconds,-1",
    "idle_timeout_seconds,39601",
    "action_timeout_seconds,0",
    "action_timeout_seconds,604801"
  })
  void refusesWhatIsNoBound(String member, String value) {
    Problem problem = rejected(body("\"%s\":%s".formatted(member, value)));

    assertEquals(ProblemCode.INVALID_REQUEST, problem.code());
    assertEquals(List.of("/" + member), problem.pointers());
  }

  @Test
  void takesTheGreatest() {
    accepted(
        body(
            "\"max_turns\":100000,\"max_tokens\":1000000000000,"
                + "\"idle_timeout_seconds\":39600,\"action_timeout_seconds\":604800"));
  }

  private static String body(String members) {
    return "{\"agent\":\"codex\",\"prompt\":\"hi\"," + members + "}";
  }

  private static RunRequest accepted(String json) {
    return switch (READER.read(json.getBytes(StandardCharsets.UTF_8))) {
      case RunRequestReader.Result.Accepted accepted -> accepted.request();
      case RunRequestReader.Result.Rejected rejected ->
          throw new AssertionError(rejected.problem().toString());
    };
  }

  private static Problem rejected(String json) {
    return assertInstanceOf(
            RunRequestReader.Result.Rejected.class,
            READER.read(json.getBytes(StandardCharsets.UTF_8)))
        .problem();
  }
}
