package dev.runyard.functions.api;

import dev.runyard.core.access.Scope;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.WholeChange;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.run.RunState;
import dev.runyard.core.submit.IdempotencyHeader;
import dev.runyard.core.submit.PublishReader;
import dev.runyard.core.submit.PublishRun;
import dev.runyard.core.submit.SubmitRun;
import dev.runyard.core.view.RunJson;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/// Publishing what a run changed, once it has ended. What became of it is read where the change is.
final class PublishApi implements Resources<Endpoint> {
  private static final String ROUTE = "POST /v1/runs/{id}/publish";

  private final AgentCatalog catalog;
  private final PublishRun publish;
  private final RunLog runs;
  private final Supplier<ArtifactStore> artifacts;

  /// @param artifacts has the changes of runs that began with the files of others
  PublishApi(
      AgentCatalog catalog, PublishRun publish, RunLog runs, Supplier<ArtifactStore> artifacts) {
    this.catalog = catalog;
    this.publish = publish;
    this.runs = runs;
    this.artifacts = artifacts;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.post(Scope.RUNS_WRITE, "/v1/runs/{id}/publish", this::publish),
        Route.elsewhere("GET", "/v1/runs/{id}/publish"));
  }

  private Reply publish(ApiRequest request) {
    return request.isJson()
        ? request.ofRun(
            runs,
            run ->
                run instanceof RunState.Closed closed
                    ? publish(request, closed)
                    : Reply.of(
                        ProblemCode.RUN_NOT_ENDED,
                        "The run has not ended. Its request may say how it is published, or publish"
                            + " it when it has."))
        : Reply.notJson();
  }

  private Reply publish(ApiRequest request, RunState.Closed run) {
    Optional<Repository> repository = repository(run);
    if (repository.isEmpty()) {
      return Reply.of(
          ProblemCode.CHANGES_NOT_FOUND,
          "The run has changed no repository. Only what was changed in one can be published.");
    }
    WorkspaceSource.Git git = repository.get().git();
    AgentKind kind = new AgentKind(run.facts().request().agent());
    PublishReader reader = new PublishReader(git, kind, catalog.grants(kind.name()));
    return switch (reader.read(request.bytes())) {
      case PublishReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case PublishReader.Result.Accepted accepted ->
          reply(
              request,
              publish.publish(
                  run,
                  request.caller().requester(),
                  git,
                  repository.get().commit(),
                  accepted.request(),
                  IdempotencyHeader.fingerprint(
                      run.facts().run().tenant(), ROUTE, accepted.body())));
    };
  }

  /// What was checked out: by the run itself, or by the run whose files it began with.
  private record Repository(WorkspaceSource.Git git, String commit) {
    static Repository of(WholeChange whole) {
      return new Repository(
          new WorkspaceSource.Git(
              whole.url(), whole.ref(), 1, whole.sparse(), false, false, whole.credential()),
          whole.commit());
    }
  }

  private Optional<Repository> repository(RunState.Closed run) {
    WorkspaceRequest workspace = run.facts().request().workspace();
    if (workspace != null && workspace.git() != null) {
      return Optional.ofNullable(workspace.commit())
          .map(commit -> new Repository(Objects.requireNonNull(workspace.git()), commit));
    }
    return new KeptChanges(artifacts.get())
        .find(run.facts().run())
        .map(KeptChange::whole)
        .filter(whole -> !whole.url().isEmpty())
        .map(Repository::of);
  }

  private static Reply reply(ApiRequest request, SubmitRun.Result result) {
    return switch (result) {
      case SubmitRun.Result.Rejected rejected -> Reply.of(rejected.problem());
      case SubmitRun.Result.Accepted done -> {
        String runs = request.url().substring(0, request.url().lastIndexOf("/v1/runs/") + 9);
        yield Reply.json(202, RunJson.of(done.run()))
            .with("Location", runs + done.run().facts().run().runId());
      }
    };
  }
}
