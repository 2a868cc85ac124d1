package dev.runyard.testkit.git;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Merge requests as the REST API of GitLab has them: of a project whose path is one encoded part,
/// listed by `source_branch` and `state`; one open for a source branch and a target.
public final class GitLabServer extends ForgeServer {
  private static final int PROJECT = 7;

  private final String project;

  /// @param project its path with all groups
  public GitLabServer(Repository repository, String project, String token) {
    super(repository, token);
    this.project = project;
  }

  @Override
  public String setting() {
    return "{\"kind\": \"gitlab\", \"api\": \"%s\"}".formatted(api());
  }

  @Override
  public String api() {
    return address() + "/api/v4";
  }

  @Override
  String path() {
    return "/api/v4/projects/"
        + URLEncoder.encode(project, StandardCharsets.UTF_8)
        + "/merge_requests";
  }

  @Override
  Answer list(Map<String, String> query) {
    return listed(
        query.getOrDefault("state", "all"),
        query.get("source_branch"),
        pull -> pull.path("source_branch"));
  }

  @Override
  Answer create(ObjectNode body) {
    String source = body.path("source_branch").asText();
    String target = body.path("target_branch").asText();
    if (body.path("title").asText().isEmpty() || target.isEmpty() || source.isEmpty()) {
      return refusal(400, "title, source_branch and target_branch are missing");
    }
    if (tip(source).isEmpty() || tip(target).isEmpty()) {
      return refusal(422, "Source branch \"%s\" does not exist".formatted(source));
    }
    if (pulls.stream()
        .anyMatch(
            pull ->
                pull.path("state").asText().equals("opened")
                    && pull.path("source_branch").asText().equals(source)
                    && pull.path("target_branch").asText().equals(target))) {
      ObjectNode refused = JsonNodeFactory.instance.objectNode();
      refused
          .putArray("message")
          .add("Another open merge request already exists for this source branch: !1");
      return Answer.of(409, refused);
    }
    int iid = pulls.size() + 1;
    String title = body.path("title").asText();
    ObjectNode made =
        JsonNodeFactory.instance
            .objectNode()
            .put("id", 1_000 + iid)
            .put("iid", iid)
            .put("state", "opened")
            .put("title", title)
            .put("description", body.path("description").asText())
            .put("draft", title.startsWith("Draft:"))
            .put("source_branch", source)
            .put("target_branch", target)
            .put("source_project_id", PROJECT)
            .put("target_project_id", PROJECT)
            .put("sha", tip(source).orElseThrow())
            .put(
                "web_url", "https://gitlab.example/%s/-/merge_requests/%d".formatted(project, iid));
    pulls.add(made);
    return Answer.of(201, made);
  }
}
