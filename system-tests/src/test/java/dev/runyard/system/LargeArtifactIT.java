package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.Digest;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// What agents leave in their files is got by clients of both protocols, however large it is.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LargeArtifactIT {
  /// More than the API sends itself, and than the command that saves it has memory for.
  private static final int LARGE_BYTES = 64 * 1024 * 1024;

  private SystemStack stack;
  private StackFolder files;
  private Path folder;

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    folder = temporary;
    files = StackFolder.in(temporary);
    Files.writeString(
        files.agents(), "{\"agents\":{\"shell\":{\"program\":\"/bin/sh\",\"command\":{}}}}");
    stack = up(files, "--agent-jars", TestAgents.in(temporary));
  }

  SystemStack up(StackFolder own, String... options) throws IOException, InterruptedException {
    return SystemStack.start(own, options);
  }

  @AfterAll
  void stop() {
    stack.close();
  }

  @Test
  void aLargeArtifactIsGotAtAnAddress() throws Exception {
    Api api = stack.api();
    String run =
        api.run(
            """
            {"agent":"shell",
             "prompt":"head -c %d /dev/urandom > 'big file.bin'",
             "workspace":{"none":true,"artifacts":["*.bin"]}}
            """
                .formatted(LARGE_BYTES));
    assertEquals("completed", api.ended(run).path("status").asText());
    JsonNode artifact =
        api.get("/v1/runs/" + run + "/artifacts?addresses=true").json().path("artifacts").path(0);
    assertEquals(LARGE_BYTES, artifact.path("bytes").asInt(), artifact::toString);

    Api.Answer sentOn = api.raw("/v1/runs/" + run + "/artifacts/big%20file.bin");
    assertEquals(307, sentOn.status());
    URI location =
        sentOn.http().uri().resolve(sentOn.http().headers().firstValue("Location").orElseThrow());
    for (URI at : List.of(location, URI.create(artifact.path("address").path("url").asText()))) {
      HttpResponse<byte[]> part = part(at);
      assertEquals(206, part.statusCode());
      assertEquals(1000, part.body().length);
      assertEquals(
          "attachment; filename*=UTF-8''big%20file.bin",
          part.headers().firstValue("Content-Disposition").orElseThrow());
    }

    Path saved = download(run);
    assertEquals(LARGE_BYTES, Files.size(saved));
    assertEquals(artifact.path("sha256").asText(), sha256(saved));
    assertArrayEquals(part(location).body(), end(saved));
  }

  private static HttpResponse<byte[]> part(URI at) throws IOException, InterruptedException {
    try (HttpClient anybody = HttpClient.newHttpClient()) {
      return anybody.send(
          HttpRequest.newBuilder(at).header("Range", "bytes=-1000").build(),
          BodyHandlers.ofByteArray());
    }
  }

  private static byte[] end(Path saved) throws IOException {
    try (InputStream in = Files.newInputStream(saved)) {
      in.skipNBytes(LARGE_BYTES - 1000L);
      return in.readAllBytes();
    }
  }

  /// Saves it with a command that has less memory than it would take.
  private Path download(String run) throws Exception {
    Path to = folder.resolve("saved");
    ProcessBuilder builder =
        CommandLine.of(
            files.home(),
            List.of("download", run, "--to", to.toString(), "--url", stack.api().uri().toString()));
    builder.environment().put("RUNYARD_CACHE", files.cache().toString());
    builder.environment().put("JAVA_TOOL_OPTIONS", "-Xmx64m");
    Path err = folder.resolve("download.err");
    Process process = builder.redirectError(err.toFile()).start();
    process.getOutputStream().close();
    process.getInputStream().readAllBytes();
    assertEquals(0, process.waitFor(), Files.readString(err));
    return to.resolve("big file.bin");
  }

  private static String sha256(Path file) throws IOException {
    try (DigestInputStream in = new DigestInputStream(Files.newInputStream(file), Digest.begun())) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    }
  }

  @Test
  void aJavaAgentWorksOnARepositoryThatAClientOfTheProtocolNames() throws Exception {
    Path served = folder.resolve("served");
    String base = Repository.create(served.resolve("shop")).commit("calc", "broken\n");
    Api api = stack.api();
    assertTrue(
        api.get("/v1/agents/mender")
            .json()
            .path("capabilities")
            .toString()
            .contains("runyard.workspace.v1"));
    try (GitServer server = new GitServer(served)) {
      String create =
          """
          {"agent_name":"mender","mode":"sync",
           "input":[{"role":"user","parts":[{"content_type":"text/plain","content":"mend"}]}],
           "config":{"workspace":{"git":{"url":"%s"},"artifacts":["*.html"],"archive":true}}}
          """
              .formatted(server.url("shop"));
      JsonNode run = api.post("/runs", create).json();
      assertEquals("completed", run.path("status").asText(), run::toString);

      String path = "/v1/runs/" + run.path("run_id").asText();
      JsonNode changes = api.get(path + "/changes").json();
      assertEquals(base, changes.path("base_commit").asText());
      assertEquals(2, changes.path("files_total").asInt(), changes::toString);
      assertTrue(api.text(api.request(path + "/patch")).contains("+mended"));
      assertEquals("<p>was broken</p>\n", api.text(api.request(path + "/artifacts/report.html")));
      assertEquals(200, api.raw(path + "/workspace").status());
      assertEquals(
          "invalid_input",
          new Acp(api)
              .refused(422, "/runs", create.replace("\"git\"", "\"session\":true,\"git\""))
              .path("code")
              .asText());
    }
  }
}
