package dev.runyard.cli.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/// What a stack says to one who shows nothing: how callers show who they are, and what time it is
/// there.
///
/// @param takes empty if the answer does not say
/// @param ahead by how much the clock of this machine is ahead of that of the stack, to a second
public record StackProbe(Optional<String> takes, Optional<Duration> ahead) {
  /// Signatures and tokens are refused by clocks that differ by minutes.
  public static final Duration AHEAD_MAX = Duration.ofSeconds(60);

  private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

  /// Asks a stack; empty if nobody answers.
  public static Optional<StackProbe> of(URI server, InstantSource clock)
      throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server + "/v1/agents")).timeout(ANSWER_MAX).build();
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(ANSWER_MAX).build()) {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      return Optional.of(
          read(
              answer.statusCode(),
              answer.body(),
              answer.headers().firstValue("Date"),
              clock.instant()));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /// @param date the header of this name
  static StackProbe read(int status, String body, Optional<String> date, Instant now) {
    Optional<String> takes =
        status == 200 ? Optional.of("anybody") : code(body).flatMap(StackProbe::taken);
    return new StackProbe(
        takes, date.flatMap(StackProbe::time).map(there -> Duration.between(there, now)));
  }

  /// In one line.
  public String text() {
    String clocks =
        ahead
            .map(
                by ->
                    by.abs().compareTo(AHEAD_MAX) <= 0
                        ? "clock in step"
                        : "this clock is %d s %s"
                            .formatted(by.abs().toSeconds(), by.isNegative() ? "behind" : "ahead"))
            .orElse("time unknown");
    return takes.map(what -> "takes " + what + ", ").orElse("") + clocks;
  }

  private static Optional<String> taken(String code) {
    return switch (code) {
      case "unauthenticated" -> Optional.of("keys and tokens");
      case "not_signed" -> Optional.of("AWS signatures");
      case "no_token" -> Optional.of("its access token");
      case String _ -> Optional.empty();
    };
  }

  private static Optional<String> code(String body) {
    try {
      return Optional.ofNullable(RunyardClient.JSON.readTree(body).path("code").textValue());
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> time(String date) {
    try {
      return Optional.of(
          ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
