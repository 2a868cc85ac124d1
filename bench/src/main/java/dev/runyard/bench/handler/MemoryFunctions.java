package dev.runyard.bench.handler;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import dev.runyard.core.access.Authentication;
import dev.runyard.core.access.Identity;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.ids.Ids;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.log.RunLog;
import dev.runyard.core.memory.MemoryArtifactStore;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.submit.RunRequestReader;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.RunBatch;
import dev.runyard.functions.api.AcpApi;
import dev.runyard.functions.api.ActionsApi;
import dev.runyard.functions.api.AgentsApi;
import dev.runyard.functions.api.Handler;
import dev.runyard.functions.api.MessagesApi;
import dev.runyard.functions.api.OutputsApi;
import dev.runyard.functions.api.RunsApi;
import dev.runyard.functions.http.Origins;
import dev.runyard.functions.proxy.Dispatcher;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/// The functions over ports in memory, which answer in microseconds: what is left of a call's time
/// is the function's own work.
public final class MemoryFunctions {
  private static final String ATTEMPT = "attempt-1";
  private static final int RUNNERS_MAX = 10;
  private static final int RUNS_PER_RUNNER = 4;

  private final InstantSource clock = InstantSource.system();
  private final Ids ids = new RandomIds(new Random(7));
  private final Ports ports = new MemoryPorts(new MemoryEventLog(), clock);
  private final UseCases useCases = new UseCases(ports, clock, ids, "bench");
  private final RunLog runs = useCases.runs();
  private final JsonLog log =
      new JsonLog(
          "bench", new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));

  public Handler api() {
    AgentCatalog catalog = AgentCatalog.builtIn();
    return new Handler(
        new Dispatcher(
            List.of(
                new RunsApi(
                    new RunRequestReader(catalog),
                    useCases.submitRun(),
                    useCases.cancelRun(),
                    runs,
                    ports.models()),
                new MessagesApi(useCases.sendMessage(catalog)),
                new ActionsApi(useCases.resolveAction(), runs),
                new OutputsApi(MemoryArtifactStore::new),
                new AgentsApi(catalog),
                new AcpApi(
                    catalog,
                    ports.events(),
                    useCases.readRun(),
                    useCases.cancelRun(),
                    useCases.sessionHistory())),
            Authentication.everybody(new Identity.Operator()),
            Origins.NONE,
            ids,
            log));
  }

  public dev.runyard.functions.project.Handler project() {
    return new dev.runyard.functions.project.Handler(useCases.projectRun(), batch(), log);
  }

  public dev.runyard.functions.advance.Handler advance() {
    return new dev.runyard.functions.advance.Handler(
        useCases.advanceRun(),
        useCases.scaleRunners(new FleetSize(0, RUNNERS_MAX, RUNS_PER_RUNNER), _ -> {}),
        batch(),
        clock,
        log);
  }

  private RunBatch batch() {
    return new RunBatch(log, ports.streamFailures(), clock);
  }

  /// A run whose only attempt has succeeded after `deltas` text events, so that it can be
  /// completed.
  public RunKey attempted(int deltas) {
    RunKey run = new RunKey(Identity.TENANT_DEFAULT, ids.runId(clock.instant()));
    RunRequest request =
        new RunRequest(
            AgentCatalog.ECHO.name(),
            "hi",
            "session",
            Map.of(),
            List.of(),
            null,
            60,
            Map.of(),
            Map.of(),
            RetryPolicy.NEVER);
    execute(run, new RunCommand.Submit(request));
    execute(run, new RunCommand.Claim(ATTEMPT, "runner", "message", clock.instant()));
    report(run, List.of(new RunEvent.TurnStarted(1), new RunEvent.ProcessStarted("p", "echo")));
    report(run, Collections.nCopies(deltas, new RunEvent.ModelDelta("A few words of text.")));
    report(
        run,
        List.of(
            new RunEvent.ProcessCompleted("p", 0, null, 5),
            new RunEvent.AttemptCompleted(1, ATTEMPT)));
    return run;
  }

  private void report(RunKey run, List<RunEvent> done) {
    execute(run, new RunCommand.Report(ATTEMPT, done));
  }

  private void execute(RunKey run, RunCommand command) {
    if (!(runs.execute(run, command) instanceof RunLog.Outcome.Done)) {
      throw new IllegalStateException("refused: " + command);
    }
  }

  /// The stream's record of a change of the run.
  public static DynamodbEvent changeOf(RunKey run) {
    StreamRecord change = new StreamRecord();
    change.setKeys(
        Map.of("pk", new AttributeValue(run.partition()), "sk", new AttributeValue().withN("1")));
    change.setSequenceNumber("1");
    DynamodbStreamRecord stored = new DynamodbStreamRecord();
    stored.setEventID("event-1");
    stored.setDynamodb(change);
    DynamodbEvent event = new DynamodbEvent();
    event.setRecords(List.of(stored));
    return event;
  }
}
