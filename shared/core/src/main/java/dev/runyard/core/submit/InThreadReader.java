package dev.runyard.core.submit;

import dev.runyard.core.json.JsonFields;
import dev.runyard.core.request.Busy;
import dev.runyard.core.request.InThread;
import dev.runyard.core.thread.ThreadKey;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads what a submit says of its thread and turn.
public final class InThreadReader {
  /// Most bytes of the name that a client gives a turn.
  public static final int TURN_ID_BYTES_MAX = 128;

  static final Set<String> MEMBERS = Set.of("thread_id", "turn_id", "busy");
  private static final Pattern TURN_ID =
      Pattern.compile("[A-Za-z0-9._-]{1," + TURN_ID_BYTES_MAX + "}");

  private InThreadReader() {}

  /// True for a name that a client may give a turn.
  public static boolean isTurnId(String text) {
    return TURN_ID.matcher(text).matches();
  }

  static @Nullable InThread read(JsonFields members) {
    Optional<String> thread = members.text("thread_id");
    if (thread.isPresent() && !ThreadKey.isThreadId(thread.get())) {
      members.refuse(
          "thread_id",
          "thread_id must match ^[A-Za-z0-9][A-Za-z0-9._-]*$ and have at most %d characters"
              .formatted(ThreadKey.ID_BYTES_MAX));
    }
    Optional<String> turn = members.text("turn_id");
    if (turn.isPresent() && !isTurnId(turn.get())) {
      members.refuse(
          "turn_id",
          "turn_id must match ^[A-Za-z0-9._-]+$ and have at most %d characters"
              .formatted(TURN_ID_BYTES_MAX));
    }
    return InThread.of(thread.orElse(null), turn.orElse(null), busy(members));
  }

  private static @Nullable Busy busy(JsonFields members) {
    Optional<String> given = members.text("busy");
    Optional<Busy> busy = given.flatMap(Busy::of);
    if (given.isPresent() && busy.isEmpty()) {
      members.refuse(
          "busy",
          "busy must be one of: %s"
              .formatted(
                  Arrays.stream(Busy.values()).map(Busy::wire).collect(Collectors.joining(" | "))));
    }
    return busy.orElse(null);
  }
}
