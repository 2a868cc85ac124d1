package dev.runyard.core.problem;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Why a request was refused: a stable code to program against, and a safe sentence that says what
/// to do. `pointers` name the offending members of the request body as JSON pointers.
///
/// @param reached the limit of the tenant that the request would pass, if that is why
public record Problem(
    ProblemCode code, String detail, List<String> pointers, @Nullable Reached reached) {
  public Problem {
    Objects.requireNonNull(code);
    Objects.requireNonNull(detail);
    pointers = List.copyOf(pointers);
  }

  public Problem(ProblemCode code, String detail, List<String> pointers) {
    this(code, detail, pointers, null);
  }

  public static Problem of(ProblemCode code, String detail) {
    return new Problem(code, detail, List.of());
  }

  /// The same in a part of a body that is at `place` in the whole.
  public Problem under(String place) {
    return new Problem(
        code,
        detail,
        pointers.isEmpty()
            ? List.of(place)
            : pointers.stream().map(pointer -> place + pointer).toList(),
        reached);
  }

  public static Problem at(ProblemCode code, String pointer, String detail) {
    return new Problem(code, detail, List.of(pointer));
  }
}
