package dev.runyard.bench.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

final class CallCounterTest {
  @Test
  void recognisesTheCallerByThePackageOfItsCode() {
    assertEquals(Optional.of("api"), CallCounter.callerOf("dev.runyard.functions.api.RunsApi"));
    assertEquals(
        Optional.of("advance"), CallCounter.callerOf("dev.runyard.functions.advance.Handler"));
    assertEquals(
        Optional.of("runner"), CallCounter.callerOf("dev.runyard.runner.attempt.Attempts"));
    assertEquals(Optional.of("runner"), CallCounter.callerOf("dev.runyard.runner.Worker"));
    assertEquals(
        Optional.of("manage"), CallCounter.callerOf("dev.runyard.functions.manage.KeysApi"));
    assertEquals(
        Optional.of("deliver"), CallCounter.callerOf("dev.runyard.functions.deliver.Handler"));
    assertEquals(Optional.empty(), CallCounter.callerOf("dev.runyard.functions.http.CallerCheck"));
    assertEquals(Optional.empty(), CallCounter.callerOf("dev.runyard.functions.proxy.Dispatcher"));
    assertEquals(Optional.empty(), CallCounter.callerOf("dev.runyard.functions.RunBatch"));
    assertEquals(Optional.empty(), CallCounter.callerOf("dev.runyard.local.events.StreamReader"));
    assertEquals(Optional.empty(), CallCounter.callerOf("Main"));
  }

  @Test
  void anItemIsAsLargeAsItsNamesAndValues() {
    Map<String, AttributeValue> item =
        Map.of(
            "pk", AttributeValue.fromS("é"),
            "sk", AttributeValue.fromN("1234"),
            "body", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[1018])),
            "closed", AttributeValue.fromBool(true));

    assertEquals(2 + 2 + 2 + 3 + 4 + 1018 + 6 + 1, ItemSize.bytes(item));
    assertEquals(2, ItemSize.writeUnits(item));
    assertEquals(1, ItemSize.writeUnits(Map.of("pk", AttributeValue.fromS("a"))));
  }

  @Test
  void aReadThatFindsNothingIsBilledAllTheSame() {
    QueryRequest strong = QueryRequest.builder().consistentRead(true).build();
    QueryRequest stale = QueryRequest.builder().build();

    assertEquals(1, UnreportedRead.units(strong, found(0)));
    assertEquals(0.5, UnreportedRead.units(stale, found(0)));
    assertEquals(0, UnreportedRead.units(strong, found(3)));
    assertEquals(
        0,
        UnreportedRead.units(PutItemRequest.builder().build(), PutItemResponse.builder().build()));
  }

  private static QueryResponse found(double units) {
    return QueryResponse.builder()
        .consumedCapacity(ConsumedCapacity.builder().capacityUnits(units).build())
        .build();
  }
}
