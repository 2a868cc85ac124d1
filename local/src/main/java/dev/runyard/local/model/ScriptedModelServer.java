package dev.runyard.local.model;

import com.sun.net.httpserver.HttpServer;
import dev.runyard.local.http.LoopbackServer;
import dev.runyard.local.threads.StackThreads;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/// An HTTP server on 127.0.0.1 whose model follows directives in the prompt. It speaks the
/// Responses and Chat Completions APIs of OpenAI, the Messages API of Anthropic and the Gemini API.
///
/// Any number of agents may use one server at once. Closing it ends every open reply.
public final class ScriptedModelServer implements AutoCloseable {

  /// The name listed at `/v1/models`; requests may ask for any other.
  public static final String MODEL = "scripted";

  private static final List<ModelWire> WIRES =
      List.of(new ResponsesWire(), new ChatWire(), new MessagesWire(), new GeminiWire());

  private final HttpServer http;
  private final ExecutorService threads;
  private final CountDownLatch closing;

  private ScriptedModelServer(HttpServer http, ExecutorService threads, CountDownLatch closing) {
    this.http = http;
    this.threads = threads;
    this.closing = closing;
  }

  /// Starts a server that passes each request and its reply to `listener`, on the request's thread.
  ///
  /// @param port 0 for a free one
  public static ScriptedModelServer start(int port, Consumer<ModelExchange> listener) {
    HttpServer http = LoopbackServer.bind(port);
    ExecutorService threads = StackThreads.pool("model");
    CountDownLatch closing = new CountDownLatch(1);
    for (ModelWire wire : WIRES) {
      http.createContext(wire.path(), new ModelHandler(wire, listener, closing));
    }
    http.createContext(SideRoutes.MODELS, SideRoutes::models);
    http.createContext("/", SideRoutes::greet);
    http.setExecutor(threads);
    http.start();
    return new ScriptedModelServer(http, threads, closing);
  }

  /// The base address of OpenAI's APIs: `http://127.0.0.1:<port>/v1`.
  public URI baseUrl() {
    return URI.create(origin() + "/v1");
  }

  /// The base address of APIs that have their version in the path: `http://127.0.0.1:<port>`.
  public URI origin() {
    return LoopbackServer.address(http);
  }

  @Override
  public void close() {
    closing.countDown();
    http.stop(0);
    threads.shutdownNow();
  }
}
