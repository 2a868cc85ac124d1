package dev.runyard.local.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.events.TableStreams;
import dev.runyard.local.events.TableStreams.Page;
import dev.runyard.local.events.TableStreams.Start;
import dev.runyard.local.rights.AccessCheck;
import dev.runyard.local.template.TableDeclaration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class RemoteTablesTest {
  @Test
  void createsTablesOnceAndReadsTheirStreams() throws JsonProcessingException {
    try (EmbeddedTables emulator = new EmbeddedTables(Optional.empty(), AccessCheck.NONE);
        RemoteTables tables = new RemoteTables(emulator.endpoint());
        DynamoDbClient client = EmulatorClients.dynamo(emulator.endpoint())) {
      tables.create(table());
      tables.create(table());
      var expiry = client.describeTimeToLive(r -> r.tableName("Data")).timeToLiveDescription();
      assertEquals("expires", expiry.attributeName());
      var description = client.describeTable(r -> r.tableName("Data")).table();
      assertEquals("byOwner", description.globalSecondaryIndexes().getFirst().indexName());

      put(client, "a");
      put(client, "b");
      TableStreams streams = tables.streams();
      TableStreams.Stream stream = streams.describe("Data");
      String shard = stream.shards().getFirst().id();
      Page all =
          streams.read(streams.position(stream.arn(), shard, new Start.Oldest())).orElseThrow();
      assertEquals(2, all.records().size());
      String first = all.records().getFirst().dynamodb().sequenceNumber();
      Page rest =
          streams.read(streams.position(stream.arn(), shard, new Start.After(first))).orElseThrow();
      assertEquals(1, rest.records().size());
      Page none =
          streams.read(streams.position(stream.arn(), shard, new Start.Newest())).orElseThrow();
      assertEquals(0, none.records().size());
      assertTrue(none.next().isPresent());
    }
  }

  private static void put(DynamoDbClient client, String key) {
    client.putItem(r -> r.tableName("Data").item(Map.of("pk", AttributeValue.fromS(key))));
  }

  private static TableDeclaration table() throws JsonProcessingException {
    return new TableDeclaration(
        "Data",
        "Data",
        new ObjectMapper()
            .readTree(
                """
                {"AttributeDefinitions": [
                   {"AttributeName": "pk", "AttributeType": "S"},
                   {"AttributeName": "owner", "AttributeType": "S"}],
                 "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                 "GlobalSecondaryIndexes": [
                   {"IndexName": "byOwner",
                    "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["name"]}}],
                 "TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": true},
                 "StreamSpecification": {"StreamViewType": "NEW_IMAGE"}}
                """));
  }
}
