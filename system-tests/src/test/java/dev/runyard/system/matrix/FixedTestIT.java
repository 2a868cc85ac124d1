package dev.runyard.system.matrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.system.Api;
import dev.runyard.system.SystemStack;
import dev.runyard.system.matrix.Stand.Ran;
import dev.runyard.testkit.git.GitServer;
import dev.runyard.testkit.git.Repository;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Genuine CLIs fix the failing test of a repository, and go on in the same session after their
/// runner was killed. A person gets the changes: over HTTP with `git apply`, and with the commands
/// of the command line.
@Order(6)
final class FixedTestIT {
  @TempDir private Path folder;

  @Test
  void aPatchMakesTheTestOfAFreshCloneSucceed() throws Exception {
    List<Subject> subjects = Subject.all().stream().filter(Subject::everyRun).toList();
    Path served = folder.resolve("served");
    String commit = FailingRepository.in(served.resolve("sums")).repository().head();
    try (Bed bed = new Bed(subjects);
        GitServer server = new GitServer(served);
        SystemStack stack = SystemStack.emulated(bed.stackFolder(Map.of(), List.of()))) {
      String url = server.url("sums");
      Map<Stand, String> runs = new LinkedHashMap<>();
      for (Stand stand : bed.stands(stack)) {
        runs.put(stand, fix(stand, url));
      }
      for (Map.Entry<Stand, String> run : runs.entrySet()) {
        Ran ran = run.getKey().ended(run.getValue());
        assertEquals("completed", ran.status(), ran.events()::toString);
        assertTrue(ran.payloads("hook.completed").toString().contains("fail 1"));
        Path own = folder.resolve(run.getKey().subject().kind());
        applyWithGit(stack.api(), ran.id(), FailingRepository.cloned(url, commit, own));
      }
      stack.killRunners();
      for (Map.Entry<Stand, String> run : runs.entrySet()) {
        goOn(run.getKey(), run.getValue(), folder.resolve(run.getKey().subject().kind()));
      }
      String latest = List.copyOf(runs.values()).getLast();
      useTheCommandLine(
          stack, latest, FailingRepository.cloned(url, commit, folder.resolve("person")));
    }
  }

  private static String fix(Stand stand, String url) throws Exception {
    String prompt =
        "The test fails. Fix it. [[sh %s]] [[sh %s]] [[sh %s > %s]] [[say Fixed.]]"
            .formatted(
                FailingRepository.CHECK_FAILS,
                FailingRepository.FIX,
                FailingRepository.CHECK,
                FailingRepository.REPORT);
    return stand.submit(
        prompt,
        stand.subject().permitted(),
        "\"workspace\":{\"git\":{\"url\":\"%s\"},\"setup\":[\"%s\"],\"artifacts\":[\"%s\"]}"
            .formatted(url, FailingRepository.CHECK_FAILS, FailingRepository.REPORT));
  }

  private static void applyWithGit(Api api, String id, Repository clone) throws Exception {
    JsonNode changes = api.get("/v1/runs/" + id + "/changes").json();
    assertEquals(clone.head(), changes.path("base_commit").asText());
    assertEquals(1, changes.path("files_total").asInt(), changes::toString);
    assertEquals("sum.mjs", changes.at("/files/0/path").asText());
    assertEquals(1, changes.at("/files/0/lines_added").asInt());
    assertEquals(1, changes.at("/files/0/lines_removed").asInt());
    Api.Answer patch = api.raw("/v1/runs/" + id + "/patch");
    assertEquals(200, patch.status());
    Path file = clone.path().resolveSibling(clone.path().getFileName() + ".patch");
    Files.write(file, patch.http().body());
    assertFalse(FailingRepository.succeeds(clone));

    clone.git("apply", file.toString());

    assertTrue(FailingRepository.succeeds(clone));
    JsonNode listed = api.get("/v1/runs/" + id + "/artifacts").json();
    assertEquals(FailingRepository.REPORT, listed.at("/artifacts/0/name").asText());
    byte[] report =
        api.raw("/v1/runs/" + id + "/artifacts/" + FailingRepository.REPORT).http().body();
    assertTrue(new String(report, StandardCharsets.UTF_8).contains("pass 1"));
  }

  /// In the same session, on another runner, with the files of the first run.
  ///
  /// @param patched a clone with the first run's patch
  private static void goOn(Stand stand, String first, Path patched) throws Exception {
    String prompt =
        "Say what it does. [[sh %s]] [[sh echo '// Adds all numbers.' >> sum.mjs]] [[say Said.]]"
            .formatted(FailingRepository.CHECK);
    Ran ran =
        stand.ended(
            stand.submit(
                prompt,
                stand.subject().permitted(),
                "\"session_id\":\"%s\""
                    .formatted(stand.api().view(first).path("session_id").asText())));
    assertEquals("completed", ran.status(), ran.events()::toString);
    assertEquals("session", ran.payloads("context.resolved").getFirst().path("source").asText());
    JsonNode changes = stand.api().get("/v1/runs/" + ran.id() + "/changes").json();
    assertEquals(1, changes.path("lines_added").asInt(), changes::toString);
    assertEquals(0, changes.path("lines_removed").asInt(), changes::toString);
    Path file = patched.resolveSibling(patched.getFileName() + "-again.patch");
    Files.write(file, stand.api().raw("/v1/runs/" + ran.id() + "/patch").http().body());
    Repository clone = new Repository(patched);
    clone.git("apply", file.toString());
    String whole =
        new String(
            stand.api().raw("/v1/runs/" + ran.id() + "/patch?whole=true").http().body(),
            StandardCharsets.UTF_8);
    assertTrue(whole.contains("let i = 0") && whole.contains("// Adds all numbers."), whole);
    assertTrue(Files.readString(patched.resolve("sum.mjs")).contains("// Adds all numbers."));
    assertTrue(FailingRepository.succeeds(clone));
  }

  private static void useTheCommandLine(SystemStack stack, String id, Repository clone)
      throws Exception {
    Path here = clone.path();
    assertTrue(stack.command(here, "changes", id).contains("modified"));
    assertTrue(stack.command(here, "patch", id).contains("let i = 0"));
    assertFalse(FailingRepository.succeeds(clone));

    stack.command(here, "apply", id);

    assertTrue(FailingRepository.succeeds(clone));
    assertEquals("M sum.mjs", clone.git("status", "--porcelain"));
    assertTrue(stack.command(here, "artifacts", id).contains(FailingRepository.REPORT));
    stack.command(here, "download", id, "--to", "kept");
    assertTrue(Files.readString(here.resolve("kept/report.txt")).contains("pass 1"));
  }
}
