package dev.runyard.core.ids;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `<runId>.<number>`: the id of an action names its run, so that a client needs nothing else to
/// decide it. Numbers count a run's actions from 1.
public final class ActionId {
  private static final Pattern FORM = Pattern.compile("([0-9a-f-]{36})\\.[1-9][0-9]{0,8}");

  private ActionId() {}

  public static String of(RunKey run, int number) {
    return run.runId() + "." + number;
  }

  /// The run an action id names; empty for a text that is not an action id.
  public static Optional<String> runId(String actionId) {
    Matcher matcher = FORM.matcher(actionId);
    return matcher.matches()
        ? Optional.of(matcher.group(1)).filter(RunKey::isRunId)
        : Optional.empty();
  }
}
