package dev.runyard.local.emulator;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The keys of a bucket. Beside the file of each object is one with its path.
///
/// @param bucket its path
record BucketListing(Path folder, String bucket) {
  private static final String NAME = ".path";
  private static final int KEYS_MAX = 1_000;

  /// Where the path of an object is.
  static Path name(Path object) {
    return object.resolveSibling(object.getFileName() + NAME);
  }

  static boolean isList(HttpExchange exchange) {
    return SignedAddress.query(exchange).containsKey("list-type");
  }

  /// Answers with all keys of the prefix that is asked for, at most [#KEYS_MAX].
  void send(HttpExchange exchange) throws IOException {
    Map<String, String> query = SignedAddress.query(exchange);
    String from = bucket + "/" + query.getOrDefault("prefix", "");
    int max = Math.min(KEYS_MAX, Integer.parseInt(query.getOrDefault("max-keys", "1000")));
    StringBuilder xml = new StringBuilder("<ListBucketResult><IsTruncated>false</IsTruncated>");
    objects(from).stream()
        .limit(max)
        .forEach(
            object ->
                xml.append("<Contents><Key>")
                    .append(object.path().substring(bucket.length() + 1))
                    .append("</Key><Size>")
                    .append(object.bytes())
                    .append("</Size></Contents>"));
    byte[] body = xml.append("</ListBucketResult>").toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/xml");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  private record Listed(String path, long bytes) {}

  private List<Listed> objects(String from) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(NAME))
          .map(BucketListing::read)
          .filter(object -> object.path().startsWith(from))
          .sorted(Comparator.comparing(Listed::path))
          .toList();
    }
  }

  /// Nothing, if it was removed meanwhile.
  private static Listed read(Path name) {
    String file = name.getFileName().toString();
    Path object = name.resolveSibling(file.substring(0, file.length() - NAME.length()));
    try {
      return new Listed(Files.readString(name), Files.size(object));
    } catch (IOException _) {
      return new Listed("", 0);
    }
  }
}
