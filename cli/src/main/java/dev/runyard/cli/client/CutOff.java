package dev.runyard.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.concurrent.atomic.AtomicBoolean;

/// A body that ended before its end. What had come and was not read by then is lost, which may be
/// all of it.
final class CutOff extends IOException {
  private static final long serialVersionUID = 1L;

  CutOff(IOException cause) {
    super("it was cut off", cause);
  }

  /// Sends a request and opens the body of its answer.
  ///
  /// @throws CutOff if the answer's head came, but nothing else
  static HttpResponse<InputStream> orOpened(HttpClient http, HttpRequest request)
      throws IOException, InterruptedException {
    AtomicBoolean begun = new AtomicBoolean();
    try {
      return http.send(
          request,
          _ -> {
            begun.set(true);
            return BodySubscribers.ofInputStream();
          });
    } catch (IOException e) {
      throw begun.get() ? new CutOff(e) : e;
    }
  }
}
