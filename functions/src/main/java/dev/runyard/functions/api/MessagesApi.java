package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.access.Scope;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.inbox.MessageBodyReader;
import dev.runyard.core.inbox.SendMessage;
import dev.runyard.functions.http.IdempotencyKey;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.util.List;
import java.util.Optional;

/// Messages to the agent of a run while it runs.
public final class MessagesApi implements Resources<Endpoint> {
  private final SendMessage send;

  public MessagesApi(SendMessage send) {
    this.send = send;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.post(Scope.RUNS_WRITE, "/v1/runs/{id}/messages", Endpoint.plain(this::send)));
  }

  private Reply send(ApiRequest request) {
    Optional<RunKey> run = request.run();
    if (run.isEmpty()) {
      return Reply.runNotFound();
    }
    if (!request.isJson()) {
      return Reply.notJson();
    }
    return switch (MessageBodyReader.read(request.bytes())) {
      case MessageBodyReader.Result.Rejected rejected -> Reply.of(rejected.problem());
      case MessageBodyReader.Result.Accepted accepted ->
          reply(
              IdempotencyKey.with(
                  request,
                  key ->
                      send.send(run.get(), accepted.content(), key, request.caller().requester()),
                  SendMessage.Result.Rejected::new));
    };
  }

  private static Reply reply(SendMessage.Result result) {
    return switch (result) {
      case SendMessage.Result.Rejected rejected -> Reply.of(rejected.problem());
      case SendMessage.Result.Accepted done ->
          Reply.json(
              202,
              JsonNodeFactory.instance
                  .objectNode()
                  .put("message_id", done.message().messageId())
                  .put("sequence", done.message().sequence()));
    };
  }
}
