package dev.runyard.functions.http;

import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which web pages may call: those of the API's own origin and of the listed ones. A page of
/// another is refused here, since not every gateway can tell origins apart before. Cookies mean
/// nothing to this API, so no answer allows credentials.
///
/// @param listed such as `https://app.example.com`
public record Origins(Set<String> listed) {
  /// No page of another origin may call.
  public static final Origins NONE = new Origins(Set.of());

  /// The header in which a browser names the origin of a page.
  public static final String HEADER = "Origin";

  /// The header in which the gateway says how it was called.
  public static final String PROTOCOL = "X-Forwarded-Proto";

  /// What pages of listed origins may read, beside the headers that every page may.
  static final List<String> EXPOSED =
      List.of(
          "Accept-Ranges",
          "Allow",
          "Content-Disposition",
          "Content-Range",
          "ETag",
          "Location",
          "Retry-After",
          "Run-ID",
          "WWW-Authenticate",
          "X-Request-Id");

  public Origins {
    listed = Set.copyOf(listed);
  }

  /// The origin of the API, as a caller addressed it.
  ///
  /// @param protocol as the gateway says; null for http
  public static String own(@Nullable String protocol, @Nullable String host) {
    return (protocol == null ? "http" : protocol) + "://" + host;
  }

  /// Why a page may not call; empty for a page that may, and for whoever is no page.
  ///
  /// @param own the API's origin, as the caller addressed it
  public Optional<Problem> refusal(@Nullable String origin, String own) {
    return origin == null || origin.equalsIgnoreCase(own) || listed.contains(origin)
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                ProblemCode.FORBIDDEN_ORIGIN,
                "Pages of this origin may not call this stack. Its operator lists those that may"
                    + " in CorsOrigins."));
  }

  /// The headers with which a browser lets a page read an answer.
  public Map<String, String> headers(@Nullable String origin) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (!listed.isEmpty()) {
      headers.put("Vary", HEADER);
    }
    if (origin != null && listed.contains(origin)) {
      headers.put("Access-Control-Allow-Origin", origin);
      headers.put("Access-Control-Expose-Headers", String.join(", ", EXPOSED));
    }
    return headers;
  }
}
