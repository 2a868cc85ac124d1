package dev.runyard.aws;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/// Counts a system's requests to AWS, so that its cost can be computed: HTTP requests by operation,
/// and the capacity units DynamoDB reports. Only clients with a meter ask for that report. A put
/// whose condition fails consumes units that DynamoDB does not report.
public final class RequestMeter implements ExecutionInterceptor {
  private final Map<String, LongAdder> requests = new ConcurrentSkipListMap<>();
  private final DoubleAdder readUnits = new DoubleAdder();
  private final DoubleAdder writeUnits = new DoubleAdder();

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    return switch (context.request()) {
      case PutItemRequest put ->
          put.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.INDEXES).build();
      case GetItemRequest get ->
          get.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.TOTAL).build();
      case QueryRequest query ->
          query.toBuilder().returnConsumedCapacity(ReturnConsumedCapacity.TOTAL).build();
      case SdkRequest other -> other;
    };
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    String name = context.request().getClass().getSimpleName();
    String operation = name.substring(0, name.length() - "Request".length());
    requests.computeIfAbsent(operation, _ -> new LongAdder()).increment();
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    switch (context.response()) {
      case PutItemResponse put -> add(writeUnits, put.consumedCapacity());
      case GetItemResponse get -> add(readUnits, get.consumedCapacity());
      case QueryResponse query -> add(readUnits, query.consumedCapacity());
      case SdkResponse _ -> {}
    }
  }

  private static void add(DoubleAdder units, ConsumedCapacity consumed) {
    if (consumed != null && consumed.capacityUnits() != null) {
      units.add(consumed.capacityUnits());
    }
  }

  /// HTTP requests sent so far, by operation; each try of a call counts.
  public Map<String, Long> requests() {
    Map<String, Long> counts = new ConcurrentSkipListMap<>();
    requests.forEach((operation, count) -> counts.put(operation, count.sum()));
    return counts;
  }

  public double readUnits() {
    return readUnits.sum();
  }

  public double writeUnits() {
    return writeUnits.sum();
  }
}
