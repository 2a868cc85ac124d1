package dev.runyard.runner.gateway;

import dev.runyard.core.agent.ModelApi;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A request of an agent, read whole.
///
/// @param target path and query at the provider
@SuppressWarnings("ArrayRecordComponent")
record IncomingCall(
    AttemptEndpoint endpoint, CallTarget wanted, RequestHead head, String target, byte[] body) {
  /// Besides what answers are compressed with, so that they can be read: what would leave out of
  /// them how much they used, and what would make another request of this one.
  private static final Set<String> NOT_FORWARDED =
      Set.of("accept-encoding", "x-goog-fieldmask", "x-http-method-override");

  ModelApi api() {
    return switch (wanted) {
      case CallTarget.Answer(ModelApi api, _) -> api;
      case CallTarget.Aside(ModelApi api, _) -> api;
      case CallTarget.Greeting _, CallTarget.Refused _ -> endpoint.grant().route().api();
    };
  }

  boolean measured() {
    return wanted instanceof CallTarget.Answer;
  }

  /// What its body asks for; empty if it cannot be understood.
  Optional<CallBody> asked() {
    Optional<String> inPath =
        switch (wanted) {
          case CallTarget.Answer(_, Optional<String> model) -> model;
          case CallTarget.Aside(_, Optional<String> model) -> model;
          case CallTarget.Greeting _, CallTarget.Refused _ -> Optional.empty();
        };
    return inPath.isPresent()
        ? Optional.of(new CallBody(List.of(inPath.get()), false))
        : CallBody.read(body);
  }

  /// The same for the provider, with its key.
  HttpRequest http() {
    URI at = endpoint.grant().at(target);
    HttpRequest.Builder http =
        HttpRequest.newBuilder(at).timeout(Duration.ofSeconds(ForwardedCall.ANSWER_SECONDS_MAX));
    http.version(
        "https".equals(at.getScheme()) ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
    http.method(
        head.method(),
        body.length == 0
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.fromPublisher(
                // Copies what it sends piece by piece; the one for an array copies all of it first.
                HttpRequest.BodyPublishers.ofByteArrays(List.of(body)), body.length));
    for (RequestHead.Header header : endpoint.credential().headers(head.forwarded(), api())) {
      if (!NOT_FORWARDED.contains(header.name())) {
        http.header(header.name(), header.value());
      }
    }
    return http.build();
  }
}
