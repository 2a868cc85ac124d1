package dev.runyard.runner.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/// Merge requests of GitLab, hosted or on a server of its own.
///
/// @param project its path with all groups
record GitLabMergeRequests(ForgeCalls calls, String project) implements PullRequests {
  /// How many of a branch are looked at.
  private static final int LISTED = 100;

  /// A title that begins so makes a draft.
  private static final String DRAFT = "Draft: ";

  static Map<String, String> headers(String token) {
    return Map.of("Authorization", "Bearer " + token, "Accept", "application/json");
  }

  @Override
  public Found find(Wanted wanted) throws InterruptedException {
    ForgeCalls.Answer answer =
        calls.get(
            "%s?state=all&per_page=%d&source_branch=%s"
                .formatted(path(), LISTED, encoded(wanted.branch())));
    if (!answer.well()) {
      return new Found.Not(answer.failure());
    }
    Optional<JsonNode> open = Optional.empty();
    Optional<JsonNode> same = Optional.empty();
    for (JsonNode request : answer.body()) {
      boolean ours =
          request.path("source_branch").asText().equals(wanted.branch())
              && request.path("source_project_id").equals(request.path("target_project_id"));
      if (ours && request.path("state").asText().equals("opened")) {
        open = Optional.of(request);
      } else if (ours && request.path("sha").asText().equals(wanted.commit())) {
        same = Optional.of(request);
      }
    }
    Optional<JsonNode> closed = same;
    return open.or(() -> closed).map(GitLabMergeRequests::there).orElseGet(Found.None::new);
  }

  @Override
  public Found create(Wanted wanted) throws InterruptedException {
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("title", (wanted.draft() ? DRAFT : "") + wanted.title())
            .put("source_branch", wanted.branch())
            .put("target_branch", wanted.base())
            .put("description", wanted.body());
    ForgeCalls.Answer answer = calls.post(path(), body);
    if (answer.well() && answer.body().path("iid").canConvertToLong()) {
      return there(answer.body());
    }
    return answer.status() == 409 ? new Found.None() : new Found.Not(answer.failure());
  }

  private String path() {
    return "/projects/" + encoded(project) + "/merge_requests";
  }

  private static Found there(JsonNode request) {
    return new Found.There(
        PullRequests.shown(
            request.path("iid").asLong(),
            Optional.ofNullable(request.path("web_url").textValue())));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
