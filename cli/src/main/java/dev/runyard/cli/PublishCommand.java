package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.cli.client.NewRun;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.cli.show.SafeText;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "publish",
    description = "Publish what a run changed as a branch, and as a pull request.",
    footer = {"", "It may be repeated: there is one branch and one pull request."})
final class PublishCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Mixin private PublishOption how = new PublishOption();
  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  PublishCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws InterruptedException {
    NewRun.Publish wanted = how.publish();
    if (wanted == null) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(), "Missing required option: '--branch=BRANCH'");
    }
    try (RunyardClient client = server.client(terminal)) {
      ServerReply reply = client.publish(runId, wanted);
      if (!(reply instanceof ServerReply.Done(JsonNode made))) {
        return new Answers(terminal, output.json()).show(reply, _ -> ExitCode.DONE);
      }
      String by = made.path("run_id").asText();
      terminal.note("run " + by);
      int exit = new Watch(terminal, client, output.json()).follow(by, 0);
      return exit == ExitCode.DONE && !output.json()
          ? new Answers(terminal, false).show(client.publication(runId), this::print)
          : Integer.valueOf(exit);
    }
  }

  private int print(JsonNode publication) {
    terminal.line(
        SafeText.line(
            publication.path("branch").asText() + " " + publication.path("commit").asText()));
    JsonNode pull = publication.path("pull_request");
    if (pull.isObject()) {
      terminal.line(
          SafeText.line(pull.path("url").asText("pull request " + pull.path("number").asText())));
    }
    return ExitCode.DONE;
  }
}
