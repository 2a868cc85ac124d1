package dev.runyard.functions.stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.artifact.ArtifactStore;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.Publication;
import dev.runyard.core.change.WholeChange;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.FailureJson;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.run.RunState;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What a run changed in its workspace. Contents are bytes of any kind and may be larger than an
/// answer of a function that is not streamed, so all of it is here ([ChangeContents]).
///
/// A name is looked up in the run's own list, so that none leads to another object.
final class ChangesApi implements Resources<StreamEndpoint> {
  private static final String WHOLE = "whole";
  private static final String ADDRESSES = "addresses";

  private final RunLog runs;
  private final Supplier<ArtifactStore> store;
  private final ChangeContents contents;

  ChangesApi(
      RunLog runs,
      Supplier<ArtifactStore> store,
      Supplier<LargeObjects> large,
      InstantSource clock) {
    this.runs = runs;
    this.store = store;
    this.contents = new ChangeContents(store, large, clock);
  }

  @Override
  public List<Route<StreamEndpoint>> routes() {
    return List.of(
        Route.get(
            Scope.RUNS_READ,
            "/v1/runs/{id}/changes",
            request -> list(request, ChangesApi::changes)),
        Route.get(
            Scope.RUNS_READ,
            "/v1/runs/{id}/artifacts",
            request -> list(request, ChangesApi::artifacts)),
        Route.get(Scope.RUNS_READ, "/v1/runs/{id}/publish", this::publication),
        Route.elsewhere("POST", "/v1/runs/{id}/publish"),
        Route.get(Scope.RUNS_READ, "/v1/runs/{id}/patch", this::patch),
        Route.get(
            Scope.RUNS_READ,
            "/v1/runs/{id}/workspace",
            request -> content(request, change -> Optional.ofNullable(change.archive()))),
        Route.get(
            Scope.RUNS_READ,
            "/v1/runs/{id}/artifacts/{name+}",
            request -> content(request, change -> named(change, request.named("name")))));
  }

  /// What was found of a run.
  private sealed interface Found {
    record Change(RunKey run, KeptChange change) implements Found {
      ChangeContents.Of of(KeptObject object) {
        return new ChangeContents.Of(run, change, object);
      }
    }

    record Nothing(Reply reply) implements Found {}
  }

  private Found find(StreamRequest request) {
    return find(request, query(request, Set.of()));
  }

  private Found find(StreamRequest request, Query query) {
    return query
        .problem()
        .<Found>map(problem -> new Found.Nothing(Reply.of(problem)))
        .orElseGet(() -> find(request.run()));
  }

  private Found find(Optional<RunKey> run) {
    if (run.isEmpty()) {
      return new Found.Nothing(Reply.runNotFound());
    }
    return switch (runs.load(run.get())) {
      case RunState.Absent _ -> new Found.Nothing(Reply.runNotFound());
      case RunState.Closed _ ->
          new KeptChanges(store.get())
              .find(run.get())
              .<Found>map(change -> new Found.Change(run.get(), change))
              .orElseGet(() -> new Found.Nothing(notKept()));
      case RunState.Existing _ ->
          new Found.Nothing(
              Reply.of(
                  ProblemCode.RUN_NOT_ENDED,
                  "The run has not ended. What it changes is there when it has."));
    };
  }

  /// The query of a request, whose parameters are true or absent.
  private static Query query(StreamRequest request, Set<String> known) {
    Query query = Query.parse(request.exchange().getRequestURI().getRawQuery(), known);
    for (String name : known) {
      if (query.text(name).filter(value -> !value.equals("true")).isPresent()) {
        query.refuse(
            ProblemCode.INVALID_REQUEST, "The parameter %s is true or absent.".formatted(name));
      }
    }
    return query;
  }

  private StreamAnswer patch(StreamRequest request) {
    Query query = query(request, Set.of(WHOLE));
    return content(
        request,
        find(request, query),
        query.text(WHOLE).isPresent()
            ? ChangesApi::wholePatch
            : change -> Optional.ofNullable(change.patch()),
        query.text(WHOLE).isEmpty());
  }

  /// Shows a change as a list.
  ///
  /// @see ChangeContents#address
  private interface Shown {
    JsonNode of(Found.Change found, Function<KeptObject, Optional<JsonNode>> address);
  }

  private StreamAnswer list(StreamRequest request, Shown shown) {
    Query query = query(request, Set.of(ADDRESSES));
    return new StreamAnswer.Whole(
        switch (find(request, query)) {
          case Found.Nothing nothing -> nothing.reply();
          case Found.Change found ->
              Reply.json(
                  200,
                  shown.of(
                      found,
                      object ->
                          query
                              .text(ADDRESSES)
                              .map(_ -> contents.address(request, found.of(object)))));
        });
  }

