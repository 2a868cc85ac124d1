package dev.runyard.system.image;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.system.Api;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/// What the API serves of a run that has ended, as text.
record ServedRun(Api api, String id) {
  /// The names of its artifacts.
  String artifacts() throws Exception {
    List<String> names = new ArrayList<>();
    JsonNode all = api.get("/v1/runs/" + id + "/artifacts").json();
    all.path("artifacts").forEach(one -> names.add(one.path("name").asText()));
    return String.join(" ", names);
  }

  /// The archive of a run's files, without their compression.
  String archive() throws Exception {
    byte[] zipped = api.raw("/v1/runs/" + id + "/workspace").http().body();
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
      return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /// The run, its events, of which something was cut out, and its outputs, once it has ended.
  String told() throws Exception {
    List<JsonNode> events = api.all(id, 1_000);
    Api.first(events, "output.redacted");
    StringBuilder all = new StringBuilder().append(api.view(id)).append(events);
    for (JsonNode event : events) {
      if (event.path("type").asText().equals("output.spilled")) {
        String output = event.at("/payload/outputRef").asText();
        byte[] body = api.raw("/v1/runs/" + id + "/outputs/" + output).http().body();
        all.append(new String(body, StandardCharsets.UTF_8));
      }
    }
    return all.toString();
  }
}
