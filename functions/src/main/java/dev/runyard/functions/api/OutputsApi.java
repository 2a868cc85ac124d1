package dev.runyard.functions.api;

import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.StoredOutput;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/// The outputs of a run's tools that no event has room for. An id leads nowhere but to the outputs
/// of the run the path names, in the caller's own tenant.
public final class OutputsApi {
  private final String tenant;
  private final Supplier<ArtifactStore> store;

  /// The outputs in a store that is made when the first of them is asked for.
  public OutputsApi(String tenant, Supplier<ArtifactStore> store) {
    this.tenant = tenant;
    this.store = store;
  }

  Reply get(ApiRequest request, String run, String output) {
    Query query = request.query();
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    if (!RunKey.isRunId(run) || !StoredOutput.isId(output)) {
      return notFound();
    }
    return store
        .get()
        .get(new StoredOutput(new RunKey(tenant, run), output).key())
        .map(content -> Reply.text(new String(content, StandardCharsets.UTF_8)))
        .orElseGet(OutputsApi::notFound);
  }

  private static Reply notFound() {
    return Reply.of(
        ProblemCode.OUTPUT_NOT_FOUND, "The run has no output of this id, or it was removed.");
  }
}
