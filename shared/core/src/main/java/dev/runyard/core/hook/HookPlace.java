package dev.runyard.core.hook;

import dev.runyard.core.limits.Limits;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A place of a request where values of a delivery may stand, and how they are taken there.
///
/// @param bytesMax longer prose is cut
record HookPlace(Kind kind, int bytesMax) {
  /// What may stand in a place.
  enum Kind {
    /// Anything anybody wrote: it is read by an agent or by people.
    PROSE,
    /// The same in one line.
    LINE,
    /// A name, which the reader of requests checks; it is never cut.
    NAME,
    /// The address of a repository, whose server the hook names.
    ADDRESS,
    /// One of the values that the hook lists.
    CHOICE
  }

  private static final List<String> PUBLISH = List.of("workspace", "publish");
  private static final List<String> PULL = List.of("workspace", "publish", "pull_request");

  /// The place that these names lead to; empty if no value may stand there.
  static Optional<HookPlace> at(List<String> path) {
    return Optional.ofNullable(
        switch (path.size()) {
          case 1 -> top(path.getFirst());
          case 2 -> below(path.getFirst());
          case 3 -> inWorkspace(path.subList(0, 2), path.getLast());
          case 4 -> path.subList(0, 3).equals(PULL) ? inPull(path.getLast()) : null;
          default -> null;
        });
  }

  private static @Nullable HookPlace top(String name) {
    return switch (name) {
      case "prompt" -> new HookPlace(Kind.PROSE, Limits.PROMPT_BYTES_MAX);
      case "session_id" -> name(Limits.SESSION_ID_BYTES_MAX);
      case "agent" -> new HookPlace(Kind.CHOICE, HookLimits.FILTER_VALUE_BYTES_MAX);
      default -> null;
    };
  }

  private static @Nullable HookPlace below(String name) {
    return switch (name) {
      case "tags" -> new HookPlace(Kind.LINE, Limits.TAG_BYTES_MAX);
      case "extensions" -> new HookPlace(Kind.CHOICE, HookLimits.FILTER_VALUE_BYTES_MAX);
      default -> null;
    };
  }

  private static @Nullable HookPlace inWorkspace(List<String> above, String name) {
    if (above.equals(PUBLISH)) {
      return switch (name) {
        case "branch" -> name(Limits.GIT_REF_BYTES_MAX);
        case "message" -> new HookPlace(Kind.PROSE, Limits.COMMIT_MESSAGE_BYTES_MAX);
        default -> null;
      };
    }
    if (!above.equals(List.of("workspace", "git"))) {
      return null;
    }
    return switch (name) {
      case "url" -> new HookPlace(Kind.ADDRESS, Limits.GIT_URL_BYTES_MAX);
      case "ref" -> name(Limits.GIT_REF_BYTES_MAX);
      default -> null;
    };
  }

  private static @Nullable HookPlace inPull(String name) {
    return switch (name) {
      case "title" -> new HookPlace(Kind.LINE, Limits.PULL_TITLE_BYTES_MAX);
      case "body" -> new HookPlace(Kind.PROSE, Limits.PULL_BODY_BYTES_MAX);
      case "base" -> name(Limits.GIT_REF_BYTES_MAX);
      default -> null;
    };
  }

  private static HookPlace name(int bytesMax) {
    return new HookPlace(Kind.NAME, bytesMax);
  }

  /// True for what anybody may have written.
  boolean prose() {
    return kind == Kind.PROSE || kind == Kind.LINE;
  }
}
