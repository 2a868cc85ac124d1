package dev.runyard.cli.doctor;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/// What was found of one thing that Runyard can use.
///
/// @param required `up` and `demo` do not work without it
/// @param hint what to do when it is not there
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Check(
    String name,
    boolean ok,
    boolean required,
    @Nullable String where,
    @Nullable String version,
    String purpose,
    String hint) {

  static Check found(Wanted wanted, String where, @Nullable String version) {
    return new Check(
        wanted.name(), true, wanted.required(), where, version, wanted.purpose(), wanted.hint());
  }

  static Check missing(Wanted wanted, @Nullable String where, @Nullable String version) {
    return new Check(
        wanted.name(), false, wanted.required(), where, version, wanted.purpose(), wanted.hint());
  }
}
