package dev.runyard.bench.cost;

import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/// A read that finds nothing costs the smallest unit there is: 1, or one half when it may be stale.
/// DynamoDB bills it so; DynamoDB Local reports none.
public final class UnreportedRead {
  private static final double CONSISTENT_UNITS = 1;
  private static final double STALE_UNITS = 0.5;

  private UnreportedRead() {}

  /// What is to be added to the units that were reported.
  public static double units(SdkRequest request, SdkResponse response) {
    if (request instanceof QueryRequest asked && response instanceof QueryResponse answer) {
      return missing(asked.consistentRead(), answer.consumedCapacity());
    }
    return request instanceof GetItemRequest asked && response instanceof GetItemResponse answer
        ? missing(asked.consistentRead(), answer.consumedCapacity())
        : 0;
  }

  private static double missing(Boolean consistent, ConsumedCapacity reported) {
    boolean free = reported == null || reported.capacityUnits() == 0;
    return !free ? 0 : Boolean.TRUE.equals(consistent) ? CONSISTENT_UNITS : STALE_UNITS;
  }
}
