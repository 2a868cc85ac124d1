package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.CacheFolder;
import dev.runyard.cli.demo.Folders;
import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.testkit.git.GitHubServer;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/// Webhooks of another system start runs, delivered without the stack's access token: the example
/// of docs/hooks.md with the genuine Codex, and on emulators with the template's rights.
final class HookIT {
  private static final String NAME = "octo/shop";
  private static final String KEY = "what-github-signs-with";
  private static final String TOKEN = "token-of-the-publisher";
  private static final Pattern BLOCK = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL);

  /// As GitHub sends it, with the members that matter here. What the issue asks for is written for
  /// the scripted model.
  private static final String LABELED =
      """
      {"action":"labeled",
       "issue":{"number":7,"title":"The file is missing","html_url":"https://github.com/octo/shop/issues/7",
        "labels":[{"id":1,"name":"agent"}],"user":{"login":"ann"},
        "body":"Please add it. {{/repository/id}} [[sh printf made > made.txt]] [[say Done.]]"},
       "label":{"id":1,"name":"agent","color":"ededed"},
       "repository":{"id":42,"name":"shop","full_name":"octo/shop","private":true,"default_branch":"main",
        "clone_url":"https://github.com/octo/shop.git","owner":{"login":"octo"}},
       "sender":{"login":"ann","type":"User"}}
      """;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void theShownExampleMakesAPullRequestOfAnIssue() throws Exception {
    Path work = CacheFolder.of(System.getenv()).resolve("work");
    Path folder = Files.createTempDirectory(Files.createDirectories(work), "hook-");
    Path served = folder.resolve("served");
    Repository repository = Repository.create(served.resolve(NAME + ".git"));
    repository.git("config", "http.receivepack", "true");
    repository.commit("file", "from the repository\n");
    try (ScriptedModelServer model = ScriptedModelServer.start(0, _ -> {});
        GitServer server = new GitServer(served);
        GitHubServer forge = new GitHubServer(repository, NAME, TOKEN)) {
      server.wants("x-access-token:" + TOKEN);
      StackFolder files = StackFolder.in(folder);
      Files.writeString(files.agents(), agents(model, server, forge).toString());
      Path hook =
          Files.writeString(
              folder.resolve("hook.json"),
              blocks().getFirst().replace("https://github.com/", root(server)));
      Path secrets = secrets(folder);
      try (SystemStack stack = SystemStack.start(files, "--secrets", secrets.toString())) {
        String id = stack.command(folder, "hooks", "create", "--file", hook.toString()).strip();
        String run = deliver(stack, id);

        JsonNode done = stack.api().ended(run);
        assertEquals("completed", done.path("status").asText(), done::toString);
        assertEquals("github-42-7", done.path("session_id").asText());
        assertEquals(
            List.of("agent/issue-7", "main"),
            repository
                .git("for-each-ref", "--format=%(refname:short)", "refs/heads")
                .lines()
                .toList());
        assertEquals("made", repository.git("show", "agent/issue-7:made.txt"));
        assertEquals(1, forge.pulls().size());
        assertEquals("The file is missing", forge.pulls().getFirst().path("title").asText());
        assertEquals("agent/issue-7", forge.pulls().getFirst().at("/head/ref").asText());
        String told = stack.command(folder, "hooks", "deliveries", id);
        assertTrue(told.contains("started  issues  d-1  " + run), told);
        assertTrue(told.contains("ignored  issues  d-0  filter on /label/name"), told);
        Path body = Files.writeString(folder.resolve("payload.json"), LABELED);
        String tried =
            stack.command(
                folder,
                "hooks",
                "dry-run",
                id,
                "--body",
                body.toString(),
                "--header",
                "X-GitHub-Event=issues");
        assertTrue(tried.contains("{{/repository/id}} [["), "text of an issue stays text");
      }
    } finally {
      client.close();
      Folders.delete(folder);
    }
  }

  /// What is not wanted, forged, genuine and repeated, in this order; returns the run.
  private String deliver(SystemStack stack, String id) throws Exception {
    URI at = URI.create(stack.api().uri() + "/v1/hooks/" + id);
    String other = LABELED.replace("\"name\":\"agent\",\"color\"", "\"name\":\"bug\",\"color\"");
    HttpResponse<String> ignored = post(at, "d-0", other, signature(other));
    assertEquals(202, ignored.statusCode(), ignored.body());
    assertEquals("ignored", Api.JSON.readTree(ignored.body()).path("outcome").asText());
    HttpResponse<String> forged = post(at, "d-1", LABELED, signature(LABELED + " "));
    assertEquals(404, forged.statusCode(), forged.body());
    HttpResponse<String> genuine = post(at, "d-1", LABELED, signature(LABELED));
    assertEquals(202, genuine.statusCode(), genuine.body());
    JsonNode started = Api.JSON.readTree(genuine.body());
    assertEquals("started", started.path("outcome").asText(), started::toString);
    JsonNode repeated = Api.JSON.readTree(post(at, "d-1", LABELED, signature(LABELED)).body());
    assertEquals("repeated", repeated.path("outcome").asText());
    assertEquals(started.path("run_id"), repeated.path("run_id"));
    return started.path("run_id").asText();
  }

  @Test
  void worksOnEmulatorsWithTheRightsOfTheTemplate() throws Exception {
    Path folder = Files.createTempDirectory("hook-emulated-");
    StackFolder files = StackFolder.in(folder);
    Files.writeString(
        files.agents(),
        "{\"agents\":{},\"hook_secrets\":{\"A\":\"secretsmanager:team/github-hook\",\"B\":\"ssm:/hook\"}}");
    try (SystemStack stack = SystemStack.emulated(files, "--secrets", secrets(folder).toString())) {
      for (String secret : List.of("A", "B")) {
        Api.Answer made =
            stack
                .api()
                .post(
                    "/v1/hooks",
                    "{\"name\":\"h\",\"sender\":\"github\",\"secret\":\"%s\",\"run\":{\"agent\":\"echo\",\"prompt\":\"{{/issue/title}}\"}}"
                        .formatted(secret));
        assertEquals(201, made.status(), made.json()::toString);
        URI at = URI.create(made.json().path("url").asText());
        HttpResponse<String> answer = post(at, "d-1", LABELED, signature(LABELED));
        assertEquals(202, answer.statusCode(), answer.body());
        String run = Api.JSON.readTree(answer.body()).path("run_id").asText();
        assertEquals("completed", stack.api().ended(run).path("status").asText());
        JsonNode told = stack.api().get(at.getPath() + "/deliveries").json();
        assertEquals(run, told.at("/deliveries/0/run_id").asText());
        Api.Answer changed =
            stack
                .api()
                .send(
                    stack
                        .api()
                        .request(at.getPath())
                        .header("Content-Type", Api.TYPE)
                        .method("PATCH", BodyPublishers.ofString("{\"enabled\":false}")));
        assertEquals(200, changed.status(), changed.json()::toString);
        String later = LABELED.replace("missing", "there");
        assertTrue(post(at, "d-3", later, signature(later)).body().contains("ignored"));
        Api.Answer gone = stack.api().send(stack.api().request(at.getPath()).DELETE());
        assertEquals(204, gone.status());
        assertEquals(404, post(at, "d-2", LABELED, signature(LABELED)).statusCode());
      }
    } finally {
      client.close();
      Folders.delete(folder);
    }
  }

  private HttpResponse<String> post(URI at, String id, String body, String signature)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(at)
            .header("Content-Type", "application/json")
            .header("X-GitHub-Event", "issues")
            .header("X-GitHub-Delivery", id)
            .header("X-Hub-Signature-256", signature)
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static String signature(String body) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
  }

  /// The agents file of the page, with servers of this machine in place of GitHub's.
  private static ObjectNode agents(ScriptedModelServer model, GitServer server, GitHubServer forge)
      throws Exception {
    Map<String, String> env = System.getenv();
    Path program = AgentInstall.of(env, CacheFolder.of(env)).program(AgentPackage.of("codex"));
    ObjectNode document =
        (ObjectNode) Api.JSON.readTree(blocks().get(1).replace("github.com", server.host()));
    ObjectNode codex = (ObjectNode) document.at("/agents/codex");
    codex.put("program", program.toString()).put("endpoint", model.baseUrl().toString());
    codex.put("model", "scripted-model").put("api_key_env", "MODEL_KEY");
    codex.putObject("env").put("MODEL_KEY", "any-key-will-do");
    codex.putObject("git_forges").set(server.host(), Api.JSON.readTree(forge.setting()));
    return document;
  }

  private static Path secrets(Path folder) throws Exception {
    Path file = folder.resolve("secrets.json");
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(
        file,
        Api.JSON.writeValueAsString(
            Map.of("team/github-hook", KEY, "team/github-token", TOKEN, "/hook", KEY)));
  }

  private static String root(GitServer server) {
    String url = server.url(NAME);
    return url.substring(0, url.length() - NAME.length());
  }

  private static List<String> blocks() throws Exception {
    Path home = Path.of(Objects.requireNonNull(System.getProperty("runyard.home")));
    return BLOCK
        .matcher(Files.readString(home.resolve("docs/hooks.md")))
        .results()
        .map((MatchResult block) -> block.group(1))
        .toList();
  }
}
