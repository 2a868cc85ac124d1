package dev.runyard.functions.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.access.Scope;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.projection.RunFilter;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.runtime.RuntimeCommand.Window;
import dev.runyard.core.session.ReadThread;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.core.view.LimeJson;
import dev.runyard.core.view.ThreadJson;
import dev.runyard.functions.http.Query;
import dev.runyard.functions.http.Reply;
import dev.runyard.functions.http.Resources;
import dev.runyard.functions.http.Route;
import dev.runyard.functions.proxy.ApiRequest;
import dev.runyard.functions.proxy.Endpoint;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Sessions, threads and their queues.
public final class ThreadsApi implements Resources<Endpoint> {
  private final ReadThread read;
  private final InstantSource clock;

  public ThreadsApi(ReadThread read, InstantSource clock) {
    this.read = read;
    this.clock = clock;
  }

  @Override
  public List<Route<Endpoint>> routes() {
    return List.of(
        Route.get(
            Scope.RUNS_READ, "/v1/sessions/{id}", request -> windowed(request, this::session)),
        Route.get(Scope.RUNS_READ, "/v1/threads/{id}", request -> windowed(request, this::thread)),
        Route.get(Scope.RUNS_READ, "/v1/threads/{id}/queue", Endpoint.plain(this::queue)));
  }

  private interface Windowed {
    Reply answer(String tenant, String id, Window window);
  }

  private static Reply windowed(ApiRequest request, Windowed does) {
    Query query = request.query("limit", "cursor", "view");
    int limit = (int) query.whole("limit", 1, Window.LIMIT_MAX, Window.LIMIT_DEFAULT);
    String view = query.text("view").orElse(Window.VIEWS.getFirst());
    if (!Window.VIEWS.contains(view)) {
      query.refuse(
          ProblemCode.INVALID_REQUEST,
          "view must be one of: %s.".formatted(String.join(", ", Window.VIEWS)));
    }
    return query
        .problem()
        .map(Reply::of)
        .orElseGet(
            () ->
                does.answer(
                    request.caller().tenant(),
                    request.named("id"),
                    new Window(limit, query.text("cursor"), view)));
  }

  /// The session with a part of its history.
  Reply session(String tenant, String sessionId, Window window) {
    if (!RunRequestReader.isSessionId(sessionId)) {
      return noSession();
    }
    Optional<String> after = after(tenant, sessionId, window);
    if (after.isEmpty() && window.cursor().isPresent()) {
      return badCursor();
    }
    RunPage page = read.page(tenant, sessionId, window.limit(), after);
    List<ReadThread.Now> threads = read.threads(tenant, sessionId, page.runs());
    return threads.isEmpty()
        ? noSession()
        : shown(tenant, sessionId, window, threads, page, ThreadJson.session(sessionId, threads));
  }

  /// The thread with a part of its history.
  Reply thread(String tenant, String threadId, Window window) {
    Optional<ReadThread.Now> thread = read.thread(tenant, threadId);
    if (thread.isEmpty()) {
      return noThread();
    }
    String session = thread.get().in().sessionId();
    Optional<String> after = after(tenant, session, window);
    return after.isEmpty() && window.cursor().isPresent()
        ? badCursor()
        : shown(
            tenant,
            session,
            window,
            List.of(thread.get()),
            read.page(thread.get().in(), window.limit(), after),
            ThreadJson.of(thread.get()));
  }

  private Reply queue(ApiRequest request) {
    return read.thread(request.caller().tenant(), request.named("id"))
        .map(thread -> Reply.json(200, ThreadJson.of(thread)))
        .orElseGet(ThreadsApi::noThread);
  }

  private Reply shown(
      String tenant,
      String sessionId,
      Window window,
      List<ReadThread.Now> threads,
      RunPage listed,
      ObjectNode json) {
    RunFilter filter = new RunFilter(null, null, sessionId);
    RunPage page =
        window.cursor().isPresent() ? listed : read.withNew(listed, window.limit(), threads);
    String next = page.next().map(id -> ListCursor.encode(tenant, filter, id)).orElse(null);
    if (window.strict()) {
      return Reply.json(
          200, LimeJson.session(sessionId, threads, page.runs(), next, clock.instant()));
    }
    ThreadJson.turns(json, page.runs(), next);
    return Reply.json(200, json);
  }

  /// The run after which the page begins.
  private static Optional<String> after(String tenant, String sessionId, Window window) {
    return window
        .cursor()
        .flatMap(cursor -> ListCursor.decode(tenant, new RunFilter(null, null, sessionId), cursor));
  }

  static Reply noThread() {
    return Reply.of(ProblemCode.THREAD_NOT_FOUND, "There is no thread with this id.");
  }

  private static Reply noSession() {
    return Reply.of(ProblemCode.SESSION_NOT_FOUND, "There is no session with this id.");
  }

  private static Reply badCursor() {
    return Reply.of(ProblemCode.INVALID_CURSOR, "cursor must be a next_cursor of the same list.");
  }
}
