package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Creates a job and gives it its items, some at a time. Each request has a key that follows from
/// its place, so that the whole can be repeated after it was cut off anywhere.
record JobUpload(RunyardClient client) {
  /// Items of one request.
  static final int ITEMS_MAX = 1000;

  /// Bytes of items of one request, unless one alone has more.
  static final int BYTES_MAX = 900_000;

  private static final int TRIES_MAX = 3;

  static String path(String id) {
    return "/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
  }

  /// The job once it has all items, or the first answer that says otherwise.
  ServerReply upload(String id, ObjectNode body, List<ObjectNode> items) {
    body.put("job_id", id);
    ServerReply reply = tried("", body, "");
    int place = 0;
    for (List<ObjectNode> part : parts(items)) {
      if (!(reply instanceof ServerReply.Done)) {
        return reply;
      }
      ObjectNode more = JsonNodeFactory.instance.objectNode();
      part.forEach(more.putArray("items")::add);
      reply = tried(path(id) + "/items", more, "%s items %d".formatted(id, place++));
    }
    return reply;
  }

  private ServerReply tried(String path, JsonNode body, String key) {
    ServerReply reply = client.jobs("POST", path, body, key);
    for (int tries = 1;
        tries < TRIES_MAX
            && reply instanceof ServerReply.Unreachable lost
            && !lost.refusedConnection();
        tries++) {
      reply = client.jobs("POST", path, body, key);
    }
    return reply;
  }

  private static List<List<ObjectNode>> parts(List<ObjectNode> items) {
    List<List<ObjectNode>> parts = new ArrayList<>();
    List<ObjectNode> part = new ArrayList<>();
    long bytes = 0;
    for (ObjectNode item : items) {
      int size = item.toString().getBytes(StandardCharsets.UTF_8).length + 1;
      if (part.size() == ITEMS_MAX || (!part.isEmpty() && bytes + size > BYTES_MAX)) {
        parts.add(part);
        part = new ArrayList<>();
        bytes = 0;
      }
      part.add(item);
      bytes += size;
    }
    parts.add(part);
    return parts;
  }
}
