package dev.runyard.system.matrix;

import dev.runyard.core.agent.Capabilities;
import dev.runyard.system.Api;
import dev.runyard.system.SystemStack;
import dev.runyard.system.matrix.Stand.Ran;
import java.util.List;
import java.util.stream.Stream;

/// The effects of a failing model, and of an invalid request.
final class TroubleTrials {
  /// For CLIs that retry a failing model for minutes.
  private static final int PATIENCE_SECONDS = 600;

  private static final int HANG_SECONDS = 6;

  private TroubleTrials() {}

  static List<Trial> all() {
    return Stream.concat(
            Stream.of(
                status(400, "request_rejected"),
                status(401, "key_refused"),
                status(402, "quota_exhausted"),
                status(404, "no_such_model"),
                status(500, "model_unavailable")),
            Stream.of(
                trial("model answers 500 once, then normally", TroubleTrials::recovers),
                trial("model drops the connection: `network`", TroubleTrials::drops),
                trial("model hangs: ended by `timeout_seconds`", TroubleTrials::hangs),
                trial("model argument that is not text: 400", TroubleTrials::badModel)))
        .toList();
  }

  /// Agents that are started with an unknown option.
  static Trial badOption() {
    return trial(
        "unknown option: `bad_usage`",
        stand -> {
          Ran ran = stand.failed(stand.submit("[[say Never mind.]]"), "bad_usage");
          return ran.text().equals("Never mind.")
              ? new Cell.NotOffered()
              : Trial.check(ran.code().equals("bad_usage"), ran.end());
        });
  }

  private static Trial trial(String title, Trial.Course course) {
    return new Trial(Trial.Group.TROUBLE, title, course);
  }

  private static Trial status(int status, String code) {
    return trial(
        "model answers %d: `%s`".formatted(status, code),
        stand -> failsWith(stand, "[[status %d]]".formatted(status), code));
  }

  private static Cell failsWith(Stand stand, String prompt, String code) throws Exception {
    Ran ran = stand.failed(patient(stand, prompt), code);
    return Trial.check(
        ran.status().equals("failed") && ran.code().equals(code) && says(ran), ran.end());
  }

  private static boolean says(Ran ran) {
    return !ran.view().path("error").path("message").asText("").isBlank();
  }

  private static String patient(Stand stand, String prompt) throws Exception {
    return stand.submit(
        prompt, stand.subject().permitted(), "\"timeout_seconds\":" + PATIENCE_SECONDS);
  }

  private static Cell recovers(Stand stand) throws Exception {
    Ran ran = stand.ended(patient(stand, Stand.unique() + " [[status 500 x1]] [[say Recovered.]]"));
    return Trial.check(
        ran.status().equals("completed") && ran.text().equals("Recovered."), ran.end());
  }

  private static Cell drops(Stand stand) throws Exception {
    return failsWith(stand, "[[drop]]", "network");
  }

  private static Cell hangs(Stand stand) throws Exception {
    Ran ran =
        stand.failed(
            stand.submit(
                "[[hang]]", stand.subject().permitted(), "\"timeout_seconds\":" + HANG_SECONDS),
            "timed_out");
    return Trial.check(
        ran.view().path("phase").asText().equals("timed_out")
            && SystemStack.agents(ran.id()).isEmpty(),
        ran.end());
  }

  private static Cell badModel(Stand stand) throws Exception {
    if (!stand.offers(Capabilities.MODEL)) {
      return new Cell.NotOffered();
    }
    Api.Answer answer =
        stand.api().post("/v1/runs", stand.body("Hi", "\"" + Capabilities.MODEL + "\":7", ""));
    return Trial.check(answer.status() == 400, "answered with " + answer.status());
  }
}
