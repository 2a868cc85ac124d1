package dev.runyard.runner.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// Pull requests of GitHub, hosted or on a server of its own.
///
/// @param repository `owner/name`
record GitHubPulls(ForgeCalls calls, String repository) implements PullRequests {
  /// How many of a branch are looked at.
  private static final int LISTED = 100;

  static Map<String, String> headers(String token) {
    return Map.of(
        "Authorization",
        "Bearer " + token,
        "Accept",
        "application/vnd.github+json",
        "X-GitHub-Api-Version",
        "2022-11-28");
  }

  @Override
  public Found find(Wanted wanted) throws InterruptedException {
    String owner = repository.substring(0, repository.indexOf('/'));
    ForgeCalls.Answer answer =
        calls.get(
            "/repos/%s/pulls?state=all&per_page=%d&head=%s"
                .formatted(repository, LISTED, ForgeCalls.encoded(owner + ":" + wanted.branch())));
    Predicate<JsonNode> ours =
        pull -> pull.path("head").path("ref").asText().equals(wanted.branch());
    return PullRequests.listed(
        answer,
        ours.and(pull -> pull.path("state").asText().equals("open")),
        ours.and(pull -> pull.path("head").path("sha").asText().equals(wanted.commit())),
        GitHubPulls::there);
  }

  @Override
  public Found create(Wanted wanted) throws InterruptedException {
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("title", wanted.title())
            .put("head", wanted.branch())
            .put("base", wanted.base())
            .put("body", wanted.body())
            .put("draft", wanted.draft());
    ForgeCalls.Answer answer = calls.post("/repos/" + repository + "/pulls", body);
    if (answer.well() && answer.body().path("number").canConvertToLong()) {
      return there(answer.body());
    }
    return answer.status() == 422 && exists(answer.body())
        ? new Found.None()
        : new Found.Not(answer.failure());
  }

  /// One of many reasons for the same status.
  private static boolean exists(JsonNode answer) {
    for (JsonNode error : answer.path("errors")) {
      if (error.path("message").asText().contains("already exists")) {
        return true;
      }
    }
    return false;
  }

  private static Found there(JsonNode pull) {
    return new Found.There(
        PullRequests.shown(
            pull.path("number").asLong(), Optional.ofNullable(pull.path("html_url").textValue())));
  }
}
