package dev.runyard.runner.checkout;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Requests of Git LFS, one at a time: each ends when its time is over, when it has sent more than
/// it may, or when the runner stops. No redirect is followed by itself.
final class LfsExchange implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(30);

  private final Allowance allowance;
  private final PreparationSteps steps;
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT)
          .followRedirects(HttpClient.Redirect.NEVER)
          .version(HttpClient.Version.HTTP_1_1)
          .build();
  private byte[] digest = {};
  private long received;

  /// How a request ended.
  sealed interface Ended {
    /// The file has what was sent.
    ///
    /// @param next where it sends on to
    record Answered(int status, Optional<URI> next) implements Ended {}

    record Stopped() implements Ended {}

    record TimeOver() implements Ended {}

    record TooMuch() implements Ended {}

    record Failed() implements Ended {}
  }

  LfsExchange(Allowance allowance, PreparationSteps steps) {
    this.allowance = allowance;
    this.steps = steps;
  }

  /// Sends something, and writes the answer into a file.
  Ended post(
      URI uri, Map<String, String> headers, String media, byte[] body, Path into, long bytesMax)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::setHeader);
    request.setHeader("Content-Type", media).setHeader("Accept", media);
    return run(request, into, bytesMax);
  }

  /// Fetches something into a file.
  Ended get(URI uri, Map<String, String> headers, Path into, long bytesMax)
      throws IOException, InterruptedException {
    HttpRequest.Builder request;
    try {
      request = HttpRequest.newBuilder(uri).GET();
      headers.forEach(request::setHeader);
    } catch (IllegalArgumentException _) {
      return new Ended.Failed();
    }
    return run(request, into, bytesMax);
  }

  /// True if the last answer was this content.
  boolean isContentOf(LfsPointer pointer) {
    return received == pointer.size() && HexFormat.of().formatHex(digest).equals(pointer.oid());
  }

  private Ended run(HttpRequest.Builder request, Path into, long bytesMax)
      throws IOException, InterruptedException {
    MessageDigest sum = sha256();
    try (OutputStream out = Files.newOutputStream(into)) {
      Sink sink = new Sink(out, sum, bytesMax);
      Ended ended =
          await(
              client.sendAsync(
                  request.build(), HttpResponse.BodyHandlers.ofByteArrayConsumer(sink)),
              sink);
      digest = sum.digest();
      received = sink.received;
      return ended;
    }
  }

  private Ended await(CompletableFuture<HttpResponse<Void>> answer, Sink sink)
      throws InterruptedException {
    while (true) {
      try {
        HttpResponse<Void> sent = answer.get(PreparationSteps.LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return sink.broken
            ? new Ended.Failed()
            : sink.tooMuch ? new Ended.TooMuch() : answered(sent);
      } catch (ExecutionException _) {
        return new Ended.Failed();
      } catch (TimeoutException _) {
        boolean over = allowance.left().toMillis() <= 1;
        if (steps.isStopped() || sink.tooMuch || over) {
          answer.cancel(true);
          return steps.isStopped()
              ? new Ended.Stopped()
              : sink.tooMuch ? new Ended.TooMuch() : new Ended.TimeOver();
        }
      }
    }
  }

  private static Ended answered(HttpResponse<Void> sent) {
    Optional<String> location =
        sent.statusCode() / 100 == 3 ? sent.headers().firstValue("location") : Optional.empty();
    try {
      return new Ended.Answered(sent.statusCode(), location.map(URI::create));
    } catch (IllegalArgumentException _) {
      return new Ended.Failed();
    }
  }

  /// Drops what is too much, since nothing else may be done about it from where it is received.
  private static final class Sink implements Consumer<Optional<byte[]>> {
    private final OutputStream out;
    private final MessageDigest sum;
    private final long bytesMax;
    private volatile long received;
    private volatile boolean tooMuch;
    private volatile boolean broken;

    Sink(OutputStream out, MessageDigest sum, long bytesMax) {
      this.out = out;
      this.sum = sum;
      this.bytesMax = bytesMax;
    }

    @Override
    public synchronized void accept(Optional<byte[]> sent) {
      if (sent.isEmpty() || tooMuch) {
        return;
      }
      byte[] some = sent.get();
      if (some.length > bytesMax - received) {
        tooMuch = true;
        return;
      }
      received += some.length;
      sum.update(some);
      try {
        out.write(some);
      } catch (IOException _) {
        broken = true;
      }
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
