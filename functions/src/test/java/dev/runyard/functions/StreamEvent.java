package dev.runyard.functions;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The event a stream function receives: record n has the sequence number n and the event id
/// `event-n`.
public final class StreamEvent {
  private StreamEvent() {}

  public static DynamodbEvent of(String... partitions) {
    List<DynamodbStreamRecord> records = new ArrayList<>();
    for (String partition : partitions) {
      String number = String.valueOf(records.size() + 1);
      StreamRecord change = new StreamRecord();
      change.setKeys(
          Map.of("pk", new AttributeValue(partition), "sk", new AttributeValue().withN("1")));
      change.setSequenceNumber(number);
      DynamodbStreamRecord stored = new DynamodbStreamRecord();
      stored.setEventID("event-" + number);
      stored.setDynamodb(change);
      records.add(stored);
    }
    DynamodbEvent event = new DynamodbEvent();
    event.setRecords(records);
    return event;
  }
}