  /// What became of publishing the change. It may be there before the run has ended.
  private StreamAnswer publication(StreamRequest request) {
    Query query = query(request, Set.of());
    if (query.problem().isPresent()) {
      return new StreamAnswer.Whole(Reply.of(query.problem().get()));
    }
    Optional<RunKey> run = request.run().filter(key -> runs.load(key) instanceof RunState.Existing);
    return new StreamAnswer.Whole(
        run.map(
                key ->
                    new KeptChanges(store.get())
                        .findPublication(key)
                        .map(found -> Reply.json(200, shown(found)))
                        .orElseGet(ChangesApi::notPublished))
            .orElseGet(Reply::runNotFound));
  }

  private static JsonNode shown(Publication publication) {
    ObjectNode json = JsonFormat.JSON.valueToTree(publication);
    if (publication.error() != null) {
      FailureJson.put(json, "error", publication.error());
    }
    return json;
  }

  private static Reply notPublished() {
    return Reply.of(ProblemCode.CHANGES_NOT_FOUND, "What the run changed has not been published.");
  }

  private StreamAnswer content(
      StreamRequest request, Function<KeptChange, Optional<KeptObject>> which) {
    return content(request, find(request), which, false);
  }

  private StreamAnswer content(
      StreamRequest request,
      Found there,
      Function<KeptChange, Optional<KeptObject>> which,
      boolean patch) {
    return switch (there) {
      case Found.Nothing nothing -> new StreamAnswer.Whole(nothing.reply());
      case Found.Change found ->
          which
              .apply(found.change())
              .flatMap(object -> contents.answer(request, found.of(object)))
              .orElseGet(
                  () ->
                      new StreamAnswer.Whole(
                          patch && found.change().patch() == null ? tooLarge() : notKept()));
    };
  }

  /// All that was changed since the commit that was fetched: by several runs, or by this one alone.
  private static Optional<KeptObject> wholePatch(KeptChange change) {
    WholeChange whole = change.whole();
    return Optional.ofNullable(whole == null ? change.patch() : whole.patch());
  }

  /// A gateway may have decoded the name before.
  private static Optional<KeptObject> named(KeptChange change, String raw) {
    return change.artifacts().stream()
        .filter(artifact -> artifact.name().equals(raw) || artifact.name().equals(decoded(raw)))
        .findFirst();
  }

  private static String decoded(String raw) {
    try {
      return URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return raw;
    }
  }

  private static JsonNode changes(
      Found.Change found, Function<KeptObject, Optional<JsonNode>> address) {
    KeptChange change = found.change();
    ObjectNode json = JsonFormat.JSON.valueToTree(change);
    json.remove("artifacts");
    json.remove("attempt_id");
    json.remove("archive");
    show(json, "patch", change.patch(), address);
    show(json, "workspace", change.archive(), address);
    if (change.whole() != null && json.get("whole") instanceof ObjectNode whole) {
      whole.retain("base_commit", "files_total", "runs", "patch");
      show(whole, "patch", change.whole().patch(), address);
    }
    return json;
  }

  private static void show(
      ObjectNode json,
      String member,
      @Nullable KeptObject object,
      Function<KeptObject, Optional<JsonNode>> address) {
    if (object != null) {
      ObjectNode shown = json.putObject(member);
      shown.put("bytes", object.bytes()).put("sha256", object.sha256());
      address.apply(object).ifPresent(there -> shown.set("address", there));
    }
  }

  private static JsonNode artifacts(
      Found.Change found, Function<KeptObject, Optional<JsonNode>> address) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode artifacts = json.putArray("artifacts");
    for (KeptObject artifact : found.change().artifacts()) {
      ObjectNode shown =
          artifacts
              .addObject()
              .put("name", artifact.name())
              .put("bytes", artifact.bytes())
              .put("sha256", artifact.sha256())
              .put("content_type", artifact.contentType());
      address.apply(artifact).ifPresent(there -> shown.set("address", there));
    }
    return json;
  }

  private static Reply tooLarge() {
    return Reply.of(
        ProblemCode.CHANGES_NOT_FOUND,
        "What the run changed is too large for a patch. GET /v1/runs/{id}/workspace has all files,"
            + " unless these are too large too.");
  }

  private static Reply notKept() {
    return Reply.of(
        ProblemCode.CHANGES_NOT_FOUND,
        "The run has left nothing of this kind, or it was removed. A run keeps what it changes if"
            + " its request has a workspace.");
  }
}
