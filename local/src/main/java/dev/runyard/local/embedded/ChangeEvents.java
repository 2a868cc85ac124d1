package dev.runyard.local.embedded;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import dev.runyard.embedded.ChangeConsumer;
import dev.runyard.embedded.StreamChange;
import dev.runyard.local.function.Invocation;
import dev.runyard.local.function.LambdaFunction;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// Gives changes of the store to a function, as the stream of the events table would: a record an
/// append, with its position as the sequence number and without the events.
record ChangeEvents(LambdaFunction function) implements ChangeConsumer {
  @Override
  public OptionalLong handle(List<StreamChange> changes) {
    return switch (function.invoke(event(changes))) {
      case Invocation.Returned(StreamsEventResponse response) -> firstFailed(response);
      case Invocation.Returned(_) -> OptionalLong.empty();
      case Invocation.Failed(Throwable cause) ->
          throw new IllegalStateException(function.name() + " failed", cause);
    };
  }

  private static OptionalLong firstFailed(StreamsEventResponse response) {
    return response.getBatchItemFailures() == null
        ? OptionalLong.empty()
        : response.getBatchItemFailures().stream()
            .mapToLong(failure -> Long.parseLong(failure.getItemIdentifier()))
            .min();
  }

  static DynamodbEvent event(List<StreamChange> changes) {
    DynamodbEvent event = new DynamodbEvent();
    event.setRecords(changes.stream().map(ChangeEvents::stored).toList());
    return event;
  }

  private static DynamodbStreamRecord stored(StreamChange change) {
    Map<String, AttributeValue> keys =
        Map.of(
            "pk",
            new AttributeValue(change.partition()),
            "sk",
            new AttributeValue().withN(Long.toString(change.first())));
    Map<String, AttributeValue> image = new HashMap<>(keys);
    change.state().ifPresent(state -> image.put("state", new AttributeValue(state)));
    if (change.closed()) {
      image.put("closed", new AttributeValue().withBOOL(true));
    }
    StreamRecord stream = new StreamRecord();
    stream.setSequenceNumber(Long.toString(change.position()));
    stream.setApproximateCreationDateTime(Date.from(change.at()));
    stream.setKeys(keys);
    stream.setNewImage(image);
    DynamodbStreamRecord stored = new DynamodbStreamRecord();
    stored.setEventID(Long.toString(change.position()));
    stored.setEventName("INSERT");
    stored.setEventSource("aws:dynamodb");
    stored.setDynamodb(stream);
    return stored;
  }
}
