package dev.runyard.bench.section;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.stack.Runs;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.bench.stack.WebhookCollector;
import dev.runyard.cli.client.NewRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// From the end of a run, as its terminal event has it, to the request at the server that is told
/// of it.
public final class WebhookSection implements Section {
  private static final int WARM_UP = 100;
  private static final int RUNS = 200;

  private final StackLaunch launch;

  public WebhookSection(StackLaunch launch) {
    this.launch = launch;
  }

  @Override
  public List<Figure> measure() throws Exception {
    NewRun echo = Runs.echo(1, 0);
    List<Double> millis = new ArrayList<>();
    try (WebhookCollector collector = new WebhookCollector();
        UpProcess stack = launch.withFlag("--webhooks-to-loopback").start();
        Runs runs = new Runs(stack.uri())) {
      runs.webhook(collector.url());
      for (int i = 0; i < WARM_UP + RUNS; i++) {
        runs.run(echo);
        WebhookCollector.Got got = collector.next();
        if (i >= WARM_UP) {
          millis.add(millisSince(got));
        }
      }
    }
    return Figure.ofMillis(
        "webhook", "end of a run to its webhook", Samples.of(millis), "echo, one after the other");
  }

  private static double millisSince(WebhookCollector.Got got) {
    JsonNode ended = got.body().path("timestamp");
    return Duration.between(Instant.parse(ended.asText()), got.at()).toNanos() / 1e6;
  }
}
