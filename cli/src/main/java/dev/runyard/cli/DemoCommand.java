package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.LiveEvents;
import dev.runyard.cli.client.NewRun;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.cli.demo.AgentsFile;
import dev.runyard.cli.demo.Folders;
import dev.runyard.cli.demo.Timings;
import dev.runyard.cli.install.AgentInstall;
import dev.runyard.cli.install.AgentPackage;
import dev.runyard.cli.install.Programs;
import dev.runyard.cli.show.LiveText;
import dev.runyard.cli.show.RunText;
import dev.runyard.cli.show.SafeText;
import dev.runyard.cli.show.UsageText;
import dev.runyard.local.model.ScriptedModelServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description = "Start a stack, run one agent on it, show what happens, and clean up.",
    footer = {
      "",
      "codex: the real Codex CLI, installed with npm at a pinned version, talks to a scripted",
      "model on this machine. echo: a built-in agent that needs nothing installed."
    })
final class DemoCommand implements Callable<Integer> {
  private static final String FILE = "hello.txt";
  private static final String CODEX_PROMPT =
      """
      Write a greeting to %1$s and show it. \
      [[think The user wants a file.]] \
      [[sh printf 'Hello from Codex.\\n' > %1$s && cat %1$s]] \
      [[say I wrote a greeting to %1$s.]]\
      """
          .formatted(FILE);

  /// No files to begin with, so that all of them are the change.
  private static final NewRun.Workspace FILES =
      new NewRun.Workspace(null, null, null, null, true, List.of(), null, List.of(), null, null);

  private final Terminal terminal;
  private final Stack.Starter stacks;
  private final LiveText live;

  /// The agents the demo knows.
  enum Agent {
    echo,
    codex
  }

  @Option(names = "--agent", paramLabel = "echo|codex", description = "Default: codex.")
  private Agent agent = Agent.codex;

  @Option(names = "--emulated", description = "Use emulators of the AWS services.")
  private boolean emulated;

  DemoCommand(Terminal terminal, Stack.Starter stacks) {
    this.terminal = terminal;
    this.stacks = stacks;
    this.live = new LiveText(text -> terminal.out().print(text), terminal.style());
  }

  @Override
  public Integer call() throws Exception {
    Path demos = Files.createDirectories(CacheFolder.of(terminal.env()).resolve("demo"));
    try (Interruption _ = Interruption.unwinds()) {
      Path folder = Files.createTempDirectory(demos, "run-");
      try {
        return switch (agent) {
          case echo -> run(folder, null, "Hello from Runyard.");
          case codex -> codex(folder);
        };
      } finally {
        Folders.delete(folder);
      }
    }
  }

  private int codex(Path folder) throws Exception {
    AgentPackage codex = AgentPackage.of("codex");
    Path program =
        new AgentInstall(
                new Programs(terminal.env()), CacheFolder.of(terminal.env()), terminal::note)
            .program(codex);
    title(codex.title() + " " + codex.version() + " is real: " + program);
    try (ScriptedModelServer model =
        ScriptedModelServer.start(0, exchange -> scripted(exchange.line()))) {
      title(
          "The model is scripted: " + model.baseUrl() + " does what the [[...]] of the prompt say");
      Path agents = AgentsFile.codex(folder, program, model.baseUrl());
      return run(folder, agents, CODEX_PROMPT);
    }
  }

  private int run(Path folder, @Nullable Path agents, String prompt) throws Exception {
    Path work = Files.createDirectories(folder.resolve("work"));
    try (Stack stack =
            stacks.start(new Stack.Settings(0, storage(), agents, work, Map.of(), true, true));
        RunyardClient client =
            new RunyardClient(stack.uri(), StackTokens.find(terminal, stack.uri()))) {
      title("Local stack: " + stack.uri());
      title("Prompt: " + prompt);
      Timings timings = new Timings(System::nanoTime);
      ServerReply reply =
          client.submit(
              NewRun.of(agent.name(), prompt).with(agent == Agent.codex ? FILES : null),
              UUID.randomUUID().toString());
      timings.accepted();
      return new Answers(terminal, false)
          .on(reply, run -> watch(client, run.path("run_id").asText(), timings));
    }
  }

  private Stack.Storage storage() {
    return emulated
        ? new Stack.Storage.Emulated(null, null)
        : new Stack.Storage.Embedded(null, true);
  }

  private int watch(RunyardClient client, String runId, Timings timings) {
    try {
      LiveEvents.End end =
          new LiveEvents(client)
              .follow(
                  runId,
                  0,
                  LiveEvents.NATIVE_VIEW,
                  event -> {
                    timings.seen(event);
                    synchronized (live) {
                      live.print(event);
                      terminal.flushed();
                    }
                  });
      live.endText();
      if (!(end instanceof LiveEvents.Closed)) {
        terminal.note("runyard: the stream of the run broke: " + end);
        return ExitCode.FAILED;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCode.CANCELLED;
    }
    Answers answers = new Answers(terminal, false);
    return answers.on(
        client.run(runId),
        run -> {
          int ended = ended(run);
          if (ended == ExitCode.DONE && agent == Agent.codex) {
            ended = answers.on(client.patch(runId, false), this::change);
          }
          return ended == ExitCode.DONE ? report(run, timings) : ended;
        });
  }

  private int ended(JsonNode run) {
    String status = run.path("status").asText();
    if (!status.equals("completed")) {
      terminal.note("runyard: the run ended as " + status + ". " + RunText.error(run));
      return ExitCode.FAILED;
    }
    return ExitCode.DONE;
  }

  /// Shows what the agent changed.
  private int change(JsonNode patch) {
    try {
      title("What it changed, as a patch:");
      terminal.line(
          SafeText.block(new String(patch.binaryValue(), StandardCharsets.UTF_8)).stripTrailing());
      return ExitCode.DONE;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int report(JsonNode run, Timings timings) {
    title("Final text: " + SafeText.line(run.path("final_text").asText()));
    String usage = UsageText.of(run.path("usage"));
    title("Usage: " + (usage.isEmpty() ? "none counted" : usage));
    title("Timings: " + timings.text());
    title("Status: " + terminal.style().status(run.path("status").asText()));
    return ExitCode.DONE;
  }

  /// Shows what the scripted model answered, on its own line.
  private void scripted(String exchange) {
    synchronized (live) {
      live.endText();
      terminal.flushed();
      terminal.note(terminal.style().dim("[scripted] " + exchange));
    }
  }

  private void title(String text) {
    terminal.line(terminal.style().name("== ") + text);
  }
}
