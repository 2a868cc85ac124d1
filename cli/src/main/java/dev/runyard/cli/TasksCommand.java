package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.cli.client.TasksClient;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
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
    name = "task",
    description = "Say what is to be done, and have it done by runs.",
    footer = {"", "See docs/tasks.md."})
final class TasksCommand implements Callable<Integer> {
  private static final String REASON = "reason";

  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  TasksCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(),
        "a command is missing: create, start, retry, complete, fail, cancel, pause, resume, link,"
            + " unlink, archive, show, list or events");
  }

  @Command(name = "create", description = "Create a task. Nothing runs yet.")
  int create(@Mixin TaskOptions task, @Mixin ServerOption server, @Mixin OutputOption output) {
    return sent(server, output, "create_task", task.params());
  }

  @Command(name = "start", description = "Begin the first run of a task, now or once it may.")
  int start(
      @Parameters(paramLabel = "TASK", description = "Id of the task.") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return sent(server, output, "start_task", of(id));
  }

  @Command(name = "retry", description = "Begin another run of a task that failed.")
  int retry(
      @Parameters(paramLabel = "TASK", description = "Id of the task.") String id,
      @Parameters(paramLabel = "REASON", description = "Why, as the log says.") String reason,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return sent(server, output, "retry_task", of(id).put(REASON, reason));
  }

  @Command(name = "complete", description = "Say that a task is done.")
  int complete(
      @Parameters(paramLabel = "TASK", description = "Id of the task.") String id,
      @Option(names = "--summary", paramLabel = "TEXT", description = "What came of it.")
          @Nullable String summary,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return sent(server, output, "complete_task", of(id).put("summary", summary));
  }

  @Command(name = "fail", description = "Say that a task has failed. It may be retried.")
  int fail(
      @Parameters(paramLabel = "TASK", description = "Id of the task.") String id,
      @Parameters(paramLabel = "REASON", description = "Why, as the log says.") String reason,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return sent(server, output, "fail_task", of(id).put(REASON, reason));
  }

  @Command(name = "cancel", description = "Cancel a task, its runs, and all tasks below it.")
  int cancel(
      @Parameters(paramLabel = "TASK", description = "Id of the task.") String id,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Why, as the log says.")
          @Nullable String reason,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return sent(server, output, "cancel_task", of(id).put(REASON, reason));
  }

  @Command(name = "pause", description = "Let nothing of a task start, until it is resumed.")
  int pause(
      @Parameters(paramLabel = "TASK", description = "Id of the task.") String id,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Why, as the log says.")
          @Nullable String reason,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return sent(server, output, "pause_task", of(id).put(REASON, reason));
  }

  @Command(name = "resume", description = "Let a paused task go on.")
  int resume(
      @Parameters(paramLabel = "TASK", description = "Id of the task.") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return sent(server, output, "resume_task", of(id));
  }

  @Command(name = "archive", description = "Put a task away that is over.")
  int archive(
      @Parameters(paramLabel = "TASK", description = "Id of the task.") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return sent(server, output, "archive_task", of(id));
  }

  @Command(name = "link", description = "Say what a task has to do with another task or thing.")
  int link(@Mixin EdgeOptions edge, @Mixin ServerOption server, @Mixin OutputOption output) {
    return sent(server, output, "link_tasks", edge.params());
  }

  @Command(name = "unlink", description = "Say that it has nothing to do with it any more.")
  int unlink(@Mixin EdgeOptions edge, @Mixin ServerOption server, @Mixin OutputOption output) {
    return sent(server, output, "unlink_tasks", edge.params());
  }

  /// Both ends of an edge.
  static final class EdgeOptions {
    @Parameters(index = "0", paramLabel = "TASK", description = "Id of the task.")
    private String task = "";

    @Parameters(
        index = "1",
        paramLabel = "KIND",
        description = "What it has to do with it, such as blocks, blocked_by, parent or child.")
    private String kind = "";

    @Parameters(
        index = "2",
        paramLabel = "TO",
        description = "Id of the other task, or what else it is.")
    private String to = "";

    private ObjectNode params() {
      return of(task).put("kind", kind).put("to", to);
    }
  }

  @Command(name = "show", description = "Show a task with its runs and edges.")
  int show(
      @Parameters(paramLabel = "TASK", description = "Id of the task.") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return asked(server, output, client -> client.task(id), new TaskText(terminal)::whole);
  }

  @Command(name = "list", description = "List tasks, newest first.")
  int list(
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "20",
              description = "Most tasks to list.")
          int limit,
      @Option(
              names = "--status",
              paramLabel = "STATUS",
              description = "Only tasks that are so; several with commas, such as failed,lost.")
          @Nullable String status,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return asked(
        server, output, client -> client.list(limit, status), new TaskText(terminal)::list);
  }

  @Command(name = "events", description = "Print the events of a task, each as JSON on a line.")
  int events(
      @Parameters(paramLabel = "TASK", description = "Id of the task.") String id,
      @Mixin ServerOption server) {
    try (RunyardClient client = server.client(terminal)) {
      TasksClient tasks = new TasksClient(client);
      Answers answers = new Answers(terminal, false);
      ServerReply page = tasks.events(id, 0);
      while (page instanceof ServerReply.Done(JsonNode body) && !body.path("events").isEmpty()) {
        body.path("events").forEach(terminal::json);
        page = tasks.events(id, body.path("next_after").asLong());
      }
      return answers.show(page, _ -> ExitCode.DONE);
    }
  }

  private int sent(ServerOption server, OutputOption output, String command, ObjectNode params) {
    return asked(
        server, output, client -> client.command(command, params), new TaskText(terminal)::outcome);
  }

  private int asked(
      ServerOption server,
      OutputOption output,
      Function<TasksClient, ServerReply> ask,
      ToIntFunction<JsonNode> print) {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(ask.apply(new TasksClient(client)), print);
    }
  }

  private static ObjectNode of(String taskId) {
    return JsonNodeFactory.instance.objectNode().put("task_id", taskId);
  }
}
