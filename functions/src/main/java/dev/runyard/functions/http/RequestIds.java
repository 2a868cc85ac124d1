package dev.runyard.functions.http;

import dev.runyard.core.ids.Ids;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The id of a request: the caller's `X-Request-Id` if it is a plain token, else the platform's,
/// else a new one.
public final class RequestIds {
  public static final String HEADER = "X-Request-Id";
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._-]{1,128}");

  private RequestIds() {}

  public static String of(@Nullable String given, @Nullable String platform, Ids ids) {
    if (given != null && TOKEN.matcher(given).matches()) {
      return given;
    }
    return platform != null && TOKEN.matcher(platform).matches() ? platform : ids.token();
  }
}
