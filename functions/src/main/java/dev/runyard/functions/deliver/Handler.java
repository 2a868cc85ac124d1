package dev.runyard.functions.deliver;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.SQSEvent.SQSMessage;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.webhook.DeliverWebhook;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.functions.JsonLog;
import dev.runyard.functions.Threads;
import dev.runyard.functions.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Sends the deliveries of a batch, all at once, so that one slow receiver delays no other. A
/// message whose delivery could not be read or written comes back. That the bus was given up on an
/// event is an error: nobody else is told.
public final class Handler implements RequestHandler<SQSEvent, SQSBatchResponse> {
  private final DeliverWebhook deliver;
  private final Lanes lanes;
  private final JsonLog log;

  public Handler() {
    this(System.getenv());
  }

  public Handler(Map<String, String> env) {
    this(new Wiring("deliver", env));
  }

  /// The function on the given ports.
  public Handler(Wiring wiring) {
    this(
        wiring.deliverWebhook(HttpsSender.of(wiring.webhookPlaces(), wiring.clock())),
        Threads.waiting(),
        new JsonLog("deliver"));
  }

  /// The function with the given parts.
  public Handler(DeliverWebhook deliver, Lanes lanes, JsonLog log) {
    this.deliver = deliver;
    this.lanes = lanes;
    this.log = log;
  }

  @Override
  public SQSBatchResponse handleRequest(SQSEvent event, @Nullable Context context) {
    List<SQSMessage> messages = event.getRecords() == null ? List.of() : event.getRecords();
    Queue<BatchItemFailure> failures = new ConcurrentLinkedQueue<>();
    List<Runnable> work = new ArrayList<>();
    for (SQSMessage message : messages) {
      work.add(
          () -> {
            if (!handled(message.getBody())) {
              failures.add(new BatchItemFailure(message.getMessageId()));
            }
          });
    }
    lanes.run(work);
    return new SQSBatchResponse(List.copyOf(failures));
  }

  private boolean handled(String text) {
    DeliveryKey key;
    try {
      key = DeliveryKey.ofText(text);
    } catch (IllegalArgumentException e) {
      log.failure("not_a_delivery", e, _ -> {});
      return true;
    }
    try {
      DeliverWebhook.Outcome outcome = deliver.deliver(key);
      if (outcome == DeliverWebhook.Outcome.FAILED && key.webhookId().equals(EventBus.ID)) {
        log.error("bus_refused", line -> line.put("delivery_id", key.id()));
      } else if (outcome != DeliverWebhook.Outcome.NOTHING) {
        log.info(
            "delivery_" + outcome.wire(),
            line -> line.put("delivery_id", key.id()).put("webhook_id", key.webhookId()));
      }
      return true;
    } catch (RuntimeException e) {
      log.failure("delivery_broke", e, line -> line.put("delivery_id", key.id()));
      return false;
    }
  }
}
