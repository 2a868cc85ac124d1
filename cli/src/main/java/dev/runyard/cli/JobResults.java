package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The items of a job, page by page.
///
/// @param texts whether the last words of runs that have ended are read too
record JobResults(RunyardClient client, boolean texts) {
  private static final int PAGE = 200;

  /// Gives each item to `to`; returns the exit status.
  int each(String id, @Nullable String status, Consumer<JsonNode> to, Answers answers) {
    String filter = status == null ? "" : "&status=" + status;
    int from = 1;
    while (true) {
      ServerReply reply =
          client.jobs(
              "GET",
              JobUpload.path(id) + "/items?limit=" + PAGE + "&from=" + from + filter,
              NullNode.instance,
              "");
      if (!(reply instanceof ServerReply.Done(JsonNode page))) {
        return answers.on(reply, _ -> ExitCode.FAILED);
      }
      page.path("items").forEach(item -> to.accept(texts ? withText(item) : item));
      if (!page.path("next_from").isInt()) {
        return ExitCode.DONE;
      }
      from = page.path("next_from").asInt();
    }
  }

  private JsonNode withText(JsonNode item) {
    ObjectNode shown = item.deepCopy();
    boolean ended = item.path("run_id").isTextual() && item.path("finished_at").isTextual();
    shown.set(
        "final_text",
        ended && client.run(item.path("run_id").asText()) instanceof ServerReply.Done(JsonNode run)
            ? run.get("final_text")
            : NullNode.instance);
    return shown;
  }
}
