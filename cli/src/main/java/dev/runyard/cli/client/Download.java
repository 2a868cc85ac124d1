package dev.runyard.cli.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runyard.core.ids.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/// Gets a content into a file, of which little is in memory. Where a server sends on to another
/// address, that one is told nothing of who gets it. What was cut off is continued.
final class Download {
  /// Times that a content which is cut off is continued.
  static final int CONTINUED_MAX = 4;

  /// Longest silence of a body.
  private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

  private static final int SENT_ON_MAX = 3;
  private static final int BLOCK_BYTES = 64 * 1024;
  private static final int PROBLEM_BYTES_MAX = 64 * 1024;
  private static final int PART = 206;
  private static final int PORT_MAX = 65_535;
  private static final Set<String> WEB = Set.of("http", "https");
  private static final Set<Integer> ELSEWHERE = Set.of(302, 303, 307, 308);

  private final RunyardClient.Connection connection;
  private final ApiCall call;
  private final MessageDigest digest = Digest.begun();
  private long bytes;

  Download(RunyardClient.Connection connection, ApiCall call) {
    this.connection = connection;
    this.call = call;
  }

  /// Gets all of it.
  ///
  /// @param file that does not exist
  /// @return with `bytes` and `sha256` of what was written
  ServerReply into(Path file) {
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
      return ReadTries.of(call, connection.pause(), () -> into(out));
    } catch (IOException e) {
      return ServerReply.Unreachable.notWritten(file, e);
    }
  }

  /// @throws IOException if it cannot be written
  ServerReply into(OutputStream out) throws IOException {
    try {
      for (int continued = 0; ; continued++) {
        try {
          return got(out);
        } catch (CutOff e) {
          if (continued >= CONTINUED_MAX) {
            return ServerReply.Unreachable.from(connection.server(), e);
          }
          connection.pause().of(LiveEvents.backoff(continued));
        }
      }
    } catch (NotWritten e) {
      throw e;
    } catch (IOException e) {
      return ServerReply.Unreachable.from(connection.server(), e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return new ServerReply.Unreachable("interrupted", true);
    }
  }

  /// What this machine does not take, whatever the server says.
  private static final class NotWritten extends IOException {
    private static final long serialVersionUID = 1L;

    NotWritten(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  private ServerReply got(OutputStream out) throws IOException, InterruptedException {
    HttpResponse<InputStream> answer = answer();
    try (InputStream body = answer.body();
        SilenceWatch watch = SilenceWatch.over(body, SILENCE_MAX)) {
      if (answer.statusCode() >= 300) {
        return new ServerReply.Refused(
            ServerProblem.read(
                RunyardClient.JSON, answer.statusCode(), body.readNBytes(PROBLEM_BYTES_MAX)));
      }
      if (bytes > 0 && answer.statusCode() != PART) {
        skip(body, bytes);
      }
      copy(body, out, watch);
    }
    return new ServerReply.Done(
        JsonNodeFactory.instance
            .objectNode()
            .put("bytes", bytes)
            .put("sha256", HexFormat.of().formatHex(digest.digest())));
  }

  private static void skip(InputStream body, long count) throws CutOff {
    try {
      body.skipNBytes(count);
    } catch (IOException e) {
      throw new CutOff(e);
    }
  }

  private void copy(InputStream body, OutputStream out, SilenceWatch watch) throws IOException {
    byte[] block = new byte[BLOCK_BYTES];
    while (true) {
      int read;
      try {
        read = body.read(block);
      } catch (IOException e) {
        throw new CutOff(e);
      }
      if (read < 0) {
        return;
      }
      watch.heard();
      write(out, block, read);
      digest.update(block, 0, read);
      bytes += read;
    }
  }

  private static void write(OutputStream out, byte[] block, int count) throws NotWritten {
    try {
      out.write(block, 0, count);
    } catch (IOException e) {
      throw new NotWritten(e);
    }
  }

  private HttpResponse<InputStream> answer() throws IOException, InterruptedException {
    ApiCall wanted = bytes == 0 ? call : call.with("Range", "bytes=" + bytes + "-");
    HttpResponse<InputStream> answer = sent(connection.sender().authenticated(wanted).request());
    for (int sentOn = 0; ELSEWHERE.contains(answer.statusCode()); sentOn++) {
      answer.body().close();
      URI at =
          elsewhere(
              connection.server(),
              answer.uri(),
              answer.headers().firstValue("Location").orElse(""));
      if (sentOn >= SENT_ON_MAX) {
        throw new IOException("it is sent on and on, last to " + at.getHost());
      }
      HttpRequest.Builder next = HttpRequest.newBuilder(at);
      if (bytes > 0) {
        next.header("Range", "bytes=" + bytes + "-");
      }
      answer = sent(next);
    }
    return answer;
  }

  /// Where a server sends on to.
  ///
  /// @param server whose machine alone may send on to this one
  /// @param from who sends on
  /// @throws NotSent if nothing may be asked there
  static URI elsewhere(URI server, URI from, String location) throws NotSent {
    URI at;
    try {
      at = from.resolve(location);
    } catch (IllegalArgumentException _) {
      throw new NotSent("nothing was got: it is sent on to what is no address");
    }
    String scheme = String.valueOf(at.getScheme()).toLowerCase(Locale.ROOT);
    String host = at.getHost();
    if (!WEB.contains(scheme) || host == null || at.getPort() > PORT_MAX) {
      throw new NotSent("nothing was got: it is sent on to what is no address of the web");
    }
    if (!Sender.isPrivate(at)) {
      throw new NotSent("nothing was got: everybody on the way to " + host + " could read it");
    }
    if (isHere(host) && !isHere(String.valueOf(server.getHost()))) {
      throw new NotSent("nothing was got: it is sent on to this machine itself, by " + server);
    }
    return at;
  }

  private static boolean isHere(String host) {
    try {
      return Arrays.stream(InetAddress.getAllByName(host))
          .anyMatch(found -> found.isLoopbackAddress() || found.isAnyLocalAddress());
    } catch (UnknownHostException _) {
      return false;
    }
  }

  private HttpResponse<InputStream> sent(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return CutOff.orOpened(connection.http(), request.timeout(RunyardClient.ANSWER_MAX).build());
  }
}
