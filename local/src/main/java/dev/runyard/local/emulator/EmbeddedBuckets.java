package dev.runyard.local.emulator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.ids.Digest;
import dev.runyard.local.http.LoopbackServer;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.rights.Asked;
import dev.runyard.local.threads.StackThreads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The part of the S3 API that storing objects needs, on a free loopback port: put, get, find and
/// delete an object by its path, with conditional puts, the hash of what is put, gets of a part,
/// puts and gets at signed addresses, and lists. Every bucket exists. An object is one file of the
/// folder. As in S3, only a caller that may list a bucket learns that an object is missing.
public final class EmbeddedBuckets implements AutoCloseable {
  private static final Logger LOG = System.getLogger(EmbeddedBuckets.class.getName());
  private static final Set<String> METHODS = Set.of("PUT", "GET", "HEAD", "DELETE");
  private static final Set<String> READS = Set.of("GET", "HEAD");
  private static final Pattern OBJECT = Pattern.compile("/[a-z0-9][a-z0-9.-]{2,62}/.+");

  private static final int BLOCK_BYTES = 64 * 1024;

  private static final String NO_SUCH_KEY = "NoSuchKey";
  private static final String PRECONDITION =
      "<Error><Code>PreconditionFailed</Code><Message>It is another object.</Message></Error>";

  private final Path folder;
  private final boolean kept;
  private final AccessCheck access;
  private final InstantSource clock = InstantSource.system();
  private final HttpServer server;
  private final ReentrantLock writing = new ReentrantLock();
  private final ObjectTags tags = new ObjectTags();
  private final ExecutorService threads = StackThreads.pool("buckets");

  /// Starts listening.
  ///
  /// @param folder of the objects, created if it is missing
  /// @param kept whether they stay after this server
  public EmbeddedBuckets(Path folder, boolean kept, AccessCheck access) {
    this.folder = folder;
    this.kept = kept;
    this.access = access;
    try {
      if (!kept) {
        clear();
      }
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use " + folder, e);
    }
    server = LoopbackServer.start(threads, this::answer);
  }

  /// The address for runners.
  public URI endpoint() {
    return LoopbackServer.address(server);
  }

  /// A web page cannot sign, so it can neither read nor write.
  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String method = exchange.getRequestMethod();
      Optional<SignedAddress> signed = SignedAddress.of(exchange);
      String authorization =
          signed
              .map(SignedAddress::authorization)
              .orElseGet(() -> exchange.getRequestHeaders().getFirst("Authorization"));
      if (authorization != null && method.equals("GET") && BucketListing.isList(exchange)) {
        list(exchange, path, authorization);
        return;
      }
      if (!METHODS.contains(method)
          || !OBJECT.matcher(path).matches()
          || authorization == null
          || signed.filter(address -> !address.takes(method, clock.instant())).isPresent()) {
        exchange.sendResponseHeaders(403, -1);
        return;
      }
      Path file = folder.resolve(Digest.hex(path));
      List<Asked> asked = BucketAsks.of(method, path, exchange.getRequestHeaders());
      if (READS.contains(method) && !Files.exists(file)) {
        asked.add(BucketAsks.list(path));
      }
      Optional<String> refusal = access.refusal(authorization, asked);
      if (refusal.isPresent()) {
        error(exchange, 403, "AccessDenied", refusal.get());
        return;
      }
      switch (method) {
        case "PUT" -> put(exchange, path, file);
        case "DELETE" -> {
          delete(file);
          exchange.sendResponseHeaders(204, -1);
        }
        case String _ -> {
          if (Files.exists(file)) {
            new ObjectAnswer(file, tags.of(file)).send(exchange);
          } else {
            noSuchObject(exchange);
          }
        }
      }
    } catch (IOException e) {
      LOG.log(Level.ERROR, "an S3 call failed", e);
      throw e;
    }
  }

  private void list(HttpExchange exchange, String path, String authorization) throws IOException {
    Optional<String> refusal = access.refusal(authorization, List.of(BucketAsks.list(path + "/")));
    if (refusal.isPresent()) {
      error(exchange, 403, "AccessDenied", refusal.get());
    } else {
      new BucketListing(folder, path).send(exchange);
    }
  }

  private void delete(Path file) throws IOException {
    writing.lock();
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(BucketListing.name(file));
      tags.remove(file);
    } finally {
      writing.unlock();
    }
  }

  private void put(HttpExchange exchange, String path, Path file) throws IOException {
    Path draft = Files.createTempFile(folder, "put-", ".draft");
    byte[] hash;
    try {
      hash = received(exchange, draft);
    } catch (IOException e) {
      Files.deleteIfExists(draft);
      throw e;
    }
    if (hash.length == 0 || !SignedAddress.isWhatWasNamed(exchange.getRequestHeaders(), hash)) {
      Files.delete(draft);
      exchange.sendResponseHeaders(400, -1);
      return;
    }
    String refused;
    writing.lock();
    try {
      refused = refused(exchange, file);
      if (refused == null) {
        Files.writeString(BucketListing.name(file), path);
        Files.move(
            draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        exchange.getResponseHeaders().set("ETag", tags.put(file, hash));
      }
    } finally {
      writing.unlock();
    }
    if (refused == null) {
      exchange.sendResponseHeaders(200, -1);
    } else {
      Files.delete(draft);
      switch (refused) {
        case NO_SUCH_KEY -> noSuchObject(exchange);
        case String code -> error(exchange, 412, code, "The object is not as the condition says.");
      }
    }
  }

  /// Writes what is put into a file; its hash, or nothing if it is too much.
  private static byte[] received(HttpExchange exchange, Path draft) throws IOException {
    MessageDigest digest = Digest.begun();
    long bytes = 0;
    byte[] block = new byte[BLOCK_BYTES];
    try (InputStream body = exchange.getRequestBody();
        OutputStream out = Files.newOutputStream(draft)) {
      int read = body.read(block);
      while (read >= 0 && bytes <= ChangeBounds.ARTIFACT_BYTES_MAX) {
        bytes += read;
        digest.update(block, 0, read);
        out.write(block, 0, read);
        read = body.read(block);
      }
    }
    return bytes > ChangeBounds.ARTIFACT_BYTES_MAX ? new byte[0] : digest.digest();
  }

  /// The error of a put whose condition does not hold, null if it does.
  private @Nullable String refused(HttpExchange exchange, Path file) throws IOException {
    String match = exchange.getRequestHeaders().getFirst("If-Match");
    boolean absent = exchange.getRequestHeaders().containsKey("If-None-Match");
    boolean there = Files.exists(file);
    if (match != null && !there) {
      return NO_SUCH_KEY;
    }
    boolean other = match != null && !match.equals(tags.of(file));
    return other || (absent && there) ? PRECONDITION : null;
  }

  private static void noSuchObject(HttpExchange exchange) throws IOException {
    error(exchange, 404, NO_SUCH_KEY, "There is no such object.");
  }

  private static void error(HttpExchange exchange, int status, String code, String message)
      throws IOException {
    String text = message.replace("&", "&amp;").replace("<", "&lt;");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    byte[] body =
        "<Error><Code>%s</Code><Message>%s</Message></Error>"
            .formatted(code, text)
            .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/xml");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  private void clear() throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    try {
      if (!kept) {
        clear();
      }
    } catch (IOException e) {
      LOG.log(Level.WARNING, "objects were left in " + folder, e);
    }
  }
}
