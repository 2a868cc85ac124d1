package dev.runyard.runner.backend.codex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.event.RunEvent;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.run.Attempt;
import dev.runyard.core.usage.Usage;
import dev.runyard.runner.backend.Recording;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CodexOutcomeTest {

  private static final Map<String, String> CODES =
      Map.ofEntries(
          Map.entry("status-500", "model_unavailable"),
          Map.entry("status-503", "model_unavailable"),
          Map.entry("status-400", "request_rejected"),
          Map.entry("status-401", "key_refused"),
          Map.entry("status-403", "access_denied"),
          Map.entry("status-404", "no_such_model"),
          Map.entry("status-429", "rate_limited"),
          Map.entry("rate-limit", "rate_limited"),
          Map.entry("quota", "quota_exhausted"),
          Map.entry("context", "context_full"),
          Map.entry("drop", "network"),
          Map.entry("no-key", "no_key"),
          Map.entry("bad-flag", "bad_usage"),
          Map.entry("bad-config", "bad_usage"),
          Map.entry("unknown-provider", "bad_usage"),
          Map.entry("resume-unknown", "session_not_found"),
          Map.entry("hang-sigterm", "agent_killed"),
          Map.entry("tool-sigterm", "agent_killed"),
          Map.entry("no-server", "agent_killed"),
          Map.entry("hang-sigint", "agent_failed"));

  @Test
  void reportsEveryRecordedEndingByItsMeaning() {
    Map<String, String> codes =
        Recording.all(CodexStreams.RECORDINGS).stream()
            .flatMap(
                recording ->
                    outcome(recording).failure().stream()
                        .map(failure -> Map.entry(recording.name(), failure.code())))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    assertEquals(CODES, codes);
  }

  @Test
  void writesOneErrorWithTheFailuresOwnMessage() {
    for (Recording recording : Recording.all(CodexStreams.RECORDINGS)) {
      CodexOutcome outcome = outcome(recording);
      List<RunEvent> errors =
          outcome.last().stream().filter(RunEvent.RuntimeError.class::isInstance).toList();
      assertEquals(
          outcome
              .failure()
              .map(why -> new RunEvent.RuntimeError(why.code(), why.message()))
              .stream()
              .toList(),
          errors);
    }
  }

  @Test
  void endsTheToolThatRanWhenTheProcessWasKilled() {
    assertEquals(
        new RunEvent.ToolFailed("item_0", "shell", "command_execution", null, null, 0),
        outcome(Recording.named(CodexStreams.RECORDINGS, "tool-sigterm")).last().getFirst());
  }

  @Test
  void doesNotTakeANewThreadForTheOneToResume() {
    Recording recording = Recording.named(CodexStreams.RECORDINGS, "resume-name");
    CodexStream stream =
        new CodexStream("", null, new CodexThread.Known("not-a-session", Usage.NONE));
    recording.events(stream::line);
    assertEquals(
        Optional.of(new Failure("session_not_found", Category.CALLER, "session not found")),
        CodexOutcome.of(stream, recording.exit(), recording.stderr()).failure());
  }

  @Test
  void warnsOfChangesThatWereRefusedInSilence() {
    for (String name : List.of("read-only-patch", "outside-patch")) {
      CodexOutcome outcome = outcome(Recording.named(CodexStreams.RECORDINGS, name));
      assertTrue(outcome.failure().isEmpty());
      assertEquals("change_refused", ((RunEvent.RuntimeWarning) outcome.last().getFirst()).code());
    }
  }

  @Test
  void doubtsASuccessWithoutAWord() {
    Recording silent =
        new Recording("silent", new Attempt.Exit(0, null), Optional.empty(), List.of("hello"), "");
    assertEquals(Optional.of(CodexOutcome.NO_OUTPUT), outcome(silent).failure());
  }

  @Test
  void saysWhatToDoAndQuotesNothing() {
    for (CodexTrouble trouble : CodexTrouble.values()) {
      Failure failure = trouble.failure();
      assertFalse(failure.message().contains("%"));
      assertTrue(failure.message().length() > 10, failure.code());
    }
    Recording odd =
        new Recording(
            "odd", new Attempt.Exit(9, null), Optional.empty(), List.of(), "panicked at secret.rs");
    assertFalse(outcome(odd).toString().contains("secret"));
  }

  private static CodexOutcome outcome(Recording recording) {
    CodexStream stream = new CodexStream("", null, new CodexThread.Fresh());
    recording.events(stream::line);
    return CodexOutcome.of(stream, recording.exit(), recording.stderr());
  }
}
