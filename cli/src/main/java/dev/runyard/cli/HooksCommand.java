package dev.runyard.cli;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.SafeText;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
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
    name = "hooks",
    description = "Have webhooks of other systems start runs.",
    footer = {"", "See docs/hooks.md."})
final class HooksCommand implements Callable<Integer> {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  HooksCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    throw wrong("a command is missing: create, list, show, change, delete, dry-run or deliveries");
  }

  @Command(name = "create", description = "Make a hook; prints the address to deliver to.")
  int create(
      @Option(
              names = "--file",
              required = true,
              paramLabel = "FILE",
              description = "What it is, as JSON.")
          Path file,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return shown(server, output, "POST", "", json(file), this::printAddress);
  }

  @Command(name = "list", description = "List the hooks.")
  int list(@Mixin ServerOption server, @Mixin OutputOption output) {
    return shown(server, output, "GET", "", NullNode.instance, this::printList);
  }

  @Command(name = "show", description = "Show a hook, as JSON.")
  int show(
      @Parameters(paramLabel = "HOOK", description = "Id of the hook.") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return shown(server, output, "GET", path(id), NullNode.instance, this::printJson);
  }

  @Command(name = "change", description = "Replace members of a hook; one that is null is removed.")
  int change(
      @Parameters(paramLabel = "HOOK", description = "Id of the hook.") String id,
      @Option(
              names = "--file",
              required = true,
              paramLabel = "FILE",
              description = "The members, as JSON.")
          Path file,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return shown(server, output, "PATCH", path(id), json(file), this::printJson);
  }

  @Command(
      name = "delete",
      description = "Delete a hook: nothing is taken at its address any more.")
  int delete(
      @Parameters(paramLabel = "HOOK", description = "Id of the hook.") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return shown(server, output, "DELETE", path(id), NullNode.instance, _ -> ExitCode.DONE);
  }

  @Command(
      name = "dry-run",
      description = "Show what a delivery would start, or why it would not; starts nothing.")
  int dryRun(
      @Parameters(paramLabel = "HOOK", description = "Id of the hook.") String id,
      @Option(
              names = "--body",
              required = true,
              paramLabel = "FILE",
              description = "Body of the delivery, as it is sent.")
          Path body,
      @Option(
              names = "--header",
              paramLabel = "NAME=VALUE",
              description = "Header of the delivery; may be repeated.")
          @Nullable Map<String, String> headers,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    ObjectNode sample = JsonNodeFactory.instance.objectNode().put("body", text(body));
    ObjectNode given = sample.putObject("headers");
    Objects.requireNonNullElse(headers, Map.<String, String>of()).forEach(given::put);
    return shown(server, output, "POST", path(id) + "/dry-run", sample, this::printJson);
  }

  @Command(name = "deliveries", description = "Show what came in, and what became of it.")
  int deliveries(
      @Parameters(paramLabel = "HOOK", description = "Id of the hook.") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return shown(
        server, output, "GET", path(id) + "/deliveries", NullNode.instance, this::printDeliveries);
  }

  private int shown(
      ServerOption server,
      OutputOption output,
      String method,
      String path,
      JsonNode body,
      ToIntFunction<JsonNode> print) {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(client.hooks(method, path, body), print);
    }
  }

  private int printAddress(JsonNode hook) {
    terminal.line(SafeText.line(hook.path("hook_id").asText()));
    terminal.note("deliver to " + SafeText.line(hook.path("url").asText()));
    return ExitCode.DONE;
  }

  private int printList(JsonNode body) {
    if (body.path("hooks").isEmpty()) {
      terminal.note("there are no hooks");
    }
    for (JsonNode hook : body.path("hooks")) {
      String state = hook.path("enabled").asBoolean() ? "enabled" : "disabled";
      terminal.line(
          SafeText.line(
              "%s  %s  %s  %s"
                  .formatted(
                      hook.path("hook_id").asText(),
                      hook.path("sender").asText(),
                      state,
                      hook.path("name").asText())));
    }
    return ExitCode.DONE;
  }

  private int printDeliveries(JsonNode body) {
    if (body.path("deliveries").isEmpty()) {
      terminal.note("nothing came in");
    }
    for (JsonNode delivery : body.path("deliveries")) {
      String became =
          delivery.path("run_id").isTextual()
              ? delivery.path("run_id").asText()
              : delivery.path("reason").asText() + at(delivery.path("pointer"));
      terminal.line(
          SafeText.line(
              "%s  %s  %s  %s  %s"
                  .formatted(
                      delivery.path("received_at").asText(),
                      delivery.path("outcome").asText(),
                      delivery.path("event").asText(),
                      delivery.path("delivery_id").asText(),
                      became)));
    }
    return ExitCode.DONE;
  }

  private static String at(JsonNode pointer) {
    return pointer.isTextual() ? " (" + pointer.asText() + ")" : "";
  }

  private int printJson(JsonNode body) {
    terminal.line(SafeText.block(body.toPrettyString()));
    return ExitCode.DONE;
  }

  private JsonNode json(Path file) {
    try {
      return JSON.readTree(text(file));
    } catch (JacksonException _) {
      throw wrong(file + " is no JSON");
    }
  }

  private String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException _) {
      throw wrong("cannot read " + file + " as text");
    }
  }

  private static String path(String id) {
    return "/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }
}
