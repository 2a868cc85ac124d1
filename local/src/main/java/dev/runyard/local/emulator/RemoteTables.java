package dev.runyard.local.emulator;

import dev.runyard.local.events.TableStreams;
import dev.runyard.local.template.TableDeclaration;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsRequest;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/// DynamoDB on another emulator, reached by its address. Its streams are polled.
public final class RemoteTables implements Tables {
  private static final long POLL_MILLIS = 20;

  private final URI endpoint;
  private final DynamoDbClient tables;
  private final DynamoDbStreamsClient streams;
  private final CountDownLatch closed = new CountDownLatch(1);

  /// Connects on first use.
  public RemoteTables(URI endpoint) {
    this.endpoint = endpoint;
    this.tables = EmulatorClients.dynamo(endpoint);
    this.streams = EmulatorClients.streams(endpoint);
  }

  @Override
  public URI endpoint() {
    return endpoint;
  }

  @Override
  public void create(TableDeclaration table) {
    try {
      tables.createTable(TableRequests.create(table));
    } catch (ResourceInUseException e) {
      return;
    }
    tables.waiter().waitUntilTableExists(request -> request.tableName(table.name()));
    TableRequests.timeToLive(table).ifPresent(tables::updateTimeToLive);
  }

  @Override
  public TableStreams streams() {
    return new Streams();
  }

  @Override
  public void close() {
    closed.countDown();
    tables.close();
    streams.close();
  }

  private final class Streams implements TableStreams {
    @Override
    public Stream describe(String table) {
      String arn =
          tables
              .describeTable(DescribeTableRequest.builder().tableName(table).build())
              .table()
              .latestStreamArn();
      return StreamReplies.describe(arn, streams::describeStream);
    }

    @Override
    public String position(String streamArn, String shardId, Start start) {
      return StreamReplies.position(
          start,
          from ->
              streams
                  .getShardIterator(StreamReplies.request(streamArn, shardId, from))
                  .shardIterator());
    }

    @Override
    public Optional<Page> read(String position) {
      return StreamReplies.page(
          () -> streams.getRecords(GetRecordsRequest.builder().shardIterator(position).build()));
    }

    @Override
    public long writes() {
      return 0;
    }

    @Override
    public void awaitWrite(long seen) throws InterruptedException {
      if (closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new InterruptedException("closed");
      }
    }
  }
}
