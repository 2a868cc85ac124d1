package dev.runyard.local.emulator;

import dev.runyard.local.events.TableStreams.Page;
import dev.runyard.local.events.TableStreams.Shard;
import dev.runyard.local.events.TableStreams.Start;
import dev.runyard.local.events.TableStreams.Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamDescription;

/// What the embedded and the remote reading of streams have in common: the calls' own types.
final class StreamReplies {
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

  static GetShardIteratorRequest position(String streamArn, String shardId, Start start) {
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

  static Page page(GetRecordsResponse response) {
    return new Page(response.records(), Optional.ofNullable(response.nextShardIterator()));
  }
}
