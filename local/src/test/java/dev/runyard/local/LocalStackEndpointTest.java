package dev.runyard.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Needs(Outside.MOTO_SERVER)
class LocalStackEndpointTest {
  private static final Pattern READY =
      Pattern.compile("Running on (http://127\\.0\\.0\\.1:[0-9]+)");

  @TempDir Path folder;

  @Test
  void putsTablesAndQueuesOnAnotherEmulator() throws Exception {
    Process server =
        new ProcessBuilder("moto_server", "-H", "127.0.0.1", "-p", "0")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8))) {
      try {
        URI emulator = ready(output);
        Thread.ofVirtual().start(() -> output.lines().forEach(line -> {}));
        startTwiceOn(emulator);
      } finally {
        server.descendants().forEach(ProcessHandle::destroy);
        server.destroy();
        server.waitFor();
      }
    }
  }

  private void startTwiceOn(URI emulator) throws Exception {
    LocalOptions options =
        LocalOptions.of(
                Path.of("src", "test", "resources", "fixture", "template.yaml"),
                folder.resolve("work"))
            .withEndpoint(emulator);
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String id : new String[] {"one", "two"}) {
        try (LocalStack stack = LocalStack.start(options)) {
          HttpRequest put =
              StackRequests.in(folder.resolve("work"), stack.uri(), "/items/" + id)
                  .PUT(HttpRequest.BodyPublishers.noBody())
                  .build();
          assertEquals(201, client.send(put, BodyHandlers.discarding()).statusCode());
        }
      }
    }
  }

  private static URI ready(BufferedReader output) throws IOException {
    StringBuilder said = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      Matcher matcher = READY.matcher(line);
      if (matcher.find()) {
        return URI.create(matcher.group(1));
      }
      said.append(line).append('\n');
    }
    throw new AssertionError("the emulator does not start: " + said);
  }
}
