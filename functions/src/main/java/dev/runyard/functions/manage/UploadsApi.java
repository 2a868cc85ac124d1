package dev.runyard.functions.manage;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.upload.UploadId;
import dev.runyard.core.upload.UploadOrder;
import dev.runyard.core.upload.UploadPlaces;
import dev.runyard.core.upload.Uploads;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.net.URI;
import java.util.List;
import java.util.TreeMap;

/// Places for the archives that runs begin with. The bytes themselves never pass a function: they
/// go to the place.
public final class UploadsApi implements Resources<Endpoint> {
  private final Uploads uploads;

  public UploadsApi(Uploads uploads) {
    this.uploads = uploads;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.post(Scope.RUNS_WRITE, "/v1/uploads", Endpoint.plain(this::order)),
        Route.get(Scope.RUNS_READ, "/v1/uploads/{id}", this::get));
  }

  private Reply order(ApiRequest request) {
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return switch (UploadOrder.read(request.bytes())) {
      case UploadOrder.Result.Rejected rejected -> Reply.of(rejected.problem());
      case UploadOrder.Result.Accepted(UploadOrder order) ->
          switch (uploads.order(request.caller().tenant(), order)) {
            case Uploads.Answer.Refused refused -> Reply.of(refused.problem());
            case Uploads.Answer.Stored(UploadId id) -> Reply.json(200, shown(id, true));
            case Uploads.Answer.Wanted(UploadId id, UploadPlaces.Place place) -> {
              ObjectNode json = shown(id, false);
              json.set("put", shown(place, request));
              yield Reply.json(201, json).with("Location", request.url() + "/" + id.text());
            }
          };
    };
  }

  private Reply get(ApiRequest request) {
    Query query = request.query();
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    return uploads
        .find(request.caller().tenant(), request.named("id"))
        .map(found -> Reply.json(200, shown(found.id(), found.stored())))
        .orElseGet(
            () ->
                Reply.of(
                    ProblemCode.UPLOAD_NOT_FOUND, "There is no upload of this id, or no longer."));
  }

  private static ObjectNode shown(UploadId id, boolean stored) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("upload_id", id.text())
        .put("state", stored ? "stored" : "waiting")
        .put("expires_at", id.expires().toString());
  }

  private static ObjectNode shown(UploadPlaces.Place place, ApiRequest request) {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("url", absolute(URI.create(place.url()), request).toString())
            .put("method", place.method());
    ObjectNode headers = json.putObject("headers");
    new TreeMap<>(place.headers()).forEach(headers::put);
    return json.put("expires_at", place.until().toString());
  }

  /// A place of the server that the request came to has the name by which the client reached it.
  private static URI absolute(URI place, ApiRequest request) {
    String host = request.header("Host");
    return place.isAbsolute() || host == null ? place : URI.create("http://" + host).resolve(place);
  }
}
