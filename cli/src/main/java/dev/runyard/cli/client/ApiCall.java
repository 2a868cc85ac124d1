package dev.runyard.cli.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.LinkedHashMap;
import java.util.Map;

/// A request before its sender shows who it is.
///
/// @param body empty for none
record ApiCall(String method, URI uri, Map<String, String> headers, String body) {
  static ApiCall get(URI uri, String accepted) {
    return new ApiCall("GET", uri, Map.of("Accept", accepted), "");
  }

  static ApiCall post(URI uri, String body) {
    return of("POST", uri, body);
  }

  static ApiCall of(String method, URI uri) {
    return new ApiCall(method, uri, Map.of("Accept", "application/json"), "");
  }

  static ApiCall of(String method, URI uri, String body) {
    return of(method, uri).with("Content-Type", "application/json").saying(body);
  }

  private ApiCall saying(String text) {
    return new ApiCall(method, uri, headers, text);
  }

  ApiCall with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new ApiCall(method, uri, more, body);
  }

  HttpRequest.Builder request() {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return request;
  }
}
