package dev.runyard.bench.model;

import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.section.Section;
import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.agent.ModelRoute;
import dev.runyard.core.agent.Prices;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.usage.Usage;
import dev.runyard.local.model.ScriptedModelServer;
import dev.runyard.runner.gateway.AttemptEndpoint;
import dev.runyard.runner.gateway.ModelGateway;
import dev.runyard.runner.gateway.ModelGrant;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Calls of the scripted model through the model gateway, alternating with the same calls without
/// it: to the first byte of a streamed answer, and to its end. The prompt is as large as that of a
/// coding agent.
public final class ModelSection implements Section {
  private static final int WARM_UP = 500;
  private static final int CALLS = 500;
  private static final int PROMPT_CHARS = 60_000;
  private static final String BODY =
      "{\"model\":\"m\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"%s %s\"}]}"
          .formatted("a".repeat(PROMPT_CHARS), "[[slow 20 0]] [[usage 10 20]]");

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Override
  public List<Figure> measure() throws Exception {
    try (ScriptedModelServer model = ScriptedModelServer.start(0, _ -> {});
        AttemptEndpoint endpoint =
            new ModelGateway(InstantSource.system(), new RandomIds(new SecureRandom()))
                .open(
                    new ModelGrant(
                        new ModelRoute(ModelApi.CHAT_COMPLETIONS, model.baseUrl().toString()),
                        Optional.of("key"),
                        Set.of(),
                        Prices.NONE,
                        RunBounds.NONE,
                        Usage.NONE))) {
      List<Took> bare = new ArrayList<>();
      List<Took> through = new ArrayList<>();
      for (int i = 0; i < WARM_UP + CALLS; i++) {
        bare.add(call(model.baseUrl().toString()));
        through.add(call(endpoint.address()));
        endpoint.take(Integer.MAX_VALUE);
      }
      return figures(bare.subList(WARM_UP, bare.size()), through.subList(WARM_UP, through.size()));
    }
  }

  private record Took(double firstByteMillis, double millis) {}

  private Took call(String endpoint) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(endpoint + "/chat/completions"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(BODY))
            .build();
    long begin = System.nanoTime();
    HttpResponse<InputStream> answer =
        client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = answer.body()) {
      int first = body.read();
      double firstByte = (System.nanoTime() - begin) / 1e6;
      body.readAllBytes();
      if (first < 0 || answer.statusCode() != 200) {
        throw new IllegalStateException("the model answered with " + answer.statusCode());
      }
      return new Took(firstByte, (System.nanoTime() - begin) / 1e6);
    }
  }

  private static List<Figure> figures(List<Took> bare, List<Took> through) {
    List<Figure> figures = new ArrayList<>();
    Samples bareFirst = Samples.of(bare.stream().map(Took::firstByteMillis).toList());
    Samples first = Samples.of(through.stream().map(Took::firstByteMillis).toList());
    Samples bareAll = Samples.of(bare.stream().map(Took::millis).toList());
    Samples all = Samples.of(through.stream().map(Took::millis).toList());
    figures.addAll(Figure.ofMillis("model", "first byte, without the gateway", bareFirst, ""));
    figures.addAll(Figure.ofMillis("model", "first byte, through the gateway", first, ""));
    figures.addAll(Figure.ofMillis("model", "whole answer, without the gateway", bareAll, ""));
    figures.addAll(Figure.ofMillis("model", "whole answer, through the gateway", all, ""));
    figures.add(
        new Figure(
            "model",
            "first byte, later through the gateway by, median",
            first.median() - bareFirst.median(),
            "ms",
            "goal 5"));
    return figures;
  }
}
