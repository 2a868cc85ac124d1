package dev.runyard.functions.api;

import dev.runyard.core.access.Scope;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The outputs of a run's tools that are too large for an event. An id can lead only to the outputs
/// of the run that the path names, in the caller's own tenant.
public final class OutputsApi implements Resources<Endpoint> {
  private final Supplier<ArtifactStore> store;

  /// The outputs in a store that is created when the first one is requested.
  public OutputsApi(Supplier<ArtifactStore> store) {
    this.store = store;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(Route.get(Scope.RUNS_READ, "/v1/runs/{id}/outputs/{outputId}", this::get));
  }

  private Reply get(ApiRequest request) {
    Query query = request.query();
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    Optional<RunKey> run = request.run();
    String output = request.named("outputId");
    if (run.isEmpty() || !StoredOutput.isId(output)) {
      return notFound();
    }
    return store
        .get()
        .get(new StoredOutput(run.get(), output).key())
        .map(content -> Reply.text(new String(content, StandardCharsets.UTF_8)))
        .orElseGet(OutputsApi::notFound);
  }

  private static Reply notFound() {
    return Reply.of(
        ProblemCode.OUTPUT_NOT_FOUND, "The run has no output of this id, or it was removed.");
  }
}
