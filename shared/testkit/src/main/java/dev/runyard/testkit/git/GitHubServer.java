package dev.runyard.testkit.git;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;

/// Pull requests as the REST API of GitHub has them: listed by `head`, which is an owner and a
/// branch, and by `state`; one for a head and a base.
public final class GitHubServer extends ForgeServer {
  private final String name;

  /// @param name `owner/name`
  public GitHubServer(Repository repository, String name, String token) {
    super(repository, token);
    this.name = name;
  }

  @Override
  public String setting() {
    return "{\"kind\": \"github\", \"api\": \"%s\"}".formatted(api());
  }

  @Override
  public String api() {
    return address() + "/api/v3";
  }

  @Override
  String path() {
    return "/api/v3/repos/" + name + "/pulls";
  }

  @Override
  Answer list(Map<String, String> query) {
    return listed(
        query.getOrDefault("state", "open"),
        query.get("head"),
        pull -> pull.path("head").path("label"));
  }

  @Override
  Answer create(ObjectNode body) {
    String head = body.path("head").asText();
    String base = body.path("base").asText();
    Optional<String> tip = tip(head);
    if (tip.isEmpty()) {
      return invalid("head");
    }
    if (tip(base).isEmpty()) {
      return invalid("base");
    }
    if (pulls.stream()
        .anyMatch(
            pull ->
                pull.path("state").asText().equals("open")
                    && pull.path("head").path("ref").asText().equals(head)
                    && pull.path("base").path("ref").asText().equals(base))) {
      return custom("A pull request already exists for " + label(head) + ".");
    }
    if (tip.equals(tip(base))) {
      return custom("No commits between %s and %s".formatted(base, head));
    }
    int number = pulls.size() + 1;
    ObjectNode pull =
        JsonNodeFactory.instance
            .objectNode()
            .put("number", number)
            .put("state", "open")
            .put("title", body.path("title").asText())
            .put("body", body.path("body").asText())
            .put("draft", body.path("draft").asBoolean())
            .put("html_url", "https://github.example/" + name + "/pull/" + number);
    pull.putObject("head").put("ref", head).put("sha", tip.get()).put("label", label(head));
    pull.putObject("base").put("ref", base);
    pulls.add(pull);
    return Answer.of(201, pull);
  }

  private String label(String branch) {
    return name.substring(0, name.indexOf('/')) + ":" + branch;
  }

  private static Answer invalid(String field) {
    return failed(
        JsonNodeFactory.instance
            .objectNode()
            .put("resource", "PullRequest")
            .put("field", field)
            .put("code", "invalid"));
  }

  private static Answer custom(String message) {
    return failed(
        JsonNodeFactory.instance
            .objectNode()
            .put("resource", "PullRequest")
            .put("code", "custom")
            .put("message", message));
  }

  private static Answer failed(ObjectNode error) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("message", "Validation Failed");
    body.putArray("errors").add(error);
    return Answer.of(422, body);
  }
}
