package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.cli.show.SafeText;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "job",
    description = "Run many requests as one job.",
    footer = {"", "See docs/jobs.md."})
final class JobsCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  JobsCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    throw wrong(
        "a command is missing: create, run, start, show, list, items, cancel, retry or report");
  }

  @Command(
      name = "create",
      description = "Create a job and give it its items; prints its id. Nothing runs yet.")
  int create(@Mixin JobOptions job, @Mixin ServerOption server, @Mixin OutputOption output) {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json())
          .show(upload(client, job), body -> line(body.path("job_id").asText()));
    }
  }

  @Command(
      name = "run",
      description = {
        "Create a job, give it its items and start it; prints its id.",
        "With --watch, the exit status says how it ended: 0 completed, 1 failed or blocked, 130"
            + " cancelled. Ctrl-C detaches, the job continues."
      })
  int run(
      @Mixin JobOptions job,
      @Option(names = "--watch", description = "Show how it gets on, until it ends or is blocked.")
          boolean watch,
      @Option(
              names = "--results",
              paramLabel = "FILE",
              description = "With --watch: write its items there at the end, one JSON a line.")
          @Nullable Path results,
      @Mixin ServerOption server,
      @Mixin OutputOption output)
      throws InterruptedException {
    if (results != null && !watch) {
      throw wrong("--results needs --watch");
    }
    try (RunyardClient client = server.client(terminal)) {
      Answers answers = new Answers(terminal, output.json());
      ServerReply made =
          job.isThere()
              ? client.jobs("GET", JobUpload.path(job.id()), NullNode.instance, "")
              : upload(client, job);
      if (!(made instanceof ServerReply.Done(JsonNode body))) {
        return answers.show(made, _ -> ExitCode.FAILED);
      }
      String id = body.path("job_id").asText();
      ServerReply started =
          body.path("closed").asBoolean()
              ? made
              : client.jobs("POST", JobUpload.path(id) + "/start", NullNode.instance, "");
      if (!watch) {
        return answers.show(started, _ -> line(id));
      }
      terminal.note("job " + SafeText.line(id));
      return started instanceof ServerReply.Done
          ? new JobWatch(terminal, client, output.json()).follow(id, results)
          : answers.on(started, _ -> ExitCode.FAILED);
    }
  }

  private ServerReply upload(RunyardClient client, JobOptions job) {
    try {
      return new JobUpload(client).upload(job.id(), job.body(), job.items());
    } catch (IllegalArgumentException e) {
      throw wrong(Objects.requireNonNullElse(e.getMessage(), "the items cannot be read"));
    }
  }

  @Command(name = "start", description = "Start a job that was created.")
  int start(
      @Parameters(paramLabel = "JOB", description = "Id of the job.") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return shown(server, output, "POST", JobUpload.path(id) + "/start", NullNode.instance);
  }

  @Command(name = "show", description = "Show a job.")
  int show(
      @Parameters(paramLabel = "JOB", description = "Id of the job.") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return shown(server, output, "GET", JobUpload.path(id), NullNode.instance);
  }

  @Command(name = "list", description = "List jobs, newest first.")
  int list(
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "20",
              description = "Most jobs to list.")
          int limit,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return asked(server, output, "GET", "?limit=" + limit, NullNode.instance, this::printList);
  }

  @Command(name = "items", description = "List the items of a job, each as JSON on a line.")
  int items(
      @Parameters(paramLabel = "JOB", description = "Id of the job.") String id,
      @Option(
              names = "--status",
              paramLabel = "STATUS",
              description = "Only those that are pending, running, completed, failed or reported.")
          @Nullable String status,
      @Option(names = "--texts", description = "With the last words of each run that has ended.")
          boolean texts,
      @Mixin ServerOption server) {
    try (RunyardClient client = server.client(terminal)) {
      return new JobResults(client, texts)
          .each(id, status, terminal::json, new Answers(terminal, false));
    }
  }

  @Command(
      name = "cancel",
      description = "Cancel a job: what is completed stays, nothing else starts.")
  int cancel(
      @Parameters(paramLabel = "JOB", description = "Id of the job.") String id,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              defaultValue = "requested by the client",
              description = "Why, as the log says.")
          String reason,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("reason", reason);
    return shown(server, output, "POST", JobUpload.path(id) + "/cancel", body);
  }

  @Command(name = "retry", description = "Run a failed item again, as a run of its own.")
  int retry(
      @Parameters(paramLabel = "JOB", description = "Id of the job.") String id,
      @Parameters(paramLabel = "ITEM", description = "Number of the item.") int item,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return shown(
        server,
        output,
        "POST",
        JobUpload.path(id) + "/items/" + item + "/retry",
        NullNode.instance);
  }

  @Command(
      name = "report",
      description = "Say what is to be thought of a failed item, which is then done with.")
  int report(
      @Parameters(paramLabel = "JOB", description = "Id of the job.") String id,
      @Parameters(paramLabel = "ITEM", description = "Number of the item.") int item,
      @Parameters(paramLabel = "NOTE", description = "What is to be thought of it.") String note,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("note", note);
    return shown(server, output, "POST", JobUpload.path(id) + "/items/" + item + "/report", body);
  }

  private int shown(
      ServerOption server, OutputOption output, String method, String path, JsonNode body) {
    return asked(server, output, method, path, body, job -> line(JobText.of(job)));
  }

  private int asked(
      ServerOption server,
      OutputOption output,
      String method,
      String path,
      JsonNode body,
      ToIntFunction<JsonNode> print) {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(client.jobs(method, path, body, ""), print);
    }
  }

  private int printList(JsonNode body) {
    if (body.path("jobs").isEmpty()) {
      terminal.note("there are no jobs");
    }
    body.path("jobs").forEach(job -> line(JobText.of(job)));
    return ExitCode.DONE;
  }

  private int line(String text) {
    terminal.line(SafeText.line(text));
    return ExitCode.DONE;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }
}
