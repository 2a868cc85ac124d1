package dev.runyard.local.emulator;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.core.artifact.ByteRange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// An object as it is got: all of it, a part or only its headers, with the headers that a signed
/// address asks for.
///
/// @param tag identifies the contents
record ObjectAnswer(Path file, String tag) {
  private static final int BLOCK_BYTES = 64 * 1024;
  private static final Map<String, String> ASKED =
      Map.of(
          "response-content-type", "Content-Type",
          "response-content-disposition", "Content-Disposition",
          "response-cache-control", "Cache-Control");

  void send(HttpExchange exchange) throws IOException {
    long bytes = Files.size(file);
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", "application/octet-stream");
    headers.set("Accept-Ranges", "bytes");
    headers.set("ETag", tag);
    Map<String, String> query = SignedAddress.query(exchange);
    ASKED.forEach(
        (asked, header) -> {
          if (query.containsKey(asked)) {
            headers.set(header, query.get(asked));
          }
        });
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.set("Content-Length", Long.toString(bytes));
      exchange.sendResponseHeaders(200, -1);
      return;
    }
    switch (ByteRange.of(exchange.getRequestHeaders().getFirst("Range"), bytes)) {
      case ByteRange.All _ -> write(exchange, 200, 0, bytes);
      case ByteRange.Part part -> {
        headers.set("Content-Range", part.header(bytes));
        write(exchange, 206, part.from(), part.length());
      }
      case ByteRange.Unsatisfiable _ -> {
        headers.set("Content-Range", "bytes */" + bytes);
        exchange.sendResponseHeaders(416, -1);
      }
    }
  }

  private void write(HttpExchange exchange, int status, long from, long length) throws IOException {
    exchange.sendResponseHeaders(status, length == 0 ? -1 : length);
    try (InputStream in = Files.newInputStream(file)) {
      in.skipNBytes(from);
      byte[] block = new byte[BLOCK_BYTES];
      long left = length;
      while (left > 0) {
        int read = in.read(block, 0, (int) Math.min(block.length, left));
        if (read < 0) {
          throw new IOException("the object is shorter than it was");
        }
        exchange.getResponseBody().write(block, 0, read);
        left -= read;
      }
    }
  }
}
