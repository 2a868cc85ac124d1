package dev.runyard.cli.doctor;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/// The result of checking one thing that Runyard can use.
///
/// @param required `up` and `demo` do not work without it
/// @param tested for an agent that is present: it has the version Runyard was tested with
/// @param loggedIn for an agent: there is a key or a login for its model provider
/// @param hint what to do when it is missing, or is not the tested version
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Check(
    String name,
    boolean ok,
    boolean required,
    @Nullable String where,
    @Nullable String version,
    @Nullable Boolean tested,
    @Nullable @JsonProperty("logged_in") Boolean loggedIn,
    String purpose,
    String hint) {

  static Check found(Wanted wanted, String where, @Nullable String version) {
    return of(wanted, true, where, version);
  }

  static Check missing(Wanted wanted, @Nullable String where, @Nullable String version) {
    return of(wanted, false, where, version);
  }

  private static Check of(
      Wanted wanted, boolean ok, @Nullable String where, @Nullable String version) {
    return new Check(
        wanted.name(),
        ok,
        wanted.required(),
        where,
        version,
        null,
        null,
        wanted.purpose(),
        wanted.hint());
  }
}
