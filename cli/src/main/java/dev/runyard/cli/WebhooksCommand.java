package dev.runyard.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.cli.client.RunyardClient;
import dev.runyard.cli.show.SafeText;
import dev.runyard.core.webhook.WebhookEvent;
import java.net.URI;
import java.util.List;
import java.util.Optional;
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
    name = "webhooks",
    description = "Have another system told when runs end or need a person (see docs/webhooks.md).")
final class WebhooksCommand implements Callable<Integer> {
  private static final String DELIVERIES = "/deliveries";

  private final Terminal terminal;

  @Spec private CommandSpec spec = CommandSpec.create();

  WebhooksCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Add a webhook; prints its secret, which is shown once.")
  int create(
      @Parameters(paramLabel = "URL", description = "https address that is sent deliveries.")
          String url,
      @Option(
              names = "--events",
              split = ",",
              paramLabel = "EVENT",
              description = "Events it wants, separated by commas; all by default.")
          @Nullable List<String> events,
      @Option(names = "--description", paramLabel = "TEXT", description = "For people.")
          @Nullable String description,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    ObjectNode body = body(events);
    body.put("url", url);
    if (description != null) {
      body.put("description", description);
    }
    return ask(server, output, "POST", "", Optional.of(body), this::secret);
  }

  @Command(mixinStandardHelpOptions = true, description = "List webhooks.")
  int list(@Mixin ServerOption server, @Mixin OutputOption output) {
    return ask(
        server,
        output,
        "GET",
        "",
        Optional.empty(),
        all -> {
          all.path("webhooks").forEach(this::row);
          return ExitCode.DONE;
        });
  }

  @Command(mixinStandardHelpOptions = true, description = "Show a webhook.")
  int show(
      @Parameters(paramLabel = "WEBHOOK") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return ask(server, output, "GET", "/" + id, Optional.empty(), this::row);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Send a webhook deliveries again after it was disabled.")
  int enable(
      @Parameters(paramLabel = "WEBHOOK") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return ask(server, output, "PATCH", "/" + id, enabled(true), this::row);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Send a webhook nothing until it is enabled.")
  int disable(
      @Parameters(paramLabel = "WEBHOOK") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return ask(server, output, "PATCH", "/" + id, enabled(false), this::row);
  }

  @Command(mixinStandardHelpOptions = true, description = "Delete a webhook.")
  int delete(
      @Parameters(paramLabel = "WEBHOOK") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return ask(server, output, "DELETE", "/" + id, Optional.empty(), _ -> ExitCode.DONE);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Give a webhook a new secret; the one before counts for a while.")
  int rotate(
      @Parameters(paramLabel = "WEBHOOK") String id,
      @Option(
              names = "--overlap-seconds",
              paramLabel = "N",
              description = "How long both secrets count; a day by default.")
          @Nullable Integer overlap,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (overlap != null) {
      body.put("overlap_seconds", overlap);
    }
    return ask(server, output, "POST", "/" + id + "/rotate", Optional.of(body), this::secret);
  }

  @Command(mixinStandardHelpOptions = true, description = "Send a webhook something to try it.")
  int ping(
      @Parameters(paramLabel = "WEBHOOK") String id,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return ask(server, output, "POST", "/" + id + "/ping", Optional.empty(), this::delivery);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Show what a webhook, or the webhook of a run, was sent, newest first.")
  int deliveries(
      @Parameters(paramLabel = "WEBHOOK") String id,
      @Option(names = "--limit", paramLabel = "N", description = "At most this many (1 to 100).")
          @Nullable Integer limit,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    return ask(
        server,
        output,
        "GET",
        "/" + id + DELIVERIES + (limit == null ? "" : "?limit=" + limit),
        Optional.empty(),
        page -> {
          page.path("deliveries").forEach(this::delivery);
          return ExitCode.DONE;
        });
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Send a delivery again, whatever became of it.")
  int redeliver(
      @Parameters(index = "0", paramLabel = "WEBHOOK") String id,
      @Parameters(index = "1", paramLabel = "DELIVERY") String delivery,
      @Mixin ServerOption server,
      @Mixin OutputOption output) {
    String path = "/" + id + DELIVERIES + "/" + delivery + "/redeliver";
    return ask(server, output, "POST", path, Optional.empty(), this::delivery);
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Forward events to a server on this machine until interrupted.")
  int listen(
      @Option(names = "--to", required = true, paramLabel = "URL", description = "Where to.")
          URI to,
      @Option(
              names = "--events",
              split = ",",
              paramLabel = "EVENT",
              description = "Events to forward, separated by commas; all by default.")
          @Nullable List<String> events,
      @Option(
              names = "--webhook",
              paramLabel = "WEBHOOK",
              description =
                  "Go on with this one, which an earlier listen has left; needs --secret.")
          @Nullable String id,
      @Option(names = "--secret", paramLabel = "SECRET", description = "The secret of --webhook.")
          @Nullable String secret,
      @Mixin ServerOption server)
      throws InterruptedException {
    if ((id == null) != (secret == null)) {
      throw new ParameterException(spec.commandLine(), "--webhook and --secret are given together");
    }
    try (Interruption _ = Interruption.unwinds();
        RunyardClient client = server.client(terminal)) {
      WebhookListener listener = new WebhookListener(terminal, client, to);
      return id == null || secret == null
          ? listener.listen(body(events))
          : listener.goOn(id, secret);
    }
  }

  private static ObjectNode body(@Nullable List<String> events) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    (events == null ? WebhookEvent.names() : events).forEach(body.putArray("events")::add);
    return body;
  }

  private static Optional<JsonNode> enabled(boolean enabled) {
    return Optional.of(JsonNodeFactory.instance.objectNode().put("enabled", enabled));
  }

  private int ask(
      ServerOption server,
      OutputOption output,
      String method,
      String rest,
      Optional<JsonNode> body,
      ToIntFunction<JsonNode> print) {
    try (RunyardClient client = server.client(terminal)) {
      return new Answers(terminal, output.json()).show(client.webhooks(method, rest, body), print);
    }
  }

  private int secret(JsonNode webhook) {
    row(webhook);
    terminal.note("its secret, which is not shown again:");
    terminal.line(webhook.path("secret").asText());
    return ExitCode.DONE;
  }

  private int row(JsonNode webhook) {
    String state =
        webhook.path("enabled").asBoolean()
            ? webhook.path("failing_since").isNull()
                ? "enabled"
                : "failing since " + webhook.path("failing_since").asText()
            : "disabled: " + webhook.at("/disabled/cause").asText();
    terminal.line(
        terminal.style().name(webhook.path("webhook_id").asText())
            + "  "
            + SafeText.line(webhook.path("url").asText("(read, not sent)"))
            + "  "
            + state
            + "  "
            + SafeText.line(webhook.path("description").asText()));
    return ExitCode.DONE;
  }

  private int delivery(JsonNode delivery) {
    JsonNode last = delivery.path("tries").path(delivery.path("tries").size() - 1);
    String result =
        last.isMissingNode()
            ? ""
            : last.path("status").asText("") + " " + last.path("outcome").asText();
    terminal.line(
        delivery.path("delivery_id").asText()
            + "  "
            + delivery.path("event").asText()
            + "  "
            + delivery.path("run_id").asText("-")
            + "  "
            + delivery.path("state").asText()
            + "  "
            + result.replace("null ", "").strip());
    return ExitCode.DONE;
  }
}
