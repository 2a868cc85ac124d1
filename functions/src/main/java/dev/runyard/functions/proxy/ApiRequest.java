package dev.runyard.functions.proxy;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.run.RunState;
import dev.runyard.functions.http.Caller;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.RoutedRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A request as API Gateway passes it on.
///
/// @param headers by name, in any case
/// @param parameters of the query
/// @param names values of the path's parameters, once its route is known
public record ApiRequest(
    Line line,
    Map<String, String> headers,
    Map<String, List<String>> parameters,
    Optional<byte[]> body,
    Caller caller,
    Map<String, String> names)
    implements RoutedRequest {
  private static final Set<String> METHODS = Set.of("GET", "POST", "PATCH", "DELETE");
  private static final byte[] BROKEN = {(byte) 0xFF};

  static ApiRequest of(APIGatewayProxyRequestEvent event) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    if (event.getHeaders() != null) {
      event.getHeaders().forEach((name, value) -> headers.put(name, value == null ? "" : value));
    }
    Map<String, List<String>> parameters = new HashMap<>();
    if (event.getQueryStringParameters() != null) {
      event
          .getQueryStringParameters()
          .forEach((name, value) -> parameters.put(name, List.of(value == null ? "" : value)));
    }
    if (event.getMultiValueQueryStringParameters() != null) {
      parameters.putAll(event.getMultiValueQueryStringParameters());
    }
    String path = event.getPath() == null ? "/" : event.getPath();
    String staged = event.getRequestContext() == null ? null : event.getRequestContext().getPath();
    String method = event.getHttpMethod() == null ? "" : event.getHttpMethod();
    return new ApiRequest(
        new Line(
            method.toUpperCase(Locale.ROOT),
            path,
            staged != null && staged.endsWith(path) ? staged : path),
        headers,
        parameters,
        Optional.ofNullable(event.getBody())
            .filter(body -> !body.isEmpty())
            .map(body -> bytes(body, Boolean.TRUE.equals(event.getIsBase64Encoded()))),
        Caller.nobody(),
        Map.of());
  }

  /// The request line.
  ///
  /// @param url the path as the client sees it, with the stage in it
  public record Line(String method, String path, String url) {}

  /// The request of a known caller, with the values its route has for the path's parameters.
  public ApiRequest of(Caller known, Map<String, String> named) {
    return new ApiRequest(line, headers, parameters, body, known, named);
  }

  public String method() {
    return line.method();
  }

  public String path() {
    return line.path();
  }

  public String url() {
    return line.url();
  }

  /// The body, empty if there is none.
  public byte[] bytes() {
    return body.orElse(new byte[0]);
  }

  public Query query(String... known) {
    return Query.of(parameters, Set.of(known));
  }

  /// The response about the run that the path names, in its current state; the query must have no
  /// parameters.
  public Reply ofRun(RunLog runs, Function<RunState.Existing, Reply> answer) {
    Query query = query();
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    return run()
        .map(runs::load)
        .map(
            state ->
                switch (state) {
                  case RunState.Absent _ -> Reply.runNotFound();
                  case RunState.Existing run -> answer.apply(run);
                })
        .orElseGet(Reply::runNotFound);
  }

  @Override
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /// The base address, as the client sees it: scheme, host and stage.
  public String base() {
    return headers.getOrDefault("X-Forwarded-Proto", "http")
        + "://"
        + headers.getOrDefault("Host", "localhost")
        + url().substring(0, url().length() - path().length());
  }

  /// The run that the path names, if it names one.
  Optional<String> runId() {
    return Arrays.stream(path().split("/", -1)).filter(RunKey::isRunId).findFirst();
  }

  /// The method, if it is one of this API's, so that the log never contains what a caller made up.
  String knownMethod() {
    return METHODS.contains(method()) ? method() : "other";
  }

  /// True for `application/json` in UTF-8.
  public boolean isJson() {
    String[] parts = headers.getOrDefault("Content-Type", "").split(";", -1);
    if (!parts[0].strip().equalsIgnoreCase("application/json")) {
      return false;
    }
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().toLowerCase(Locale.ROOT).replace("\"", "");
      if (parameter.startsWith("charset") && !parameter.equals("charset=utf-8")) {
        return false;
      }
    }
    return true;
  }

  /// The bytes of the body. A text that has no UTF-8 form becomes an invalid byte.
  private static byte[] bytes(String body, boolean base64) {
    if (!base64) {
      return Bounds.isWellFormed(body) ? body.getBytes(StandardCharsets.UTF_8) : BROKEN;
    }
    try {
      return Base64.getDecoder().decode(body);
    } catch (IllegalArgumentException _) {
      return BROKEN;
    }
  }
}
