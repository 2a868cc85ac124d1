package dev.runyard.core.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What is known of a run that somebody wants to give its place up for a while.
///
/// @param reason why; null once it may go on
/// @param since when nothing of it ran any more; null while something does
/// @param until when it was last allowed to go on; null if it never was put aside before
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Aside(@Nullable String reason, @Nullable Instant since, @Nullable Instant until) {
  static final Aside NEVER = new Aside(null, null, null);

  /// True while the run is to give its place up, or has done so.
  boolean wanted() {
    return reason != null;
  }

  Aside wanted(String why) {
    return new Aside(why, since, until);
  }

  /// Nothing of the run is running from now on.
  Aside resting(Instant now) {
    return wanted() && since == null ? new Aside(reason, now, until) : this;
  }

  Aside over(Instant now) {
    return new Aside(null, null, now);
  }
}
