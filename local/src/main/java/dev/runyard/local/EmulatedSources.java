package dev.runyard.local;

import dev.runyard.local.events.Checkpoints;
import dev.runyard.local.events.FailureDestination;
import dev.runyard.local.events.QueueReader;
import dev.runyard.local.events.Schedules;
import dev.runyard.local.events.StreamMapping;
import dev.runyard.local.events.StreamReader;
import dev.runyard.local.function.LambdaFunction;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.EventSource;
import dev.runyard.local.template.EventSource.ApiRoute;
import dev.runyard.local.template.EventSource.QueueMessages;
import dev.runyard.local.template.EventSource.Schedule;
import dev.runyard.local.template.EventSource.TableStream;
import dev.runyard.local.template.FunctionDeclaration;
import dev.runyard.local.template.TableDeclaration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Calls the functions for what happens in the emulators: the streams of the tables, the messages
/// of the queues, and the schedules.
record EmulatedSources(
    Blueprint blueprint,
    FunctionSet functions,
    Emulators emulators,
    Checkpoints checkpoints,
    InstantSource clock) {

  /// Starts streams, queues and schedules. A schedule also fires at once, because an earlier stack
  /// may have left work, and because it starts the runners that always stay.
  void start(Shutdown shutdown) {
    Schedules schedules = shutdown.add(new Schedules(clock));
    Map<String, List<StreamMapping>> streams = new LinkedHashMap<>();
    for (FunctionDeclaration declaration : blueprint.functions()) {
      for (EventSource event : declaration.events()) {
        switch (event) {
          case ApiRoute route -> {}
          case TableStream stream ->
              streams
                  .computeIfAbsent(stream.table(), table -> new ArrayList<>())
                  .add(
                      new StreamMapping(
                          functions.function(declaration), stream, failureDestination(stream)));
          case QueueMessages queue -> shutdown.add(reader(functions.function(declaration), queue));
          case Schedule schedule -> schedules.add(functions.function(declaration), schedule);
        }
      }
    }
    Map<String, String> names = new HashMap<>();
    for (TableDeclaration table : blueprint.tables()) {
      names.put(table.logicalId(), table.name());
    }
    streams.forEach(
        (table, mappings) ->
            shutdown.add(
                new StreamReader(
                    emulators.tables().streams(),
                    Objects.requireNonNull(names.get(table)),
                    mappings,
                    checkpoints,
                    clock)));
  }

  private FailureDestination failureDestination(TableStream stream) {
    if (stream.onFailure().isEmpty()) {
      return FailureDestination.none();
    }
    String url = queueUrl(stream.onFailure().get());
    var sqs = emulators.queues().client();
    return note -> sqs.sendMessage(request -> request.queueUrl(url).messageBody(note.toString()));
  }

  private QueueReader reader(LambdaFunction function, QueueMessages queue) {
    String url = queueUrl(queue.queue());
    String name = url.substring(url.lastIndexOf('/') + 1);
    return new QueueReader(
        emulators.queues().client(), url, QueueReader.arn(name), function, queue);
  }

  private String queueUrl(String logicalId) {
    return Objects.requireNonNull(emulators.queueUrls().get(logicalId));
  }
}
