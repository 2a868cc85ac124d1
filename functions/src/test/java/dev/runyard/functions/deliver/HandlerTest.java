package dev.runyard.functions.deliver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse.BatchItemFailure;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import dev.runyard.core.access.Identity;
import dev.runyard.core.advance.Lanes;
import dev.runyard.core.problem.PortUnavailable;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.core.webhook.ManageWebhooks;
import dev.runyard.core.webhook.WebhookOrder;
import dev.runyard.core.webhook.WebhookSender;
import dev.runyard.functions.Threads;
import dev.runyard.functions.Twins;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class HandlerTest {
  private final Twins twins = new Twins();
  private final ManageWebhooks manage = twins.webhooks();

  @Test
  void deliversWhatItCanAndReportsTheRest() {
    String good = pinged();
    String bad = pinged();
    WebhookSender sender =
        request -> {
          if (request.headers().containsValue(DeliveryKey.ofText(bad).id())) {
            throw new PortUnavailable("down");
          }
          return new WebhookSender.Answer.Status(204, Optional.empty());
        };
    Handler handler = new Handler(twins.deliver(sender), Lanes.one(), twins.jsonLog());

    SQSBatchResponse response = handler.handleRequest(event(good, "{\"not\":\"ours\"}", bad), null);

    assertEquals(
        List.of("message-2"),
        response.getBatchItemFailures().stream().map(BatchItemFailure::getItemIdentifier).toList());
    assertTrue(twins.logged().contains("delivery_delivered"));
    assertTrue(twins.logged().contains("not_a_delivery"));
    assertFalse(twins.logged().contains("hooks.example.com"));
  }

  @Test
  void sendsTheDeliveriesOfABatchAtOnce() {
    CountDownLatch all = new CountDownLatch(3);
    WebhookSender together =
        _ -> {
          all.countDown();
          try {
            all.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return new WebhookSender.Answer.Status(200, Optional.empty());
        };
    Handler handler = new Handler(twins.deliver(together), Threads.waiting(), twins.jsonLog());

    SQSBatchResponse response = handler.handleRequest(event(pinged(), pinged(), pinged()), null);

    assertEquals(List.of(), response.getBatchItemFailures());
  }

  @Test
  void takesAnEventWithoutMessages() {
    Handler handler =
        new Handler(
            twins.deliver(_ -> new WebhookSender.Answer.None(WebhookSender.Trouble.TIMED_OUT)),
            Lanes.one(),
            twins.jsonLog());
    assertEquals(List.of(), handler.handleRequest(new SQSEvent(), null).getBatchItemFailures());
  }

  private String pinged() {
    ManageWebhooks.Answer made =
        manage.create(
            Identity.TENANT_DEFAULT,
            new WebhookOrder(
                Optional.of("https://hooks.example.com/"),
                Optional.of(List.of("run.completed")),
                Optional.empty(),
                Optional.empty()));
    String id = ((ManageWebhooks.Answer.Done) made).webhook().id();
    return ((ManageWebhooks.Sent.Done) manage.ping(Identity.TENANT_DEFAULT, id))
        .delivery()
        .key()
        .text();
  }

  private static SQSEvent event(String... bodies) {
    List<SQSEvent.SQSMessage> records = new ArrayList<>();
    for (String body : bodies) {
      SQSEvent.SQSMessage record = new SQSEvent.SQSMessage();
      record.setMessageId("message-" + records.size());
      record.setBody(body);
      records.add(record);
    }
    SQSEvent event = new SQSEvent();
    event.setRecords(records);
    return event;
  }
}
