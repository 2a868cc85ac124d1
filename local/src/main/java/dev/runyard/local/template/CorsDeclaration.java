package dev.runyard.local.template;

import java.util.Set;

/// What the API's answer to a preflight says, and to whose.
///
/// @param origins of the pages that may call; none if there is no such list
/// @param methods that pages may use, as in the header
/// @param headers that pages may send, as in the header
/// @param maxAge for how long a browser may remember it, in seconds
public record CorsDeclaration(Set<String> origins, String methods, String headers, String maxAge) {
  /// No page of another origin may call.
  public static final CorsDeclaration NONE = new CorsDeclaration(Set.of(), "", "", "0");

  public CorsDeclaration {
    origins = Set.copyOf(origins);
  }
}
