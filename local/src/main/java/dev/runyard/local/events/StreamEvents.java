package dev.runyard.local.events;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamViewType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.Record;

/// Turns stream records into the event a Lambda function receives.
final class StreamEvents {
  private StreamEvents() {}

  static DynamodbEvent event(List<StreamEntry> entries, String streamArn) {
    List<DynamodbStreamRecord> records = new ArrayList<>(entries.size());
    entries.forEach(entry -> records.add(convert(entry.record(), streamArn)));
    DynamodbEvent event = new DynamodbEvent();
    event.setRecords(records);
    return event;
  }

  private static DynamodbStreamRecord convert(Record from, String streamArn) {
    var change = from.dynamodb();
    StreamRecord stream = new StreamRecord();
    stream.setSequenceNumber(change.sequenceNumber());
    if (change.streamViewTypeAsString() != null) {
      stream.setStreamViewType(StreamViewType.fromValue(change.streamViewTypeAsString()));
    }
    stream.setSizeBytes(change.sizeBytes());
    if (change.approximateCreationDateTime() != null) {
      stream.setApproximateCreationDateTime(Date.from(change.approximateCreationDateTime()));
    }
    if (change.hasKeys()) {
      stream.setKeys(image(change.keys()));
    }
    if (change.hasNewImage()) {
      stream.setNewImage(image(change.newImage()));
    }
    if (change.hasOldImage()) {
      stream.setOldImage(image(change.oldImage()));
    }
    DynamodbStreamRecord to = new DynamodbStreamRecord();
    to.setEventID(from.eventID());
    to.setEventName(from.eventNameAsString());
    to.setEventVersion(from.eventVersion());
    to.setEventSource("aws:dynamodb");
    to.setAwsRegion(from.awsRegion());
    to.setEventSourceARN(streamArn);
    to.setDynamodb(stream);
    return to;
  }

  private static Map<String, AttributeValue> image(
      Map<String, software.amazon.awssdk.services.dynamodb.model.AttributeValue> item) {
    Map<String, AttributeValue> image = HashMap.newHashMap(item.size());
    item.forEach((name, value) -> image.put(name, value(value)));
    return image;
  }

  private static AttributeValue value(
      software.amazon.awssdk.services.dynamodb.model.AttributeValue from) {
    AttributeValue to = new AttributeValue();
    switch (from.type()) {
      case S -> to.setS(from.s());
      case N -> to.setN(from.n());
      case B -> to.setB(bytes(from.b()));
      case BOOL -> to.setBOOL(from.bool());
      case NUL -> to.setNULL(true);
      case SS -> to.setSS(from.ss());
      case NS -> to.setNS(from.ns());
      case BS -> to.setBS(from.bs().stream().map(StreamEvents::bytes).toList());
      case M -> to.setM(image(from.m()));
      case L -> to.setL(from.l().stream().map(StreamEvents::value).toList());
      case UNKNOWN_TO_SDK_VERSION ->
          throw new IllegalStateException("a stream record has an attribute of unknown type");
    }
    return to;
  }

  /// A separate buffer for each receiver, since reading a buffer moves its position.
  private static ByteBuffer bytes(SdkBytes bytes) {
    return ByteBuffer.wrap(bytes.asByteArrayUnsafe());
  }
}
