package dev.runyard.bench.session;

import dev.runyard.aws.AwsPorts;
import dev.runyard.aws.Settings;
import dev.runyard.bench.cost.CountedReads;
import dev.runyard.bench.figure.Figure;
import dev.runyard.bench.figure.Samples;
import dev.runyard.bench.section.Section;
import dev.runyard.bench.stack.AccessTokens;
import dev.runyard.bench.stack.IdleStore;
import dev.runyard.bench.stack.Project;
import dev.runyard.bench.stack.StackLaunch;
import dev.runyard.bench.stack.UpProcess;
import dev.runyard.cli.demo.Folders;
import dev.runyard.core.access.Identity;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.projection.RunPage;
import dev.runyard.core.runtime.RuntimeCommand.Window;
import dev.runyard.core.session.ReadThread;
import dev.runyard.local.DataFolder;
import dev.runyard.local.LocalOptions;
import dev.runyard.local.LocalParameters;
import dev.runyard.local.emulator.EmbeddedTables;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.TableDeclaration;
import dev.runyard.local.template.Template;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/// What it takes to show a session of many turns behind many other runs of its tenant: how long on
/// the store of one machine, and how many read units of DynamoDB, counted at the SDK.
public final class SessionSection implements Section {
  private static final String PART = "session";
  private static final int READS = 300;
  private static final int WARM_UP = 100;
  private static final int OK = 200;
  private static final Duration AGE = Duration.ofDays(3);

  private final StackLaunch launch;
  private final int turns;
  private final int runs;

  /// @param turns of the session
  /// @param runs that came after them
  public SessionSection(StackLaunch launch, int turns, int runs) {
    this.launch = launch;
    this.turns = turns;
    this.runs = runs;
  }

  @Override
  public List<Figure> measure() throws Exception {
    Path folder = Project.folder();
    try {
      List<Figure> figures = new ArrayList<>(times(folder.resolve("data")));
      figures.addAll(units(folder));
      return figures;
    } finally {
      Folders.delete(folder);
    }
  }

  private String note() {
    return "%,d turns behind %,d runs".formatted(turns, runs);
  }

  private List<Figure> times(Path data) throws Exception {
    launch.startOn(data).close();
    IdleStore.with(
        DataFolder.store(data),
        ports -> LongSession.fill(ports, turns, runs, Instant.now().minus(AGE)));
    try (UpProcess stack = launch.startOn(data);
        HttpClient client = HttpClient.newHttpClient()) {
      List<Figure> figures = new ArrayList<>();
      for (int limit : List.of(Window.LIMIT_DEFAULT, Window.LIMIT_MAX)) {
        for (int i = 0; i < WARM_UP; i++) {
          var _ = read(client, stack.uri(), limit);
        }
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < READS; i++) {
          long begin = System.nanoTime();
          var _ = read(client, stack.uri(), limit);
          millis.add((System.nanoTime() - begin) / 1e6);
        }
        figures.addAll(
            Figure.ofMillis(
                PART, "the session with %d turns".formatted(limit), Samples.of(millis), note()));
      }
      return figures;
    }
  }

  private static String read(HttpClient client, URI stack, int limit) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            stack.resolve("/v1/sessions/%s?limit=%d".formatted(LongSession.SESSION, limit)));
    AccessTokens.of(stack).ifPresent(token -> request.header("Authorization", "Bearer " + token));
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != OK) {
      throw new IllegalStateException("no session: " + answer.body());
    }
    return answer.body();
  }

  private List<Figure> units(Path folder) {
    Blueprint blueprint =
        new Blueprint(
            Template.read(
                Project.template(),
                LocalParameters.of(LocalOptions.of(Project.template(), folder), Map.of())));
    try (EmbeddedTables tables = new EmbeddedTables(Optional.empty(), AccessCheck.NONE)) {
      blueprint.tables().forEach(tables::create);
      Map<String, String> names =
          blueprint.tables().stream()
              .collect(Collectors.toMap(TableDeclaration::logicalId, TableDeclaration::name));
      Settings settings = settings(tables.endpoint(), names);
      LongSession.fill(new CountedReads().ports(settings), turns, runs, Instant.now().minus(AGE));
      List<Figure> figures = new ArrayList<>();
      for (int limit : List.of(Window.LIMIT_DEFAULT, Window.LIMIT_MAX)) {
        figures.add(
            new Figure(
                PART,
                "the session with %d turns, read units".formatted(limit),
                units(settings, limit),
                "RRU",
                note()));
      }
      return figures;
    }
  }

  /// By what the function does that shows a session, in a process that has seen nothing of it.
  private double units(Settings settings, int limit) {
    CountedReads counted = new CountedReads();
    AwsPorts ports = counted.ports(settings);
    ReadThread read =
        new UseCases(ports, InstantSource.system(), new RandomIds(new Random(5)), "bench")
            .threadCases(
                () -> {
                  throw new IllegalStateException("a session is shown without the bucket");
                })
            .read();
    RunPage page = read.page(Identity.TENANT_DEFAULT, LongSession.SESSION, limit, Optional.empty());
    List<ReadThread.Now> threads =
        read.threads(Identity.TENANT_DEFAULT, LongSession.SESSION, page.runs());
    if (page.runs().size() != Math.min(limit, turns) || threads.size() != 1) {
      throw new IllegalStateException("not the session: " + threads);
    }
    return counted.units();
  }

  private static Settings settings(URI tables, Map<String, String> names) {
    return new Settings(
        Map.ofEntries(
            Map.entry("AWS_REGION", "us-east-1"),
            Map.entry("AWS_ACCESS_KEY_ID", "local"),
            Map.entry("AWS_SECRET_ACCESS_KEY", "local"),
            Map.entry("AWS_ENDPOINT_URL_DYNAMODB", tables.toString()),
            Map.entry("AWS_ENDPOINT_URL_SQS", tables.toString()),
            Map.entry(Settings.EVENTS_TABLE, names.getOrDefault("EventsTable", "")),
            Map.entry(Settings.VIEWS_TABLE, names.getOrDefault("ViewsTable", "")),
            Map.entry(Settings.RUN_QUEUE_URL, tables.resolve("/queue").toString()),
            Map.entry(Settings.RETENTION_DAYS, "30")));
  }
}
