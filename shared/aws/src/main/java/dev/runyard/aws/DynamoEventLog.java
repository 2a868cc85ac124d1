package dev.runyard.aws;

import dev.runyard.core.ids.StreamKey;
import dev.runyard.core.log.AppendResult;
import dev.runyard.core.log.Chunk;
import dev.runyard.core.log.ChunkBody;
import dev.runyard.core.log.EventLog;
import dev.runyard.core.stream.ChunkHash;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/// The event log as a DynamoDB table: partition key `pk`, the stream; sort key `sk`, the first
/// sequence of the chunk. An append is one conditional put and costs one write unit per KB.
///
/// Chunks carry `state` only when they change it, so that a stream filter on that attribute skips
/// output, and `closed` only when nothing follows.
public final class DynamoEventLog implements EventLog {
  private static final String PK = "pk";
  private static final String SK = "sk";
  private static final String LAST = "last";
  private static final String ID = "id";
  private static final String WRITER = "writer";
  private static final String BODY = "body";
  private static final String STATE = "state";
  private static final String CLOSED = "closed";
  private static final String PREVIOUS = "prev";

  private final DynamoDbClient dynamo;
  private final String table;
  private final Duration retention;
  private final InstantSource clock;

  public DynamoEventLog(
      DynamoDbClient dynamo, String table, Duration retention, InstantSource clock) {
    this.dynamo = dynamo;
    this.table = table;
    this.retention = retention;
    this.clock = clock;
  }

  @Override
  public AppendResult append(Chunk chunk) {
    PutItemRequest request =
        PutItemRequest.builder()
            .tableName(table)
            .item(item(chunk))
            .conditionExpression("attribute_not_exists(pk)")
            .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
            .build();
    return ServiceCall.answer(
        "append",
        () -> {
          try {
            dynamo.putItem(request);
            return AppendResult.appended();
          } catch (ConditionalCheckFailedException e) {
            return Attributes.textOf(e.item(), ID).equals(chunk.id())
                ? AppendResult.appended()
                : AppendResult.collision();
          }
        });
  }

  @Override
  public List<Chunk> chunksAfter(StreamKey key, long sequence) {
    return chunks(key, sequence, true);
  }

  @Override
  public List<Chunk> newsAfter(StreamKey key, long sequence) {
    return chunks(key, sequence, false);
  }

  private List<Chunk> chunks(StreamKey key, long sequence, boolean consistent) {
    List<Chunk> chunks = new ArrayList<>();
    Map<String, AttributeValue> from = Map.of();
    do {
      QueryRequest.Builder request =
          query(key, "sk > :s", sequence)
              .consistentRead(consistent)
              .limit(READ_CHUNKS_MAX - chunks.size());
      if (!from.isEmpty()) {
        request.exclusiveStartKey(from);
      }
      QueryResponse page = ServiceCall.answer("read", () -> dynamo.query(request.build()));
      page.items().forEach(item -> chunks.add(chunk(key, item)));
      from = page.lastEvaluatedKey();
    } while (!from.isEmpty() && chunks.size() < READ_CHUNKS_MAX);
    return chunks;
  }

  @Override
  public Optional<Chunk> chunkAt(StreamKey key, long sequence) {
    QueryRequest request =
        query(key, "sk <= :s", sequence).scanIndexForward(false).limit(1).build();
    return ServiceCall.answer("read", () -> dynamo.query(request)).items().stream()
        .findFirst()
        .map(item -> chunk(key, item));
  }

  private QueryRequest.Builder query(StreamKey key, String place, long sequence) {
    return QueryRequest.builder()
        .tableName(table)
        .consistentRead(true)
        .keyConditionExpression("pk = :p AND " + place)
        .expressionAttributeValues(
            Map.of(":p", Attributes.text(key.partition()), ":s", Attributes.number(sequence)));
  }

  private Map<String, AttributeValue> item(Chunk chunk) {
    Map<String, AttributeValue> item = new HashMap<>();
    item.put(PK, Attributes.text(chunk.key().partition()));
    item.put(SK, Attributes.number(chunk.first()));
    item.put(LAST, Attributes.number(chunk.last()));
    item.put(ID, Attributes.text(chunk.id()));
    item.put(WRITER, Attributes.text(chunk.writer()));
    item.put(BODY, Attributes.bytes(chunk.body().bytes()));
    item.put(Attributes.EXPIRES, Attributes.expiry(clock, retention));
    chunk.state().ifPresent(state -> item.put(STATE, Attributes.text(state)));
    chunk.previous().ifPresent(hash -> item.put(PREVIOUS, Attributes.bytes(hash.bytes())));
    if (chunk.closed()) {
      item.put(CLOSED, AttributeValue.fromBool(true));
    }
    return item;
  }

  private static Chunk chunk(StreamKey key, Map<String, AttributeValue> item) {
    return new Chunk(
        key,
        Attributes.textOf(item, ID),
        Attributes.textOf(item, WRITER),
        ChunkBody.stored(
            Attributes.numberOf(item, SK),
            Attributes.numberOf(item, LAST),
            Attributes.of(item, BODY).b().asByteArrayUnsafe()),
        Optional.ofNullable(item.get(STATE)).map(AttributeValue::s),
        item.containsKey(CLOSED),
        Optional.ofNullable(item.get(PREVIOUS))
            .map(hash -> ChunkHash.of(hash.b().asByteArrayUnsafe())));
  }
}
