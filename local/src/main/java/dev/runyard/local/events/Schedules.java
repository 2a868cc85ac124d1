package dev.runyard.local.events;

import com.amazonaws.services.lambda.runtime.events.ScheduledEvent;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.function.Invocation;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.local.template.EventSource.Schedule;
import dev.runyard.local.template.PseudoParameters;
import dev.runyard.local.threads.StackThreads;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.joda.time.DateTime;
import org.joda.time.DateTimeZone;

/// Fires the functions' schedules. A function that is still running when its next time comes is
/// called again only after it has returned.
public final class Schedules implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Schedules.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ScheduledExecutorService timer = StackThreads.timer("schedule");
  private final InstantSource clock;

  public Schedules(InstantSource clock) {
    this.clock = clock;
  }

  /// Starts a schedule, which also fires at once.
  public void add(LambdaFunction function, Schedule schedule) {
    ScheduleExpression expression = ScheduleExpression.of(schedule.expression());
    var _ = timer.schedule(() -> fire(function, schedule), 0, TimeUnit.MILLISECONDS);
    plan(function, schedule, expression, clock.instant());
  }

  private void plan(
      LambdaFunction function, Schedule schedule, ScheduleExpression expression, Instant last) {
    Instant next = expression.next(last);
    long wait = Math.max(0, Duration.between(clock.instant(), next).toMillis());
    var _ =
        timer.schedule(
            () -> {
              fire(function, schedule);
              Instant now = clock.instant();
              Instant from = expression.next(next).isBefore(now) ? now : next;
              plan(function, schedule, expression, from);
            },
            wait,
            TimeUnit.MILLISECONDS);
  }

  private void fire(LambdaFunction function, Schedule schedule) {
    ScheduledEvent event =
        schedule.input().map(Schedules::given).orElseGet(() -> usual(schedule.name()));
    if (function.invoke(event) instanceof Invocation.Failed) {
      LOG.log(Level.WARNING, "{0} failed and is called again at its next time", schedule.name());
    }
  }

  private ScheduledEvent usual(String name) {
    ScheduledEvent event = new ScheduledEvent();
    event.setId(UUID.randomUUID().toString());
    event.setSource("aws.events");
    event.setDetailType("Scheduled Event");
    event.setAccount(PseudoParameters.ACCOUNT);
    event.setRegion(PseudoParameters.REGION);
    event.setTime(new DateTime(clock.millis(), DateTimeZone.UTC));
    event.setResources(
        List.of(
            "arn:aws:events:%s:%s:rule/%s"
                .formatted(PseudoParameters.REGION, PseudoParameters.ACCOUNT, name)));
    event.setDetail(Map.of());
    return event;
  }

  private static ScheduledEvent given(JsonNode input) {
    ScheduledEvent event = new ScheduledEvent();
    event.setId(input.path("id").asText());
    event.setSource(input.path("source").asText());
    event.setDetailType(input.path("detail-type").asText());
    event.setDetail(
        JSON.convertValue(input.path("detail"), new TypeReference<Map<String, Object>>() {}));
    return event;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
