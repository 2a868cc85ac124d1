package dev.runyard.functions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.core.access.Identity;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.WholeChange;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.event.WorkspaceNotice;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.PublishRun;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.functions.Twins;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class PublishTest {
  private static final String COMMIT = "0123456789012345678901234567890123456789";
  private static final String BODY = "{\"branch\":\"fix/it\",\"pull_request\":{}}";

  private final Twins twins = new Twins();
  private final Client client = new Client(twins, catalog());

  @Test
  void answersWithARunThatPublishesAndStartsNoAgent() {
    RunKey run = ended();

    APIGatewayProxyResponseEvent answer = publish(run, BODY);

    assertEquals(202, answer.getStatusCode(), answer.getBody());
    String by = Client.json(answer).path("run_id").asText();
    assertEquals("/v1/runs/" + by, answer.getHeaders().get("Location"));
    RunRequest request = request(by);
    WorkspaceRequest workspace = Objects.requireNonNull(request.workspace());
    assertEquals("pi", request.agent());
    assertEquals(Map.of("publishes", run.runId()), request.tags());
    assertEquals(Optional.of(run.runId()), workspace.publishes());
    assertEquals(COMMIT, workspace.commit());
    assertEquals("GIT", Objects.requireNonNull(workspace.publish()).credential());
  }

  @Test
  void findsTheSameRunUnlessItFailed() {
    RunKey run = ended();
    String first = by(publish(run, BODY));
    assertEquals(first, by(publish(run, "{\"pull_request\":{},\"branch\":\"fix/it\"}")));
    assertNotEquals(first, by(publish(run, "{\"branch\":\"other\"}")));

    fail(first);
    String second = by(publish(run, BODY));
    assertNotEquals(first, second);
    assertEquals(second, by(publish(run, BODY)));

    complete(second);
    APIGatewayProxyResponseEvent done = publish(run, BODY);
    assertEquals(second, by(done));
    assertEquals("completed", Client.json(done).path("status").asText());
  }

  @Test
  void makesNoMoreRunsThanItsBound() {
    RunKey run = ended();
    Set<String> made = new TreeSet<>();
    for (int i = 0; i < PublishRun.PUBLISH_TRIES_MAX + 2; i++) {
      String by = by(publish(run, BODY));
      if (made.add(by)) {
        fail(by);
      }
    }

    assertEquals(PublishRun.PUBLISH_TRIES_MAX, made.size());
  }

  @Test
  void publishesWhatARunChangedThatBeganWithTheFilesOfAnother() {
    RunKey run = begun(WorkspaceRequest.of(new WorkspaceSource.None()));
    new KeptChanges(twins.artifacts)
        .name(
            run,
            new KeptChange(
                1,
                "a-1",
                "tree",
                List.of(),
                0,
                0,
                0,
                null,
                null,
                List.of(),
                List.of(),
                0,
                new WholeChange(
                    "https://github.com/acme/shop",
                    "main",
                    COMMIT,
                    List.of(),
                    "GIT",
                    List.of(run.runId()),
                    1,
                    null)));
    twins.complete(run);

    WorkspaceRequest workspace =
        Objects.requireNonNull(request(by(publish(run, BODY))).workspace());

    assertEquals(COMMIT, workspace.commit());
    assertEquals("main", Objects.requireNonNull(workspace.git()).ref());
    assertEquals("GIT", Objects.requireNonNull(workspace.publish()).credential());
  }

  @Test
  void saysWhatCannotBePublished() {
    RunKey going = begun();
    refused(409, "run_not_ended", publish(going, BODY));
    RunKey without = twins.running();
    twins.complete(without);
    refused(404, "changes_not_found", publish(without, BODY));
    RunKey run = ended();
    refused(400, "invalid_request", publish(run, "{}"));
    refused(400, "invalid_request", publish(run, "{\"branch\":\"a\",\"credential\":\"OTHER\"}"));
    refused(400, "malformed_json", publish(run, "{"));
    refused(404, "run_not_found", client.call(Client.post("/v1/runs/none/publish", BODY)));
  }

  private APIGatewayProxyResponseEvent publish(RunKey run, String body) {
    return client.call(Client.post("/v1/runs/" + run.runId() + "/publish", body));
  }

  private static String by(APIGatewayProxyResponseEvent answer) {
    assertEquals(202, answer.getStatusCode(), answer.getBody());
    return Client.json(answer).path("run_id").asText();
  }

  private static void refused(int status, String code, APIGatewayProxyResponseEvent answer) {
    assertEquals(status, answer.getStatusCode(), answer.getBody());
    assertEquals(code, Client.json(answer).path("code").asText());
  }

  private RunRequest request(String runId) {
    return switch (twins.runs().load(new RunKey(Identity.TENANT_DEFAULT, runId))) {
      case RunState.Existing run -> run.facts().request();
      case RunState.Absent _ -> throw new AssertionError(runId);
    };
  }

  private RunKey ended() {
    RunKey run = begun();
    twins.complete(run);
    return run;
  }

  private RunKey begun() {
    RunKey run =
        begun(
            WorkspaceRequest.of(
                new WorkspaceSource.Git(
                    "https://github.com/acme/shop", null, 1, List.of(), false, false, "GIT")));
    twins.report(
        run,
        new WorkspaceNotice.ContextResolved(
            "git", "https://github.com/acme/shop", null, COMMIT, 1, 1, 1));
    return run;
  }

  private RunKey begun(WorkspaceRequest workspace) {
    RunRequest request =
        new RunRequest(
                "pi",
                "hi",
                "",
                Map.of(),
                List.of(),
                null,
                60,
                Map.of(),
                Map.of(),
                RetryPolicy.NEVER)
            .with(workspace);
    RunKey run =
        switch (twins.submit().submit(Twins.BY, request, Optional.empty())) {
          case SubmitRun.Result.Accepted accepted -> accepted.run().facts().run();
          case SubmitRun.Result.Rejected rejected -> throw new AssertionError(rejected.problem());
        };
    claim(run);
    return run;
  }

  private void claim(RunKey run) {
    twins.runs().execute(run, new RunCommand.Claim("a-1", "r-1", "t-1", twins.clock.instant()));
    twins.report(run, new RunEvent.ProcessStarted("p-1", "pi"));
  }

  private void complete(String runId) {
    RunKey run = new RunKey(Identity.TENANT_DEFAULT, runId);
    claim(run);
    twins.complete(run);
  }

  private void fail(String runId) {
    RunKey run = new RunKey(Identity.TENANT_DEFAULT, runId);
    Failure why = new Failure(Failure.PUSH_REFUSED, Category.CALLER, "no");
    claim(run);
    twins.report(
        run, new RunEvent.ProcessFailed("p-1", why), new RunEvent.AttemptFailed(1, "a-1", why));
    twins.advance().advance(run);
    assertTrue(twins.runs().load(run) instanceof RunState.Closed);
  }

  private static AgentCatalog catalog() {
    AgentCatalog builtIn = AgentCatalog.builtIn();
    return builtIn.granted(
        AgentSettings.parse(
            """
            {"agents": {"pi": {"secrets": {"GIT": "env:GIT"}, "git_hosts": ["github.com"]}}}
            """,
            builtIn));
  }
}
