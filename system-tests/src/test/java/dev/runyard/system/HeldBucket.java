package dev.runyard.system;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.local.emulator.EmbeddedBuckets;
import dev.runyard.local.rights.AccessCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// The bucket that a stack's runners use, which lets some of their puts wait: content with the text
/// `held-before-<object>` before the object of that name is stored, with `held-after-<object>` once
/// it is. Since no runner waits for long, there is a gate before: an address at which agents wait.
///
/// The objects are those of the stack, whose functions use its own bucket.
final class HeldBucket implements AutoCloseable {
  private static final List<String> PASSED_ON =
      List.of("Authorization", "Content-Type", "If-Match", "If-None-Match");

  private final EmbeddedBuckets bucket;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient client = HttpClient.newHttpClient();
  private final Set<String> held = ConcurrentHashMap.newKeySet();
  private final AtomicInteger atGate = new AtomicInteger();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /// @param stack has not been started
  HeldBucket(StackFolder stack) throws IOException {
    bucket = new EmbeddedBuckets(stack.data().resolve("objects"), true, AccessCheck.NONE);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.createContext("/gate", this::letWait);
    server.start();
    Path template = stack.home().resolve("template.yaml");
    String first = "            - { Name: RUNYARD_WORK_DIR,";
    String own =
        "            - { Name: AWS_ENDPOINT_URL_S3, Value: \"http://127.0.0.1:%d\" }\n"
            .formatted(server.getAddress().getPort());
    Files.writeString(template, Files.readString(template).replace(first, own + first));
  }

  /// Where agents wait.
  String gate() {
    return "http://127.0.0.1:%d/gate".formatted(server.getAddress().getPort());
  }

  /// How many agents have come to the gate.
  int atGate() {
    return atGate.get();
  }

  void openGate() {
    gate.countDown();
  }

  private void letWait(HttpExchange exchange) throws IOException {
    try (exchange) {
      atGate.incrementAndGet();
      gate.await();
      exchange.sendResponseHeaders(404, -1);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// How many objects are waited for. A runner asks again for the same one, and gives it up after
  /// half a minute.
  int held() {
    return held.size();
  }

  /// From now on nothing waits; what has waited to be stored is not stored any more.
  void release() {
    released.countDown();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getRawPath();
      String object = path.substring(path.lastIndexOf('/') + 1);
      boolean put = exchange.getRequestMethod().equals("PUT") && released.getCount() > 0;
      String text = put ? new String(body, StandardCharsets.ISO_8859_1) : "";
      if (text.contains("held-before-" + object)) {
        hold(path);
        return;
      }
      HttpResponse<byte[]> answer = passedOn(exchange, path, body);
      if (text.contains("held-after-" + object)) {
        hold(path);
      }
      answer
          .headers()
          .firstValue("ETag")
          .ifPresent(tag -> exchange.getResponseHeaders().set("ETag", tag));
      byte[] content = answer.body();
      exchange.sendResponseHeaders(answer.statusCode(), content.length == 0 ? -1 : content.length);
      exchange.getResponseBody().write(content);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpResponse<byte[]> passedOn(HttpExchange exchange, String path, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(bucket.endpoint() + path))
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    for (String name : PASSED_ON) {
      String value = exchange.getRequestHeaders().getFirst(name);
      if (value != null) {
        request.header(name, value);
      }
    }
    return client.send(request.build(), BodyHandlers.ofByteArray());
  }

  private void hold(String path) throws InterruptedException {
    held.add(path);
    released.await();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    client.shutdownNow();
    bucket.close();
  }
}
