package dev.runyard.local.emulator;

import dev.runyard.local.events.TableStreams.Page;
import dev.runyard.local.events.TableStreams.Shard;
import dev.runyard.local.events.TableStreams.Start;
import dev.runyard.local.events.TableStreams.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.dynamodb.services.exceptions.DynamoDBLocalServiceException;

/// What reading streams of the embedded and of a remote emulator have in common: the calls' types.
final class StreamReplies {
  private static final String TRIMMED = "TrimmedDataAccessException";

  private StreamReplies() {}

  static Stream describe(
      String streamArn, Function<DescribeStreamRequest, DescribeStreamResponse> call) {
    List<Shard> shards = new ArrayList<>();
    Optional<String> last = Optional.empty();
    do {
      DescribeStreamRequest.Builder request = DescribeStreamRequest.builder().streamArn(streamArn);
      last.ifPresent(request::exclusiveStartShardId);
      StreamDescription page = call.apply(request.build()).streamDescription();
      page.shards()
          .forEach(
              shard ->
                  shards.add(
                      new Shard(shard.shardId(), Optional.ofNullable(shard.parentShardId()))));
      last = Optional.ofNullable(page.lastEvaluatedShardId());
    } while (last.isPresent());
    return new Stream(streamArn, shards);
  }

  static GetShardIteratorRequest request(String streamArn, String shardId, Start start) {
    GetShardIteratorRequest.Builder request =
        GetShardIteratorRequest.builder().streamArn(streamArn).shardId(shardId);
    return switch (start) {
      case Start.Oldest() -> request.shardIteratorType(ShardIteratorType.TRIM_HORIZON).build();
      case Start.Newest() -> request.shardIteratorType(ShardIteratorType.LATEST).build();
      case Start.After(String sequenceNumber) ->
          request
              .shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER)
              .sequenceNumber(sequenceNumber)
              .build();
    };
  }

  /// The position of a start, which is that of the oldest record if the start was trimmed.
  static String position(Start start, Function<Start, String> call) {
    try {
      return call.apply(start);
    } catch (DynamoDbException e) {
      if (isTrimmed(e)) {
        return call.apply(new Start.Oldest());
      }
      throw e;
    }
  }

  static Optional<Page> page(Supplier<GetRecordsResponse> call) {
    try {
      GetRecordsResponse response = call.get();
      return Optional.of(
          new Page(response.records(), Optional.ofNullable(response.nextShardIterator())));
    } catch (DynamoDbException e) {
      if (isTrimmed(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /// A service has its own exception for this; DynamoDB Local, called directly, only its code.
  private static boolean isTrimmed(DynamoDbException e) {
    return e instanceof TrimmedDataAccessException
        || (e instanceof DynamoDBLocalServiceException local
            && TRIMMED.equals(local.getErrorCode()));
  }
}
