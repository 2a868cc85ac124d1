package dev.runyard.functions.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.artifact.LargeObjects;
import dev.runyard.core.change.ChangeBounds;
import dev.runyard.core.change.ChangedFile;
import dev.runyard.core.change.KeptChange;
import dev.runyard.core.change.KeptChanges;
import dev.runyard.core.change.KeptObject;
import dev.runyard.core.change.LeftOut;
import dev.runyard.core.change.Publication;
import dev.runyard.core.change.WholeChange;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.memory.MemoryLargeObjects;
import dev.runyard.core.problem.Category;
import dev.runyard.core.problem.Failure;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ChangesTest {
  private static final byte[] PATCH = {'a', (byte) 0xe9, 0, '\n'};
  private final StreamRig rig = new StreamRig();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void listsWhatAnEndedRunChanged() throws Exception {
    RunKey run = rig.twins.running();
    keep(run);
    rig.twins.complete(run);

    String changes = rig.get(path(run, "changes")).body();
    assertTrue(changes.contains("\"path\":\"src/a\",\"kind\":\"modified\""), changes);
    assertTrue(changes.contains("\"patch\":{\"bytes\":4,\"sha256\":\"ab\"}"), changes);
    assertTrue(changes.contains("{\"path\":\"big\",\"reason\":\"too_large\"}"), changes);
    assertEquals(
        "{\"artifacts\":[{\"name\":\"dist/a b%.html\",\"bytes\":3,\"sha256\":\"cd\","
            + "\"content_type\":\"text/html\"}]}",
        rig.get(path(run, "artifacts")).body());
  }

  @Test
  void sendsContentsAsBytesThatNoBrowserShows() throws Exception {
    RunKey run = rig.twins.running();
    keep(run);
    rig.twins.complete(run);

    HttpResponse<byte[]> patch =
        rig.client()
            .send(rig.request(path(run, "patch")).build(), HttpResponse.BodyHandlers.ofByteArray());
    assertArrayEquals(PATCH, patch.body());
    assertEquals("text/x-patch", patch.headers().firstValue("Content-Type").orElseThrow());
    for (String name : List.of("dist/a%20b%25.html", "dist%2Fa%20b%25.html")) {
      HttpResponse<String> artifact = rig.get(path(run, "artifacts/" + name));
      assertEquals("one", artifact.body());
      assertEquals(
          "attachment; filename*=UTF-8''a%20b%25.html",
          artifact.headers().firstValue("Content-Disposition").orElseThrow());
      assertEquals(
          "nosniff", artifact.headers().firstValue("X-Content-Type-Options").orElseThrow());
    }
  }

  @Test
  void tellsWhatBecameOfPublishing() throws Exception {
    RunKey run = rig.twins.running();
    refused(404, "changes_not_found", path(run, "publish"));
    refused(404, "run_not_found", "/v1/runs/none/publish");
    new KeptChanges(rig.twins.artifacts)
        .published(
            run,
            new Publication(
                run.runId(), "fix", "c0ffee", true, new Publication.PullRequest(7, null), null));

    assertEquals(
        "{\"run_id\":\"%s\",\"branch\":\"fix\",\"commit\":\"c0ffee\",\"pushed\":true,\"pull_request\":{\"number\":7}}"
            .formatted(run.runId()),
        rig.get(path(run, "publish")).body());
  }

  @Test
  void tellsWhyPublishingFailedAsEveryOtherAnswerDoes() throws Exception {
    RunKey run = rig.twins.running();
    new KeptChanges(rig.twins.artifacts)
        .published(
            run,
            new Publication(
                run.runId(),
                "fix",
                "c0ffee",
                false,
                null,
                new Failure(Failure.PUSH_REFUSED, Category.CALLER, "The server refuses it.")));

    assertEquals(
        JsonFormat.JSON.readTree(
            "{\"code\":\"push_refused\",\"category\":\"caller\",\"message\":\"The server refuses it.\"}"),
        JsonFormat.JSON.readTree(rig.get(path(run, "publish")).body()).path("error"));
  }

  @Test
  void sendsARange() throws Exception {
    RunKey run = rig.twins.running();
    keep(run);
    rig.twins.complete(run);
    String artifact = path(run, "artifacts/dist/a%20b%25.html");

    HttpResponse<String> end = rig.send(rig.request(artifact).header("Range", "bytes=1-"));
    assertEquals(206, end.statusCode());
    assertEquals("ne", end.body());
    assertEquals("bytes 1-2/3", end.headers().firstValue("Content-Range").orElseThrow());
    assertEquals("e", rig.send(rig.request(artifact).header("Range", "bytes=-1")).body());
    assertEquals(416, rig.send(rig.request(artifact).header("Range", "bytes=3-")).statusCode());
  }

  @Test
  void sendsOnWhoGetsALargeContent() throws Exception {
    RunKey run = rig.twins.running();
    String sha256 = "ef".repeat(32);
    KeptObject large =
        new KeptObject("artifact-0", "big", ChangeBounds.SENT_BYTES_MAX + 1L, sha256, "text/plain");
    KeptChanges kept = new KeptChanges(rig.twins.artifacts);
    kept.put(run, "attempt", "artifact-0", "in place of much".getBytes(UTF_8));
    kept.name(run, changed(null, large(large, "archive"), List.of(large, large(large, "gone"))));
    kept.put(run, "attempt", "archive", "all".getBytes(UTF_8));
    rig.twins.complete(run);

    HttpResponse<String> answer = rig.get(path(run, "artifacts/big"));
    assertEquals(307, answer.statusCode());
    assertEquals("no-store", answer.headers().firstValue("Cache-Control").orElseThrow());
    MemoryLargeObjects.Got got =
        rig.twins.large.get(answer.headers().firstValue("Location").orElseThrow()).orElseThrow();
    assertEquals("in place of much", new String(got.content(), UTF_8));
    assertEquals(new LargeObjects.Label("big", "text/plain"), got.label());
    assertEquals(307, rig.get(path(run, "workspace")).statusCode());
    refused(404, "changes_not_found", path(run, "artifacts/gone"));
  }

  @Test
  void saysThatAChangeIsTooLargeForAPatch() throws Exception {
    RunKey run = rig.twins.running();
    KeptChange change = changed(null, null, List.of());
    new KeptChanges(rig.twins.artifacts)
        .name(
            run,
            new KeptChange(
                1,
                "attempt",
                "c0ffee",
                change.files(),
                1,
                1,
                2,
                null,
                null,
                List.of(),
                List.of(),
                0,
                null));
    rig.twins.complete(run);

    refused(404, "changes_not_found", path(run, "patch"));
    assertTrue(rig.get(path(run, "patch")).body().contains("too large for a patch"));
  }

  private static KeptObject large(KeptObject like, String name) {
    return new KeptObject(name, name, like.bytes(), like.sha256(), like.contentType());
  }

  @Test
  void tellsAddressesForSomeTime() throws Exception {
    RunKey run = rig.twins.running();
    keep(run);
    rig.twins.complete(run);

    JsonNode artifact =
        JsonFormat.JSON
            .readTree(rig.get(path(run, "artifacts?addresses=true")).body())
            .path("artifacts")
            .path(0);
    JsonNode patch =
        JsonFormat.JSON.readTree(rig.get(path(run, "changes?addresses=true")).body()).path("patch");

    assertEquals("one", new String(got(artifact).orElseThrow().content(), UTF_8));
    assertArrayEquals(PATCH, got(patch).orElseThrow().content());
    assertEquals(
        rig.twins.clock.instant().plusSeconds(LargeObjects.ADDRESS_SECONDS).toString(),
        patch.path("address").path("expires_at").asText());
    rig.twins.clock.advance(Duration.ofSeconds(LargeObjects.ADDRESS_SECONDS));
    assertEquals(Optional.empty(), got(patch));
    refused(400, "invalid_request", path(run, "artifacts?addresses=1"));
    refused(400, "invalid_request", path(run, "patch?addresses=true"));
  }

  private Optional<MemoryLargeObjects.Got> got(JsonNode listed) {
    String url = listed.path("address").path("url").asText();
    String server = "http://127.0.0.1:" + rig.port();
    assertTrue(url.startsWith(server + "/"), url);
    return rig.twins.large.get(url.substring(server.length()));
  }

  @Test
  void saysWhyThereIsNothing() throws Exception {
    RunKey going = rig.twins.running();
    keep(going);
    refused(409, "run_not_ended", path(going, "changes"));
    RunKey without = rig.twins.running();
    rig.twins.complete(without);
    for (String what : List.of("changes", "patch", "artifacts", "artifacts/x", "workspace")) {
      refused(404, "changes_not_found", path(without, what));
    }
    rig.twins.complete(going);
    refused(404, "changes_not_found", path(going, "workspace"));
    refused(404, "changes_not_found", path(going, "artifacts/..%2Fpatch"));
    refused(404, "run_not_found", "/v1/runs/none/patch");
    refused(400, "invalid_request", path(going, "patch?x=1"));
  }

  private void refused(int status, String code, String path) throws Exception {
    HttpResponse<String> answer = rig.get(path);
    assertEquals(status, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("\"code\":\"" + code + "\""), answer.body());
  }

  private static String path(RunKey run, String what) {
    return "/v1/runs/" + run.runId() + "/" + what;
  }

  @Test
  void sendsWhatSeveralRunsHaveChangedTogether() throws Exception {
    RunKey alone = rig.twins.running();
    keep(alone);
    rig.twins.complete(alone);
    assertEquals(new String(PATCH, UTF_8), rig.get(path(alone, "patch?whole=true")).body());
    RunKey run = rig.twins.running();
    keep(
        run,
        new WholeChange(
            "https://git.example/shop",
            "main",
            "beef",
            List.of(),
            "GIT",
            List.of(alone.runId(), run.runId()),
            2,
            new KeptObject("whole", "changes.patch", 3, "ef", "text/x-patch")));
    rig.twins.complete(run);

    assertEquals("all", rig.get(path(run, "patch?whole=true")).body());
    assertTrue(
        rig.get(path(run, "changes"))
            .body()
            .contains(
                "\"whole\":{\"base_commit\":\"beef\",\"runs\":[\"%s\",\"%s\"],\"files_total\":2,\"patch\":{\"bytes\":3,\"sha256\":\"ef\"}}"
                    .formatted(alone.runId(), run.runId())));
    refused(400, "invalid_request", path(run, "changes?whole=true"));
  }

  private void keep(RunKey run) {
    keep(run, null);
  }

  private void keep(RunKey run, @Nullable WholeChange whole) {
    KeptChanges kept = new KeptChanges(rig.twins.artifacts);
    kept.put(run, "attempt", "patch", PATCH);
    kept.put(run, "attempt", "whole", "all".getBytes(UTF_8));
    kept.put(run, "attempt", "artifact-0", "one".getBytes(UTF_8));
    kept.name(
        run,
        changed(
            whole,
            null,
            List.of(new KeptObject("artifact-0", "dist/a b%.html", 3, "cd", "text/html"))));
  }

  private static KeptChange changed(
      @Nullable WholeChange whole, @Nullable KeptObject archive, List<KeptObject> artifacts) {
    return new KeptChange(
        1,
        "attempt",
        "c0ffee",
        List.of(
            new ChangedFile("src/a", ChangedFile.Kind.MODIFIED, null, "100644", "100644", 1L, 2L)),
        1,
        1,
        2,
        new KeptObject("patch", "changes.patch", PATCH.length, "ab", "text/x-patch"),
        archive,
        artifacts,
        List.of(new LeftOut("big", LeftOut.Reason.TOO_LARGE)),
        1,
        whole);
  }
}
