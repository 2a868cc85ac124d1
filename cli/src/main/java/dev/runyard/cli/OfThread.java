package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ThreadsClient;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// What the commands about one thread have in common.
abstract class OfThread implements Callable<Integer> {
  final Terminal terminal;

  @Parameters(index = "0", paramLabel = "THREAD", description = "Id of the thread.")
  String threadId = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  OfThread(Terminal terminal) {
    this.terminal = terminal;
  }

  /// Sends a command about the thread, and shows how it went.
  int sent(String command, ObjectNode params) {
    return sent(command, params, new ThreadText(terminal)::outcome);
  }

  /// The same, shown in another way.
  int sent(String command, ObjectNode params, ToIntFunction<JsonNode> show) {
    params.put("thread_id", threadId);
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json())
          .show(new ThreadsClient(client).command(command, params), show);
    }
  }

  /// Shows the turn that the thread has, and those that wait.
  int shown() {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json())
          .show(new ThreadsClient(client).queue(threadId), new ThreadText(terminal)::queue);
    }
  }

  static ObjectNode params() {
    return JsonNodeFactory.instance.objectNode();
  }
}
