package dev.runyard.core.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.request.GitAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Which servers of repositories take pull requests, and in which way. Only these are ever asked:
/// the two that everybody knows, and those that the operator names.
///
/// @param byHost the operator's, by host as in an address, with its port if it has one
public record GitForges(Map<String, Forge> byHost) {
  /// The member of an agent in the operator's document that names them.
  public static final String MEMBER = "git_forges";

  /// Most servers that an agent names.
  static final int FORGES_MAX = 64;

  private static final Map<String, Forge> KNOWN =
      Map.of(
          "github.com", new Forge(Kind.GITHUB, "https://api.github.com"),
          "gitlab.com", new Forge(Kind.GITLAB, "https://gitlab.com/api/v4"));

  /// None but the known ones.
  public static final GitForges NONE = new GitForges(Map.of());

  public GitForges {
    byHost = Map.copyOf(byHost);
  }

  /// How a server takes pull requests.
  public enum Kind {
    GITHUB("/api/v3"),
    GITLAB("/api/v4");

    private final String path;

    Kind(String path) {
      this.path = path;
    }

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// A server that takes pull requests.
  ///
  /// @param api the address of its API, without a `/` at its end
  public record Forge(Kind kind, String api) {}

  /// The server of a repository; empty if nobody knows how it takes pull requests.
  public Optional<Forge> of(GitAddress repository) {
    return Optional.ofNullable(byHost.get(repository.host()))
        .or(() -> Optional.ofNullable(KNOWN.get(repository.host())));
  }

  /// Reads the member of an agent in the operator's document.
  ///
  /// @param at the agent's place in the document
  static GitForges read(JsonNode agent, String at) {
    JsonNode named = agent.path(MEMBER);
    if (named.isMissingNode()) {
      return NONE;
    }
    String place = at + "/" + MEMBER;
    if (!named.isObject() || named.size() > FORGES_MAX) {
      throw AgentSettings.wrong(
          place, "must be an object with at most %d servers".formatted(FORGES_MAX));
    }
    Map<String, Forge> forges = new TreeMap<>();
    named
        .properties()
        .forEach(
            entry ->
                forges.put(
                    entry.getKey().toLowerCase(Locale.ROOT),
                    forge(entry.getKey(), entry.getValue(), place + "/" + entry.getKey())));
    return new GitForges(forges);
  }

  private static Forge forge(String host, JsonNode value, String at) {
    Optional<GitAddress> server =
        GitAddress.read("https://" + host + "/-").filter(read -> read.path().equals("-"));
    Optional<Kind> kind =
        Arrays.stream(Kind.values())
            .filter(known -> known.wire().equals(value.path("kind").textValue()))
            .findFirst();
    if (server.isEmpty()
        || kind.isEmpty()
        || !value.properties().stream()
            .allMatch(member -> Set.of("kind", "api").contains(member.getKey()))) {
      throw AgentSettings.wrong(
          at, "must be a host with kind, which is github or gitlab, and api if it is elsewhere");
    }
    String api = value.path("api").asText("https://" + host + kind.get().path);
    boolean usable =
        !api.endsWith("/")
            && GitAddress.read(api + "/-").filter(read -> !read.scheme().equals("ssh")).isPresent();
    if (!usable) {
      throw AgentSettings.wrong(
          at + "/api", "must be an address of https, without a / at its end; http of this machine");
    }
    return new Forge(kind.get(), api);
  }
}
