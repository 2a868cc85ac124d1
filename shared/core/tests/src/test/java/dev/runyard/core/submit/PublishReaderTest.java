package dev.runyard.core.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.GitForges;
import dev.runyard.core.agent.Grants;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.request.GitAddress;
import dev.runyard.core.request.PublishRequest;
import dev.runyard.core.request.WorkspaceSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PublishReaderTest {
  private static final String LISTED =
      "'secrets':{'GIT':'env:GIT'},'git_hosts':['github.com','git.corp.example','x.example']";
  private static final String REPOSITORY = "https://github.com/acme/shop";

  @Test
  void readsEveryMember() {
    PublishRequest request =
        accepted(
            REPOSITORY,
            "{'branch':'fix/it','message':'Fix it\\n\\nAll of it. ','push':true,'credential':'GIT',"
                + "'author':{'name':'A Person','email':'a@example.org'},'pull_request':"
                + "{'title':'Fix','body':'a\\nb','base':'main','draft':true}}");

    assertEquals(
        new PublishRequest(
            "fix/it",
            "Fix it\n\nAll of it.",
            true,
            new PublishRequest.PullRequest("Fix", "a\nb", "main", true),
            "GIT",
            new PublishRequest.Author("A Person", "a@example.org"),
            null),
        request);
  }

  @Test
  void needsNoMoreThanABranchAndTakesTheCredentialOfTheRepository() {
    assertEquals(
        new PublishRequest("fix", null, true, null, "GIT", null, null),
        accepted(REPOSITORY, "{'branch':'fix'}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'branch':'-f'}",
        "{'branch':'HEAD'}",
        "{'branch':'refs/heads/fix'}",
        "{'branch':'a..b'}",
        "{'branch':'a:b'}",
        "{'branch':'a','message':' '}",
        "{'branch':'a','message':'a\\u0000b'}",
        "{'branch':'a','message':'a\\u001bb'}",
        "{'branch':'a','push':false,'pull_request':{}}",
        "{'branch':'a','pull_request':{'title':'a\\nb'}}",
        "{'branch':'a','pull_request':{'base':'-x'}}",
        "{'branch':'a','author':{'name':'A <b>','email':'a@b'}}",
        "{'branch':'a','author':{'name':'A','email':'a b@c'}}",
        "{'branch':'a','author':{'name':'A\\nB','email':'a@c'}}",
        "{'branch':'a','author':{'name':'A'}}",
        "{'branch':'a','credential':'OTHER'}",
        "{'branch':'a','of':'other'}"
      })
  void refusesWhatGitOrAServerWouldTakeInAnotherWay(String body) {
    refused(REPOSITORY, "GIT", body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://elsewhere.example/a/b",
        "https://github.com:444/a/b",
        "http://127.0.0.1:8080/a/b",
        "ssh://git@github.com/a/b"
      })
  void publishesOnlyToServersThatTheOperatorLists(String url) {
    assertEquals("/branch", pointer(refused(url, null, "{'branch':'a'}")));
  }

  @Test
  void takesPullRequestsOnlyWhereTheServersKindIsKnown() {
    refused("https://x.example/a/b", "GIT", "{'branch':'a','pull_request':{}}");
    refused(REPOSITORY, null, "{'branch':'a','pull_request':{}}");
    assertTrue(
        accepted("https://git.corp.example/a/b", "{'branch':'a','pull_request':{}}").pullRequest()
            != null);
  }

  @Test
  void knowsWhereTheApisAre() {
    GitForges forges =
        grants(
                LISTED
                    + ",'git_forges':{'git.corp.example':{'kind':'gitlab'},'x.example:8443':"
                    + "{'kind':'github','api':'https://api.x.example/v3'}}")
            .forges();

    assertEquals("https://api.github.com", api(forges, REPOSITORY));
    assertEquals("https://gitlab.com/api/v4", api(forges, "https://gitlab.com/a/b/c"));
    assertEquals("https://git.corp.example/api/v4", api(forges, "https://git.corp.example/a/b"));
    assertEquals("https://api.x.example/v3", api(forges, "https://x.example:8443/a/b"));
    assertEquals("", api(forges, "https://x.example/a/b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{'h':{'kind':'svn'}}",
        "{'h':{}}",
        "{'h/x':{'kind':'github'}}",
        "{'h':{'kind':'github','api':'http://elsewhere'}}",
        "{'h':{'kind':'github','api':'https://u:p@elsewhere'}}",
        "{'h':{'kind':'github','api':'https://elsewhere/?x'}}",
        "{'h':{'kind':'github','api':'https://elsewhere/'}}",
        "{'h':{'kind':'github','more':1}}"
      })
  void namesServersThatAreNone(String forges) {
    IllegalArgumentException wrong =
        assertThrows(IllegalArgumentException.class, () -> grants("'git_forges':" + forges));
    assertTrue(String.valueOf(wrong.getMessage()).contains("git_forges"));
  }

  @Test
  void isAMemberOfAWorkspaceWithARepositoryOnly() {
    assertNull(workspace("{'git':{'url':'" + REPOSITORY + "'},'publish':{'branch':'a'}}"));
    assertEquals("/workspace/publish", workspace("{'none':true,'publish':{'branch':'a'}}"));
    assertEquals(
        "/workspace/publish/branch",
        workspace("{'git':{'url':'" + REPOSITORY + "'},'publish':{'branch':'-'}}"));
  }

  /// Where the mistake is; null if there is none.
  private static @Nullable String workspace(String json) {
    AgentCatalog catalog = AgentCatalog.builtIn().granted(settings(LISTED));
    byte[] body =
        ("{'agent':'pi','prompt':'p','workspace':" + json + "}")
            .replace('\'', '"')
            .getBytes(StandardCharsets.UTF_8);
    return switch (new RunRequestReader(catalog).read(body)) {
      case RunRequestReader.Result.Accepted _ -> null;
      case RunRequestReader.Result.Rejected rejected -> pointer(rejected.problem());
    };
  }

  private static String api(GitForges forges, String url) {
    Optional<GitForges.Forge> found = forges.of(GitAddress.read(url).orElseThrow());
    return found.map(GitForges.Forge::api).orElse("");
  }

  private static AgentSettings settings(String members) {
    return AgentSettings.parse(
        ("{'agents':{'pi':{" + members + "}}}").replace('\'', '"'), AgentCatalog.builtIn());
  }

  private static Grants grants(String members) {
    return settings(members).of(new AgentKind("pi")).grants();
  }

  private static PublishReader.Result read(String url, @Nullable String credential, String body) {
    return new PublishReader(
            new WorkspaceSource.Git(url, null, 1, List.of(), false, false, credential),
            new AgentKind("pi"),
            grants(LISTED + ",'git_forges':{'git.corp.example':{'kind':'gitlab'}}"))
        .read(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static PublishRequest accepted(String url, String body) {
    return assertInstanceOf(PublishReader.Result.Accepted.class, read(url, "GIT", body)).request();
  }

  private static Problem refused(String url, @Nullable String credential, String body) {
    return assertInstanceOf(PublishReader.Result.Rejected.class, read(url, credential, body), body)
        .problem();
  }

  private static String pointer(Problem problem) {
    return problem.pointers().getFirst();
  }
}
