package dev.runyard.core.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WorkspaceReaderTest {
  private static final String OPEN = "{}";
  private static final String LISTED =
      "{'pi':{'secrets':{'GIT':'env:GIT'},'git_hosts':['github.com','*.corp.example:8443']}}";

  @Test
  void readsEveryMember() {
    WorkspaceRequest request =
        accepted(
            LISTED,
            "{'git':{'url':'https://github.com/acme/shop.git','ref':'release/1.2','depth':0,"
                + "'sparse':['src/app','d d/\u00fc [1]','!a'],'submodules':true,'lfs':true,'credential':'GIT'},"
                + "'setup':['npm ci'],'setup_timeout_seconds':60,'artifacts':['dist/**','*.html'],"
                + "'archive':true}");

    assertEquals(
        WorkspaceRequest.of(
            new WorkspaceSource.Git(
                "https://github.com/acme/shop.git",
                "release/1.2",
                0,
                List.of("src/app", "d d/\u00fc [1]", "!a"),
                true,
                true,
                "GIT"),
            List.of("npm ci"),
            60,
            List.of("dist/**", "*.html"),
            true),
        request);
  }

  @Test
  void fetchesTheNewestCommitAndTenMinutesOfSetupUnlessAskedOtherwise() {
    WorkspaceRequest request = accepted(OPEN, "{'git':{'url':'https://host/repo'}}");

    assertEquals(WorkspaceSource.Git.of("https://host/repo", null), request.source());
    assertEquals(600, request.setupTimeoutSeconds());
    assertEquals(List.of(), request.setup());
  }

  @Test
  void takesNoFilesWhereNoneAreAskedFor() {
    assertEquals(WorkspaceRequest.of(new WorkspaceSource.None()), accepted(OPEN, "{'none':true}"));
    assertNull(
        assertInstanceOf(
                RunRequestReader.Result.Accepted.class,
                reader(OPEN)
                    .read("{\"agent\":\"pi\",\"prompt\":\"hi\"}".getBytes(StandardCharsets.UTF_8)))
            .request()
            .workspace());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://github.com/acme/shop",
        "https://host:8443/a/b.git",
        "http://127.0.0.1:8080/a.git",
        "http://localhost/a.git"
      })
  void takesAddressesOfServers(String url) {
    assertEquals(
        WorkspaceSource.Git.of(url, null),
        accepted(OPEN, "{'git':{'url':'" + url + "'}}").source());
  }

  static Stream<String> addresses() {
    return Stream.of(
        "",
        "repo",
        "/etc",
        "file:///etc",
        "git://host/a",
        "ext::sh -c id",
        "ext::sh",
        "fd::17/foo",
        "http://host/a",
        "http://127.0.0.1.host/a",
        "http://u@127.0.0.1/a",
        "http://[::ffff:10.0.0.1]/a",
        "https://user@host/a",
        "https://user:pw@host/a",
        "ssh://user:pw@host/a",
        "ssh://-oProxyCommand=id/a",
        "ssh://-u@host/a",
        "https://-host/a",
        "https://host/a?b",
        "https://host/a#b",
        "https://host",
        "https://host/",
        "https://host:99999/a",
        "https://host/a b",
        "https://host/a\\nb",
        "https://host\\\\@evil/a",
        "HTTPS://host/a",
        "host:a.git",
        "git@host:/a.git",
        "git@host:22/a.git",
        "git@host:-a",
        "git@-host:a",
        "-git@host:a",
        "git@host:a b",
        "https://host/" + "a".repeat(2048));
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void takesNoOtherAddress(String url) {
    Problem problem = rejected(OPEN, "{'git':{'url':'" + url + "'}}");

    assertEquals(List.of("/workspace/git/url"), problem.pointers());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"main", "release/1.2", "v1", "größe", "0123456789abcdef0123456789abcdef01234567"})
  void takesNamesOfBranchesAndTagsAndCommitIds(String ref) {
    assertEquals(
        ref,
        ((WorkspaceSource.Git)
                accepted(OPEN, "{'git':{'url':'https://host/a','ref':'" + ref + "'}}").source())
            .ref());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-x",
        "--upload-pack=id",
        "a..b",
        "a b",
        "a~1",
        "a^",
        "a:b",
        "a*",
        "a?",
        "[a",
        "a\\\\b",
        "a@{1}",
        "@",
        "/a",
        "a/",
        "a//b",
        ".a",
        "a/.b",
        "a.lock",
        "a.lock/b",
        "a.",
        "a\\nb"
      })
  void takesNoRefThatGitReadsInAnotherWay(String ref) {
    Problem problem = rejected(OPEN, "{'git':{'url':'https://host/a','ref':'" + ref + "'}}");

    assertEquals(List.of("/workspace/git/ref"), problem.pointers());
  }

  record Wrong(String pointer, String workspace) {}

  static List<Wrong> wrong() {
    return List.of(
        new Wrong("/workspace", "[]"),
        new Wrong("/workspace", "{}"),
        new Wrong("/workspace", "{'setup':['a']}"),
        new Wrong("/workspace", "{'none':true,'session':true}"),
        new Wrong("/workspace/path", "{'none':true,'path':'/'}"),
        new Wrong("/workspace/none", "{'none':false}"),
        new Wrong("/workspace/none", "{'none':1}"),
        new Wrong("/workspace/run", "{'run':'x'}"),
        new Wrong("/workspace/session", "{'session':true}"),
        new Wrong("/workspace/session", "{'session':{}}"),
        new Wrong("/workspace/git", "{'git':'https://host/a'}"),
        new Wrong("/workspace/git/url", "{'git':{}}"),
        new Wrong("/workspace/git/branch", git("'branch':'a'")),
        new Wrong("/workspace/git/depth", git("'depth':-1")),
        new Wrong("/workspace/git/depth", git("'depth':100001")),
        new Wrong("/workspace/git/lfs", git("'lfs':'yes'")),
        new Wrong("/workspace/git/submodules", git("'submodules':1")),
        new Wrong("/workspace/git/sparse/1", git("'sparse':['a','../b']")),
        new Wrong("/workspace/git/sparse/0", git("'sparse':['/a']")),
        new Wrong("/workspace/git/sparse/0", git("'sparse':['a\\u0000b']")),
        new Wrong("/workspace/git/sparse/0", git("'sparse':['a\\nb']")),
        new Wrong("/workspace/git/sparse/0", git("'sparse':['a//b']")),
        new Wrong("/workspace/git/sparse/0", git("'sparse':['a/./b']")),
        new Wrong("/workspace/git/sparse/0", git("'sparse':['']")),
        new Wrong("/workspace/git/sparse/0", git("'sparse':['\\ud800']")),
        new Wrong("/workspace/setup/0", "{'none':true,'setup':[' ']}"),
        new Wrong("/workspace/setup/0", "{'none':true,'setup':['" + "a".repeat(4097) + "']}"),
        new Wrong("/workspace/setup", "{'none':true,'setup':" + many(17) + "}"),
        new Wrong("/workspace/setup_timeout_seconds", "{'none':true,'setup_timeout_seconds':0}"),
        new Wrong("/workspace/artifacts/0", "{'none':true,'artifacts':['../a']}"),
        new Wrong("/workspace/artifacts/0", "{'none':true,'artifacts':['/a']}"),
        new Wrong("/workspace/artifacts/0", "{'none':true,'artifacts':['a**']}"),
        new Wrong("/workspace/artifacts/0", "{'none':true,'artifacts':['a//b']}"),
        new Wrong("/workspace/artifacts", "{'none':true,'artifacts':" + many(33) + "}"),
        new Wrong("/workspace/archive", "{'none':true,'archive':'yes'}"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void refusesWhatIsWrong(Wrong wrong) {
    assertEquals(List.of(wrong.pointer()), rejected(OPEN, wrong.workspace()).pointers());
  }

  @Test
  void takesAnUploadByItsId() {
    String id = "0123456789abcdef".repeat(4) + "-1772366400.tar.gz";

    assertEquals(
        new WorkspaceSource.Upload(id), accepted(OPEN, "{'upload':{'id':'" + id + "'}}").source());
    assertEquals(
        List.of("/workspace/upload/id"),
        rejected(OPEN, "{'upload':{'id':'../" + id + "'}}").pointers());
    assertEquals(
        List.of("/workspace/upload"), rejected(OPEN, "{'upload':'" + id + "'}").pointers());
  }

  @Test
  void refusesAWorkspaceForAnAgentThatWorksOnNoFiles() {
    Problem problem = rejected("echo", OPEN, "{'none':true}");

    assertEquals(ProblemCode.UNSUPPORTED_CAPABILITY, problem.code());
    assertEquals(List.of("/workspace"), problem.pointers());
  }

  @Test
  void sendsASecretOnlyToServersThatTheOperatorLists() {
    String secret = "{'pi':{'secrets':{'GIT':'env:GIT'}}}";
    String git = "{'git':{'url':'%s','credential':'%s'}}";

    accepted(LISTED, git.formatted("https://x.corp.example:8443/a", "GIT"));
    assertEquals(
        List.of("/workspace/git/credential"),
        rejected(secret, git.formatted("https://github.com/a", "GIT")).pointers());
    assertEquals(
        List.of("/workspace/git/url"),
        rejected(LISTED, git.formatted("https://evil.example/a", "GIT")).pointers());
    assertEquals(
        List.of("/workspace/git/url"),
        rejected(LISTED, git.formatted("https://github.com:444/a", "GIT")).pointers());
    assertEquals(
        List.of("/workspace/git/credential"),
        rejected(LISTED, git.formatted("https://github.com/a", "OTHER")).pointers());
  }

  @Test
  void trustsAServerOfSshOnlyWithAKeyAndAListedHostKey() {
    String keys =
        "'git_host_keys':['github.com ssh-ed25519 AAAA','[h.example]:2222 ssh-rsa AA+/=']";
    String listed =
        "{'pi':{'secrets':{'GIT':'env:GIT'},'git_hosts':['github.com','h.example:2222','x.y'],"
            + keys
            + "}}";
    String git = "{'git':{'url':'%s','credential':'GIT'}}";

    for (String url :
        List.of(
            "ssh://git@github.com/a/b.git", "git@github.com:a/b", "ssh://me@h.example:2222/a")) {
      assertEquals(
          url, ((WorkspaceSource.Git) accepted(listed, git.formatted(url)).source()).url());
    }
    assertEquals(
        List.of("/workspace/git/url"),
        rejected(listed, git.formatted("ssh://git@x.y/a")).pointers());
    assertTrue(
        accepted(listed, "{'git':{'url':'git@github.com:a','credential':'GIT','lfs':true}}")
                    .source()
                instanceof WorkspaceSource.Git large
            && large.lfs());
    assertEquals(
        List.of("/workspace/git/credential"),
        rejected(listed, "{'git':{'url':'ssh://git@github.com/a'}}").pointers());
    assertEquals(
        List.of("/workspace/git/credential"),
        rejected(OPEN, "{'git':{'url':'ssh://git@github.com/a'}}").pointers());
  }

  @Test
  void survivesBeingStored() throws IOException {
    for (WorkspaceSource source :
        List.of(
            WorkspaceSource.Git.of("https://host/a", "main"),
            new WorkspaceSource.Upload("u1"),
            new WorkspaceSource.Session(),
            new WorkspaceSource.Run("r1"),
            new WorkspaceSource.None())) {
      WorkspaceRequest request =
          WorkspaceRequest.of(source, List.of("make"), 5, List.of("a/**"), true);
      JsonNode stored = JsonFormat.JSON.valueToTree(request);

      WorkspaceRequest read = JsonFormat.JSON.treeToValue(stored, WorkspaceRequest.class);

      assertEquals(request, read, stored.toString());
      assertEquals(source, read.source());
    }
  }

  private static String git(String member) {
    return "{'git':{'url':'https://host/a'," + member + "}}";
  }

  private static String many(int count) {
    return IntStream.range(0, count).mapToObj(i -> "'a'").toList().toString();
  }

  private static WorkspaceRequest accepted(String agents, String workspace) {
    return switch (read("pi", agents, workspace)) {
      case RunRequestReader.Result.Accepted accepted ->
          Objects.requireNonNull(accepted.request().workspace());
      case RunRequestReader.Result.Rejected rejected ->
          throw new AssertionError(rejected.problem().toString());
    };
  }

  private static Problem rejected(String agents, String workspace) {
    return rejected("pi", agents, workspace);
  }

  private static Problem rejected(String agent, String agents, String workspace) {
    return assertInstanceOf(RunRequestReader.Result.Rejected.class, read(agent, agents, workspace))
        .problem();
  }

  private static RunRequestReader.Result read(String agent, String agents, String workspace) {
    String body =
        "{'agent':'%s','prompt':'hi','workspace':%s}"
            .formatted(agent, workspace)
            .replace('\'', '"');
    return reader(agents).read(body.getBytes(StandardCharsets.UTF_8));
  }

  private static RunRequestReader reader(String agents) {
    AgentCatalog builtIn = AgentCatalog.builtIn();
    String document = "{\"agents\":" + agents.replace('\'', '"') + "}";
    return new RunRequestReader(builtIn.granted(AgentSettings.parse(document, builtIn)));
  }
}
