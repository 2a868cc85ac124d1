package dev.runyard.testkit.openapi;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/// A client that fails when an answer, or a request that was accepted, is not as it is described. A
/// body is compared if it is read as a whole: as text or as bytes.
public final class CheckedClient extends HttpClient {
  private final HttpClient client;
  private final DescribedApi api;

  public CheckedClient(HttpClient client, DescribedApi api) {
    this.client = client;
    this.api = api;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    HttpResponse<T> response = client.send(request, handler);
    api.check(exchange(request, response));
    return response;
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return checked(request, client.sendAsync(request, handler));
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushed) {
    return checked(request, client.sendAsync(request, handler, pushed));
  }

  private <T> CompletableFuture<HttpResponse<T>> checked(
      HttpRequest request, CompletableFuture<HttpResponse<T>> answer) {
    return answer.thenApply(
        response -> {
          api.check(exchange(request, response));
          return response;
        });
  }

  private static Exchange exchange(HttpRequest request, HttpResponse<?> response) {
    Map<String, String> headers = new TreeMap<>();
    response.headers().map().forEach((name, values) -> headers.put(name, values.getFirst()));
    URI uri = request.uri();
    Object body = response.body();
    return new Exchange(
        request.method(),
        uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()),
        request.bodyPublisher().map(CheckedClient::bytes),
        response.statusCode(),
        headers,
        body instanceof String text
            ? Optional.of(text.getBytes(StandardCharsets.UTF_8))
            : body instanceof byte[] bytes ? Optional.of(bytes) : Optional.empty());
  }

  /// What a request sends, which can be read more than once.
  private static byte[] bytes(HttpRequest.BodyPublisher publisher) {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    publisher.subscribe(
        new Flow.Subscriber<>() {
          @Override
          public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
          }

          @Override
          public void onNext(ByteBuffer part) {
            byte[] bytes = new byte[part.remaining()];
            part.duplicate().get(bytes);
            sent.writeBytes(bytes);
          }

          @Override
          public void onError(Throwable failure) {
            throw new AssertionError(failure);
          }

          @Override
          public void onComplete() {}
        });
    return sent.toByteArray();
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return client.cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return client.connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return client.followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return client.proxy();
  }

  @Override
  public SSLContext sslContext() {
    return client.sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return client.sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return client.authenticator();
  }

  @Override
  public Version version() {
    return client.version();
  }

  @Override
  public Optional<Executor> executor() {
    return client.executor();
  }

  @Override
  public void shutdownNow() {
    client.shutdownNow();
  }

  @Override
  public void close() {
    client.close();
  }
}
