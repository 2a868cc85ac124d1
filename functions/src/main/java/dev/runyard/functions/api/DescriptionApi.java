package dev.runyard.functions.api;

import dev.runyard.functions.http.ETags;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.openapi.ApiDocument;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;

/// The description of the API. It says nothing of a tenant or of a stack, so that caches may keep
/// it.
final class DescriptionApi implements Resources<Endpoint> {
  private static final String CACHED = "public, max-age=300";

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(Route.open("GET", "/openapi.json", DescriptionApi::get));
  }

  private static Reply get(ApiRequest request) {
    Query query = request.query();
    if (query.problem().isPresent()) {
      return Reply.of(query.problem().get());
    }
    Reply reply =
        ETags.has(request, ApiDocument.tag())
            ? Reply.empty(304)
            : Reply.json(200, ApiDocument.text());
    return reply.with("ETag", ApiDocument.tag()).with("Cache-Control", CACHED);
  }
}
