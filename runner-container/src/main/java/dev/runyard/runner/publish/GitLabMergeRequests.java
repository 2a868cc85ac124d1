package dev.runyard.runner.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

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
                .formatted(path(), LISTED, ForgeCalls.encoded(wanted.branch())));
    Predicate<JsonNode> ours =
        request ->
            request.path("source_branch").asText().equals(wanted.branch())
                && request.path("source_project_id").equals(request.path("target_project_id"));
    return PullRequests.listed(
        answer,
        ours.and(request -> request.path("state").asText().equals("opened")),
        ours.and(request -> request.path("sha").asText().equals(wanted.commit())),
        GitLabMergeRequests::there);
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
    return "/projects/" + ForgeCalls.encoded(project) + "/merge_requests";
  }

  private static Found there(JsonNode request) {
    return new Found.There(
        PullRequests.shown(
            request.path("iid").asLong(),
            Optional.ofNullable(request.path("web_url").textValue())));
  }
}
