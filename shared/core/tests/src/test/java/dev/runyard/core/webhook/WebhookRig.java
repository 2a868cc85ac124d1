package dev.runyard.core.webhook;

import dev.runyard.core.advance.Lanes;
import dev.runyard.core.application.Ports;
import dev.runyard.core.application.UseCases;
import dev.runyard.core.event.ActionRequired;
import dev.runyard.core.event.ActionType;
import dev.runyard.core.event.RunEvent;
import dev.runyard.core.fleet.FleetSize;
import dev.runyard.core.ids.ActionId;
import dev.runyard.core.ids.RandomIds;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.memory.MemoryEventLog;
import dev.runyard.core.memory.MemoryPorts;
import dev.runyard.core.memory.SettableClock;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.RunWebhook;
import dev.runyard.core.request.SampleRequests;
import dev.runyard.core.run.RunCommand;
import dev.runyard.core.submit.SubmitRun;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Runs that end, webhooks that are told of it, and a receiver that answers as a test says.
final class WebhookRig {
  static final String TENANT = "acme";
  static final String URL = "https://hooks.example.com/runs";
  static final WebhookSecret SECRET =
      WebhookSecret.of("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
  static final WebhookSender.Answer OK = status(200);
  static final WebhookSender.Answer ERROR = status(500);

  final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  final MemoryPorts memory = new MemoryPorts(new MemoryEventLog(), clock);
  final List<WebhookSender.Outgoing> received = new ArrayList<>();
  final Deque<WebhookSender.Answer> answers = new ArrayDeque<>();
  WebhookSender.Answer usual = OK;
  final UseCases cases;
  final DeliverWebhook deliver;
  final ManageWebhooks manage;

  WebhookRig() {
    this(ports -> ports);
  }

  /// @param faults around the ports of everything but what a test itself asks for
  WebhookRig(UnaryOperator<Ports> faults) {
    RandomIds ids = new RandomIds(new Random(5));
    cases = new UseCases(faults.apply(memory), clock, ids, "test");
    deliver = cases.deliverWebhook(this::answer);
    manage =
        new UseCases(memory, clock, ids, "test")
            .manageWebhooks(
                () ->
                    WebhookSecret.of(
                        (ids.token() + ids.token())
                            .substring(0, 32)
                            .getBytes(StandardCharsets.US_ASCII)));
  }

  static WebhookSender.Answer status(int code) {
    return new WebhookSender.Answer.Status(code, Optional.empty());
  }

  private WebhookSender.Answer answer(WebhookSender.Outgoing request) {
    received.add(request);
    WebhookSender.Answer next = answers.poll();
    return next == null ? usual : next;
  }

  Webhook created(String... events) {
    return done(
        manage.create(
            TENANT,
            new WebhookOrder(
                Optional.of(URL),
                Optional.of(List.of(events)),
                Optional.empty(),
                Optional.empty())));
  }

  static Webhook done(ManageWebhooks.Answer answer) {
    return ((ManageWebhooks.Answer.Done) answer).webhook();
  }

  Webhook webhook(Webhook webhook) {
    return manage.find(TENANT, webhook.id()).orElseThrow();
  }

  RunKey submitted(@Nullable RunWebhook own) {
    RunRequest request = SampleRequests.echo("").telling(own);
    SubmitRun.Result result =
        cases.submitRun().submit(new SubmitRun.By(TENANT, "somebody"), request, Optional.empty());
    return ((SubmitRun.Result.Accepted) result).run().facts().run();
  }

  RunKey running(@Nullable RunWebhook own) {
    RunKey run = submitted(own);
    cases
        .runs()
        .execute(run, new RunCommand.Claim("attempt-1", "runner", "ticket", clock.instant()));
    report(run, new RunEvent.ProcessStarted("process-1", "echo"));
    return run;
  }

  /// A run that was completed, of which nobody was told yet.
  RunKey completed() {
    return completed(null);
  }

  RunKey completed(@Nullable RunWebhook own) {
    RunKey run = running(own);
    report(
        run,
        new RunEvent.ProcessCompleted("process-1", 0, null, 5),
        new RunEvent.AttemptCompleted(1, "attempt-1"));
    cases.advanceRun().advance(run);
    return run;
  }

  /// A run whose agent asks for something.
  RunKey asking() {
    RunKey run = running(null);
    report(
        run,
        new ActionRequired(
            ActionId.of(run, 1),
            ActionType.QUESTION,
            "a secret question",
            null,
            List.of(),
            1800,
            clock.instant().plusSeconds(1800),
            null));
    return run;
  }

  void report(RunKey run, RunEvent... events) {
    cases.runs().execute(run, new RunCommand.Report("attempt-1", List.of(events)));
  }

  void project(RunKey run) {
    cases.projectRun().project(run);
  }

  /// Handles what the queue has now, and says what came of each.
  List<DeliverWebhook.Outcome> drain() {
    List<DeliverWebhook.Outcome> outcomes = new ArrayList<>();
    for (Optional<DeliveryKey> next = memory.webhooks().take();
        next.isPresent();
        next = memory.webhooks().take()) {
      outcomes.add(deliver.deliver(next.get()));
    }
    return outcomes;
  }

  void sweep() {
    cases
        .sweepRuns(cases.scaleRunners(new FleetSize(0, 1, 1), _ -> {}), Lanes.one())
        .sweep(clock.instant().plusSeconds(55));
  }

  /// Lets time pass as a deployed stack does: `sweep` each minute, and what the queue has.
  void pass(Duration duration) {
    Instant end = clock.instant().plus(duration);
    while (clock.instant().isBefore(end)) {
      clock.advance(Duration.ofSeconds(20));
      drain();
      if (clock.instant().getEpochSecond() % 60 == 0) {
        sweep();
      }
    }
  }

  List<Delivery> log(Webhook webhook) {
    return memory.webhooks().deliveries().list(TENANT, webhook.id(), 100, Optional.empty());
  }

  static String id(WebhookSender.Outgoing request) {
    return Objects.requireNonNull(request.headers().get("webhook-id"));
  }
}
