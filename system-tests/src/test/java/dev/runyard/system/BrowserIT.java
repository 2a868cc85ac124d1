package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real browser's pages use a stack as its rules for pages of other origins allow.
@Needs(Outside.CHROMIUM)
final class BrowserIT {
  private static final List<String> FLAGS =
      List.of(
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--disable-dev-shm-usage",
          "--disable-breakpad");

  /// Leaves more than is sent by the API itself.
  private static final String LARGE =
      """
      {"agent":"shell","prompt":"printf 0123456789 > big.bin; truncate -s 50M big.bin",
       "workspace":{"none":true,"artifacts":["*.bin"]}}
      """;

  @TempDir private Path folder;

  @Test
  void onlyPagesOfListedOriginsSubmitAndReadLive() throws Exception {
    try (PageServer listed = new PageServer();
        PageServer other = new PageServer();
        SystemStack stack =
            SystemStack.start(folder(), "--access", "keys", "--cors-origin", listed.origin())) {
      Api api = stack.api();
      String large = api.run(LARGE);
      assertEquals("completed", api.ended(large).path("status").asText());
      String known = api.run(Api.echo(3, 0, ""));
      List<JsonNode> events = api.all(known, 100);
      ObjectNode given =
          Api.JSON
              .createObjectNode()
              .put("api", api.uri().toString())
              .put("key", api.key("runs:read,runs:write"))
              .put("run", Api.echo(3, 200, ""))
              .put("known", known)
              .put("large", large)
              .put("token", token(api, known));
      Api.types(events).stream().distinct().forEach(given.putArray("types")::add);
      String page = page().replace("GIVEN", given.toString());
      listed.shows(page);
      other.shows(page);

      JsonNode seen = browse(listed);
      JsonNode refused = browse(other);

      String run = seen.path("run").asText();
      assertEquals("/v1/runs/" + run, seen.path("location").asText(), seen::toString);
      assertEquals(lines(api.all(run, 100)), texts(seen.path("events")));
      assertEquals(List.of(), texts(seen.path("forged")));
      String part = "bytes 5-9/52428800 56789";
      assertEquals(List.of(part, part), texts(seen.path("parts")), seen::toString);
      assertEquals("TypeError", refused.path("refused").asText(), refused::toString);
      assertEquals(List.of(), texts(refused.path("events")));
      assertFalse(Files.readString(folder.resolve("stack.log")).contains("rys_"));
    }
  }

  private StackFolder folder() throws IOException {
    StackFolder files = StackFolder.in(folder);
    Files.writeString(
        files.agents(), "{\"agents\":{\"shell\":{\"program\":\"/bin/sh\",\"command\":{}}}}");
    return files;
  }

  private JsonNode browse(PageServer site) throws IOException, InterruptedException {
    Path profile = Files.createTempDirectory(folder, "browser-");
    List<String> command = new ArrayList<>(List.of("chromium"));
    command.addAll(FLAGS);
    command.addAll(List.of("--user-data-dir=" + profile, site.origin() + "/"));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HOME", profile.toString());
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(profile.resolve("log").toFile());
    Process browser = builder.start();
    try {
      return site.said();
    } finally {
      List<ProcessHandle> parts = browser.descendants().toList();
      browser.destroyForcibly().onExit().join();
      parts.forEach(ProcessHandle::destroyForcibly);
      parts.forEach(part -> part.onExit().join());
    }
  }

  private static String token(Api api, String run) throws IOException, InterruptedException {
    Api.Answer issued = api.post("/v1/runs/" + run + "/stream-tokens", "");
    assertEquals(201, issued.status(), issued.json()::toString);
    return issued.json().path("token").asText();
  }

  private static String page() throws IOException {
    try (var in = BrowserIT.class.getResourceAsStream("/browser/page.html")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static List<String> lines(List<JsonNode> events) {
    List<String> types = Api.types(events);
    return IntStream.range(0, types.size()).mapToObj(i -> (i + 1) + " " + types.get(i)).toList();
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).toList();
  }
}
