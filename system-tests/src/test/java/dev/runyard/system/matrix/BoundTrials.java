package dev.runyard.system.matrix;

import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.problem.Failure;
import dev.runyard.system.Api;
import dev.runyard.system.SystemStack;
import dev.runyard.system.matrix.Stand.Ran;
import java.util.List;

/// Bounds of a request that end a run whose agent would continue. The model hangs after the point
/// where a bound should have ended the run, and the run time ends it if no bound does.
final class BoundTrials {
  private static final int TURNS = 2;
  private static final int CALL_TOKENS = 60_000;
  private static final int TOKENS = 100_000;
  private static final int IDLE_SECONDS = 20;
  private static final String PATIENCE = "\"timeout_seconds\":600,";

  private BoundTrials() {}

  static List<Trial> all() {
    return List.of(
        trial("more answers than `max_turns`: `max_turns_reached`", BoundTrials::turns),
        trial("more tokens than `max_tokens`: `max_tokens_reached`", BoundTrials::tokens),
        trial("silent for `idle_timeout_seconds`: `idle_timeout`", BoundTrials::idle));
  }

  private static Trial trial(String title, Trial.Course course) {
    return new Trial(Trial.Group.BOUNDS, title, course);
  }

  private static Cell turns(Stand stand) throws Exception {
    return bounded(
        stand,
        Capabilities.TURN_LIMIT,
        "\"max_turns\":" + TURNS,
        "[[sh true]] ".repeat(TURNS + 1) + "[[hang]]",
        Failure.MAX_TURNS_REACHED);
  }

  private static Cell tokens(Stand stand) throws Exception {
    return bounded(
        stand,
        Capabilities.TOKEN_LIMIT,
        "\"max_tokens\":" + TOKENS,
        "[[usage %d 1]] [[sh true]] ".formatted(CALL_TOKENS).repeat(2) + "[[hang]]",
        Failure.MAX_TOKENS_REACHED);
  }

  /// A request with a bound that the agent does not offer must be refused.
  private static Cell bounded(
      Stand stand, String capability, String bound, String prompt, String code) throws Exception {
    if (stand.offers(capability)) {
      return stopped(stand, bound, prompt, code);
    }
    Api.Answer answer =
        stand.api().post("/v1/runs", stand.body(prompt, stand.subject().permitted(), bound));
    return answer.code().equals("unsupported_capability")
        ? new Cell.NotOffered()
        : new Cell.Fails("a request with it is answered with " + answer.status());
  }

  private static Cell idle(Stand stand) throws Exception {
    return stopped(
        stand, "\"idle_timeout_seconds\":" + IDLE_SECONDS, "[[hang]]", Failure.IDLE_TIMEOUT);
  }

  /// The agent is ended, or ends by itself once its next call of the model is refused.
  private static Cell stopped(Stand stand, String bound, String prompt, String code)
      throws Exception {
    Ran ran =
        stand.failed(stand.submit(prompt, stand.subject().permitted(), PATIENCE + bound), code);
    return Trial.check(
        ran.status().equals("failed")
            && ran.code().equals(code)
            && ran.payloads("process.terminated").size() <= 1
            && SystemStack.agents(ran.id()).isEmpty(),
        ran.end());
  }
}
