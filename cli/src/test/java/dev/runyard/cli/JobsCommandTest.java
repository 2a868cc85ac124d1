package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.runyard.cli.client.RunServer;
import dev.runyard.cli.client.RunyardClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobsCommandTest {
  private static final String ITEM =
      "{\"item\":1,\"status\":\"completed\",\"run_id\":\"r-1\",\"finished_at\":\"t\"}";

  @TempDir private Path folder = Path.of("");

  private final RunServer server = new RunServer();
  private final Cli cli = new Cli().with("RUNYARD_URL", server.uri().toString());

  @AfterEach
  void stop() {
    server.close();
  }

  private static String job(String status, int completed, int failed) {
    return ("{\"job_id\":\"j\",\"status\":\"%s\",\"closed\":%s,\"counts\":{\"total\":2,\"pending\":0,"
            + "\"running\":0,\"completed\":%d,\"failed\":%d,\"reported\":0},\"usage\":{\"cost_usd\":0.5}}")
        .formatted(status, status.equals("completed"), completed, failed);
  }

  @Test
  void isAPartOfATask() throws IOException {
    server.on("POST /v1/jobs", 202, job("created", 0, 0));
    server.on("POST /v1/jobs/j/items", 202, job("created", 0, 0));
    server.on("POST /v1/runtime/commands", 200, "{\"outcome\":\"accepted\"}");

    Cli.Outcome outcome =
        cli.run(
            "job",
            "create",
            "--agent",
            "echo",
            "--id",
            "j",
            "--task",
            "t-1",
            "--items",
            items("\"say\""));

    assertEquals(0, outcome.exit(), outcome.err());
    assertTrue(
        server.requests().getFirst().body().contains("\"task_id\":\"t-1\""),
        server.requests().getFirst()::body);
  }

  private String items(String... lines) throws IOException {
    return Files.write(folder.resolve("items.jsonl"), List.of(lines)).toString();
  }

  @Test
  void uploadsInPartsThatCanBeRepeated() throws IOException {
    server.on("POST /v1/jobs", 202, job("created", 0, 0));
    server.on("POST /v1/jobs/j/items", 202, job("created", 0, 0));
    String[] lines = new String[1001];
    Arrays.fill(lines, "\"say\"");

    Cli.Outcome outcome =
        cli.run("job", "create", "--agent", "echo", "--id", "j", "--items", items(lines));

    assertEquals(0, outcome.exit(), outcome.err());
    assertEquals("j\n", outcome.out());
    assertEquals(3, server.requests().size());
    assertEquals(
        "{\"request\":{\"agent\":\"echo\"},\"job_id\":\"j\"}", server.requests().get(0).body());
    assertEquals("j items 0", server.requests().get(1).idempotencyKey());
    assertEquals("j items 1", server.requests().get(2).idempotencyKey());
    assertEquals("{\"items\":[{\"prompt\":\"say\"}]}", server.requests().get(2).body());
  }

  @Test
  void runsWatchesAndWritesResults() throws IOException {
    server.on("POST /v1/jobs", 202, job("created", 0, 0));
    server.on("POST /v1/jobs/j/items", 202, job("created", 0, 0));
    server.on("POST /v1/jobs/j/start", 202, job("running", 0, 0));
    server.on("GET /v1/jobs/j/events", 200, "{\"events\":[],\"next_after\":9,\"closed\":true}");
    server.on("GET /v1/jobs/j", 200, job("completed", 2, 0));
    server.on("GET /v1/jobs/j/items", 200, "{\"items\":[" + ITEM + "],\"next_from\":null}");
    server.on("GET /v1/runs/r-1", 200, "{\"final_text\":\"done\"}");
    Path results = folder.resolve("results.jsonl");

    Cli.Outcome outcome =
        cli.run(
            "job",
            "run",
            "--id",
            "j",
            "--items",
            items("{\"prompt\":\"a\"}"),
            "--watch",
            "--results",
            results.toString());

    assertEquals(0, outcome.exit(), outcome.err());
    assertTrue(outcome.err().contains("2/2 done, 0 running, 0 failed"), outcome.err());
    assertEquals(
        "done",
        JsonMapper.builder()
            .build()
            .readTree(Files.readString(results))
            .path("final_text")
            .asText());
  }

  @Test
  void goesOnWithAJobThatHasItsItems() {
    server.on("GET /v1/jobs/j", 200, job("created", 0, 0));
    server.on("POST /v1/jobs/j/start", 202, job("running", 0, 0));

    Cli.Outcome outcome = cli.run("job", "run", "--resume", "j");

    assertEquals("j\n", outcome.out(), outcome.err());
    assertEquals(2, server.requests().size());
    assertEquals(2, cli.run("job", "create", "--id", "j").exit());
  }

  @Test
  void goesOnWatchingWhileTheStackStartsAgain() throws Exception {
    server.on("GET /v1/jobs/j/events", 200, "{\"events\":[],\"next_after\":9,\"closed\":false}");
    server.on("GET /v1/jobs/j", 503, "{\"status\":503,\"code\":\"store_unavailable\"}");
    List<Duration> pauses = new ArrayList<>();
    Terminal terminal = cli.terminal(new ByteArrayOutputStream(), new ByteArrayOutputStream());
    try (RunyardClient client = server.client()) {
      JobWatch watch =
          new JobWatch(
              terminal,
              client,
              false,
              pause -> {
                pauses.add(pause);
                if (pauses.size() == 3) {
                  server.on("GET /v1/jobs/j", 200, job("completed", 2, 0));
                }
              });

      assertEquals(0, watch.follow("j", null));
    }
    assertEquals(3, pauses.size());
  }

  @Test
  void saysWhatToDoAboutABlockedJob() throws IOException {
    server.on("POST /v1/jobs", 202, job("created", 0, 0));
    server.on("POST /v1/jobs/j/items", 202, job("created", 0, 0));
    server.on("POST /v1/jobs/j/start", 202, job("running", 0, 0));
    server.on("GET /v1/jobs/j/events", 200, "{\"events\":[],\"next_after\":9,\"closed\":false}");
    server.on("GET /v1/jobs/j", 200, job("blocked", 1, 1));

    Cli.Outcome outcome =
        cli.run("job", "run", "--id", "j", "--items", items("{\"prompt\":\"a\"}"), "--watch");

    assertEquals(1, outcome.exit());
    assertTrue(outcome.err().contains("job retry j ITEM"), outcome.err());
  }

  @Test
  void refusesFilesThatAreNoItems() throws IOException {
    assertEquals(2, cli.run("job", "create", "--items", items("7")).exit());
    assertEquals(2, cli.run("job", "create", "--items", items("{")).exit());
    assertEquals(2, cli.run("job", "create", "--items", items("")).exit());
    assertEquals(2, cli.run("job", "create", "--items", folder + "/none").exit());
    assertEquals(2, cli.run("job").exit());
  }

  @Test
  void listsShowsAndSteers() {
    server.on("GET /v1/jobs", 200, "{\"jobs\":[" + job("running", 1, 0) + "]}");
    server.on("GET /v1/jobs/j", 200, job("running", 1, 0));
    server.on("POST /v1/jobs/j/cancel", 202, job("cancelling", 1, 0));
    server.on("POST /v1/jobs/j/items/2/retry", 202, job("running", 1, 0));
    server.on("POST /v1/jobs/j/items/2/report", 202, job("completed", 1, 0));
    server.on("GET /v1/jobs/j/items", 200, "{\"items\":[" + ITEM + "],\"next_from\":null}");

    String line = "j  running  1 of 2 completed, 0 running, 0 failed, 0 reported  $0.5000\n";
    assertEquals(line, cli.run("job", "list").out());
    assertEquals(line, cli.run("job", "show", "j").out());
    assertEquals(0, cli.run("job", "cancel", "j", "--reason", "enough").exit());
    assertEquals("{\"reason\":\"enough\"}", server.requests().getLast().body());
    assertEquals(0, cli.run("job", "retry", "j", "2").exit());
    assertEquals(0, cli.run("job", "report", "j", "2", "known").exit());
    assertEquals("{\"note\":\"known\"}", server.requests().getLast().body());
    assertEquals(ITEM + "\n", cli.run("job", "items", "j", "--status", "completed").out());
  }
}
