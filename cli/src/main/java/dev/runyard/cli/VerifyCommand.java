package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.client.ServerReply;
import dev.runyard.core.log.ChainCheck;
import dev.runyard.core.stream.ChunkHash;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "verify",
    description = "Check that a run's log is as it was written.",
    footer = {"", "0 when it is, 1 when a chunk was changed, replaced or removed, which is named."})
final class VerifyCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "RUN", description = "Id of the run.")
  private String runId = "";

  @Mixin private ServerOption server = new ServerOption();
  @Mixin private OutputOption output = new OutputOption();

  VerifyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    ChainCheck check = new ChainCheck();
    try (RunyardClient client = server.client(terminal)) {
      while (true) {
        ServerReply reply = client.chunks(runId, check.last());
        if (!(reply instanceof ServerReply.Done(JsonNode page))) {
          return new Answers(terminal, output.json()).on(reply, _ -> ExitCode.DONE);
        }
        JsonNode kept = page.path("read_model");
        for (JsonNode chunk : page.path("chunks")) {
          check.follow(link(chunk));
          hash(kept, "hash").ifPresent(of -> check.compare(kept.path("sequence").asLong(), of));
        }
        if (!page.path("more").asBoolean() || page.path("chunks").isEmpty()) {
          check.end(kept.path("sequence").asLong());
          return verdict(check);
        }
      }
    }
  }

  private static ChainCheck.Link link(JsonNode chunk) {
    return new ChainCheck.Link(
        chunk.path("first").asLong(),
        chunk.path("last").asLong(),
        hash(chunk, "previous"),
        hash(chunk, "hash").orElseThrow());
  }

  private static Optional<ChunkHash> hash(JsonNode of, String member) {
    return of.path(member).isTextual()
        ? Optional.of(ChunkHash.parse(of.path(member).textValue()))
        : Optional.empty();
  }

  private int verdict(ChainCheck check) {
    if (output.json()) {
      terminal.json(json(check));
    } else {
      terminal.line(text(check));
    }
    return check.broken().isPresent() ? ExitCode.FAILED : ExitCode.DONE;
  }

  private static String text(ChainCheck check) {
    String size = "%d events in %d chunks".formatted(check.last(), check.chunks());
    if (check.broken().isPresent()) {
      ChainCheck.Break broken = check.broken().get();
      return "broken at event %d: %s (%s)".formatted(broken.first(), why(broken.cause()), size);
    }
    return check.unlinked() == 0
        ? "intact: " + size
        : "intact: %s, of which %d have no link, as an earlier version wrote them"
            .formatted(size, check.unlinked());
  }

  private static String why(ChainCheck.Cause cause) {
    return switch (cause) {
      case GAP -> "events before it are missing";
      case OTHER_BEFORE -> "it was written behind another chunk than the one before it";
      case OTHER_THAN_READ -> "the read model was made from another chunk";
      case CUT_OFF -> "it and all behind it are missing";
    };
  }

  private static ObjectNode json(ChainCheck check) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("intact", check.broken().isEmpty());
    json.put("events", check.last()).put("chunks", check.chunks());
    json.put("unlinked", check.unlinked());
    json.put("hash", check.head().map(ChunkHash::toString).orElse(null));
    check
        .broken()
        .ifPresent(
            broken ->
                json.putObject("broken")
                    .put("event", broken.first())
                    .put("cause", broken.cause().name().toLowerCase(java.util.Locale.ROOT)));
    return json;
  }
}
