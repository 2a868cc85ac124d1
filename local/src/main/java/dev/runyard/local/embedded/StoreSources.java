package dev.runyard.local.embedded;

import dev.runyard.embedded.ChangeDelivery;
import dev.runyard.embedded.EmbeddedStore;
import dev.runyard.local.FunctionSet;
import dev.runyard.local.Shutdown;
import dev.runyard.local.events.Schedules;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.EventSource;
import dev.runyard.local.template.EventSource.ApiRoute;
import dev.runyard.local.template.EventSource.QueueMessages;
import dev.runyard.local.template.EventSource.Schedule;
import dev.runyard.local.template.EventSource.TableStream;
import dev.runyard.local.template.FunctionDeclaration;
import dev.runyard.local.template.TemplateException;
import java.time.Duration;
import java.time.InstantSource;

/// Calls the functions for what happens in the store, and for their schedules. The template's
/// stream of the events table is the store's change feed.
record StoreSources(
    Blueprint blueprint, FunctionSet functions, EmbeddedStore store, InstantSource clock) {
  private static final String DELIVERIES = "WebhookQueue";

  private static final String READ_MODELS = "ProjectFunction";

  /// How long a change waits for others where the function keeps read models: these may lag, and
  /// five changes of a short run then cost it one.
  private static final Duration GATHER = Duration.ofMillis(50);

  /// Starts them. A schedule also fires at once, because an earlier stack may have left work, and
  /// because it starts the runners that always stay.
  void start(Shutdown shutdown) {
    Schedules schedules = shutdown.add(new Schedules(clock));
    for (FunctionDeclaration declaration : blueprint.functions()) {
      for (EventSource event : declaration.events()) {
        switch (event) {
          case ApiRoute route -> {}
          case TableStream stream -> shutdown.add(delivery(declaration, stream)).start();
          case QueueMessages queue -> shutdown.add(messages(declaration, queue));
          case Schedule schedule -> schedules.add(functions.function(declaration), schedule);
        }
      }
    }
  }

  /// The store has one queue from which a function is called.
  private QueueCalls messages(FunctionDeclaration declaration, QueueMessages queue) {
    if (!queue.queue().equals(DELIVERIES)) {
      throw new TemplateException(
          declaration.logicalId()
              + " reads "
              + queue.queue()
              + ", which this stack does not bring");
    }
    return new QueueCalls(
        store.deliveryMessages(), functions.function(declaration), queue.partialResponses());
  }

  /// The position is kept under the function's logical id.
  private ChangeDelivery delivery(FunctionDeclaration declaration, TableStream stream) {
    return new ChangeDelivery(
        store.changes(),
        declaration.logicalId(),
        ChangeFilters.of(stream),
        new ChangeEvents(functions.function(declaration)),
        declaration.logicalId().equals(READ_MODELS) ? GATHER : Duration.ZERO);
  }
}
