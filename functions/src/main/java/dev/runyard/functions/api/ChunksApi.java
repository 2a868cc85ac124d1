package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.ChainCheck;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.projection.ReadModels;
import dev.runyard.core.run.RunState;
import dev.runyard.core.stream.ChunkHash;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;
import java.util.Optional;

/// The chain of a run's log, for whoever wants to know that the log is as it was written. It shows
/// no events.
public final class ChunksApi implements Resources<Endpoint> {
  private final EventLog log;
  private final ReadModels models;

  public ChunksApi(EventLog log, ReadModels models) {
    this.log = log;
    this.models = models;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(Route.get(Scope.RUNS_READ, "/v1/runs/{id}/chunks", this::list));
  }

  private Reply list(ApiRequest request) {
    Query query = request.query("after");
    long after = query.whole("after", 0, Long.MAX_VALUE, 0);
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    Optional<RunKey> run = request.run();
    if (run.isEmpty()) {
      return Reply.runNotFound();
    }
    // Before the chunks: what is kept of the log can only have been in it by then.
    Optional<RunState.Existing> model = models.snapshot(run.get());
    if (model.isEmpty() && log.chunkAt(run.get(), 1).isEmpty()) {
      return Reply.runNotFound();
    }
    List<Chunk> chunks = log.chunksAfter(run.get(), after);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode links = json.putArray("chunks");
    chunks.stream().map(ChainCheck.Link::of).forEach(link -> put(links.addObject(), link));
    json.put("next_after", chunks.isEmpty() ? after : chunks.getLast().last());
    json.put("more", chunks.size() == EventLog.READ_CHUNKS_MAX);
    ObjectNode kept = json.putObject("read_model");
    model.ifPresent(of -> put(kept, of));
    return Reply.json(200, json);
  }

  private static void put(ObjectNode json, ChainCheck.Link link) {
    json.put("first", link.first()).put("last", link.last());
    json.put("previous", link.previous().map(ChunkHash::toString).orElse(null));
    json.put("hash", link.hash().toString());
  }

  private static void put(ObjectNode json, RunState.Existing model) {
    json.put("sequence", model.sequence());
    model.chain().ifPresent(chain -> json.put("hash", chain.head().toString()));
  }
}
