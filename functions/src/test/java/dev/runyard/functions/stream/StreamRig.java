package dev.runyard.functions.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.KeyCheck;
import dev.runyard.core.action.ResolveAction;
import dev.runyard.core.agentcommunication.CreateRequestReader;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.functions.Described;
import dev.runyard.functions.Twins;
import dev.runyard.functions.http.Origins;
import dev.runyard.testkit.openapi.CheckedClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The server on a free port of this machine, with the twins, and with pauses that a test controls.
final class StreamRig implements AutoCloseable {
  static final Duration LONGEST_PAUSE = Duration.ofMillis(100);
  final Twins twins = new Twins();
  final Ticks ticks = new Ticks();
  final RunFeeds feeds =
      new RunFeeds(twins.log, twins.clock, ticks, LONGEST_PAUSE, audience(twins), (_, _) -> {});
  private final AtomicReference<Runnable> quiet = new AtomicReference<>(() -> {});
  private final HttpClient client = new CheckedClient(HttpClient.newHttpClient(), Described.API);
  private final HttpServer server;

  StreamRig() {
    this(twins -> twins.caller());
  }

  /// @param callers who calls
  StreamRig(Function<Twins, Authentication> callers) {
    try {
      server =
          server(twins, feeds, callers.apply(twins), () -> quiet.getAndSet(() -> {}).run())
              .start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Audience audience(Twins twins) {
    return new Audience(twins.runs(), twins.wakeRunner(), twins.clock);
  }

  static Server server(Twins twins, RunFeeds feeds) {
    return server(twins, feeds, twins.caller());
  }

  static Server server(Twins twins, RunFeeds feeds, Authentication callers) {
    return server(twins, feeds, callers, () -> {});
  }

  /// @param quiet called when a reader of a log that is no run's waits for more
  private static Server server(
      Twins twins, RunFeeds feeds, Authentication callers, Runnable quiet) {
    AcpRuns acpRuns =
        new AcpRuns(
            new CreateRequestReader(twins.reader(), twins.catalog),
            twins.submit(),
            new ResolveAction(twins.runs(), twins.clock, twins.wakeRunner()),
            twins.runs(),
            twins.read());
    KeyCheck keys = new KeyCheck(twins.ports.accessKeys(), twins.clock, Runnable::run);
    LogReading reading =
        new LogReading(
            twins.log,
            keys,
            (_, _, longest) -> {
              twins.clock.advance(longest);
              quiet.run();
            },
            Duration.ofSeconds(1),
            twins.clock);
    return new Server(
        List.of(
            new EventsApi(
                feeds,
                twins.runs(),
                new StreamTokenCheck(twins.streamTokens, keys, twins.clock),
                twins.clock,
                twins.jsonLog()),
            new LogEventsApi<>(LogKinds.threads(twins.useCases.readThread()), reading),
            new LogEventsApi<>(LogKinds.jobs(), reading),
            new LogEventsApi<>(LogKinds.tasks(), reading),
            new ChangesApi(
                twins.runs(),
                () -> twins.reached(twins.artifacts),
                () -> twins.reached(twins.large),
                twins.clock),
            new AcpServer(acpRuns, twins.project(), feeds, keys, twins.clock, twins.jsonLog())),
        callers,
        new Origins(Set.of("https://app.example.com")),
        twins.ids,
        twins.jsonLog());
  }

  /// What happens when next a reader of a log that is no run's waits for more.
  void whenQuiet(Runnable happens) {
    quiet.set(happens);
  }

  int port() {
    return server.getAddress().getPort();
  }

  HttpClient client() {
    return client;
  }

  static String events(RunKey run, String query) {
    return "/v1/runs/" + run.runId() + "/events" + query;
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> getLater(String path) {
    return client.sendAsync(request(path).build(), HttpResponse.BodyHandlers.ofString());
  }

  Stream stream(String path, String... headers) throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path).header("Accept", "text/event-stream");
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return new Stream(client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
  }

  @Override
  public void close() {
    ticks.stop();
    server.stop(0);
    client.shutdownNow();
  }

  record Frame(String id, String type, String data) {
    /// True for what no log has.
    boolean told() throws IOException {
      JsonNode event = JsonFormat.JSON.readTree(data);
      String id = event.path("eventId").asText();
      return !id.isEmpty() && !id.endsWith("." + event.path("sequence").asText());
    }
  }

  /// A client's end of a stream.
  static final class Stream implements AutoCloseable {
    final HttpResponse<InputStream> response;
    private final BufferedReader lines;

    Stream(HttpResponse<InputStream> response) {
      this.response = response;
      this.lines =
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    @Nullable String line() throws IOException {
      return lines.readLine();
    }

    /// The next event, past comments, hints and what is told besides; null at the end of the
    /// stream.
    @Nullable Frame next() throws IOException {
      Frame frame = any();
      while (frame != null && frame.told()) {
        frame = any();
      }
      return frame;
    }

    /// What is told next, whatever event that is.
    Frame anyway() throws IOException {
      Frame frame = any();
      if (frame == null) {
        throw new AssertionError("the stream ended");
      }
      return frame;
    }

    /// The next event or what is told besides; null at the end of the stream.
    @Nullable Frame any() throws IOException {
      String id = "";
      String type = "";
      for (String line = line(); line != null; line = line()) {
        if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("event: ")) {
          type = line.substring(7);
        } else if (line.startsWith("data: ")) {
          Frame frame = new Frame(id, type, line.substring(6));
          assertEquals("", line());
          Described.API.checkEvent(
              response.request().method(), response.request().uri().getPath(), frame.data());
          return frame;
        }
      }
      return null;
    }

    List<Frame> next(int count) throws IOException {
      List<Frame> frames = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Frame frame = next();
        if (frame == null) {
          throw new AssertionError("the stream ended after " + frames);
        }
        frames.add(frame);
      }
      return frames;
    }

    List<Frame> toEnd() throws IOException {
      List<Frame> frames = new ArrayList<>();
      for (Frame frame = next(); frame != null; frame = next()) {
        frames.add(frame);
      }
      return frames;
    }

    static List<String> ids(List<Frame> frames) {
      return frames.stream().map(Frame::id).toList();
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }
}
