package dev.runyard.bench.cost;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.AwsPorts;
import dev.runyard.aws.RequestMeter;
import dev.runyard.aws.Settings;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.DoubleAdder;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;

/// The read units of a client of DynamoDB, those that DynamoDB Local does not report included.
public final class CountedReads implements ExecutionInterceptor {
  private final RequestMeter meter = new RequestMeter();
  private final DoubleAdder unreported = new DoubleAdder();

  public double units() {
    return meter.readUnits() + unreported.sum();
  }

  /// What a function of the stack with these settings reads from, with its reads counted.
  public AwsPorts ports(Settings settings) {
    return new AwsPorts(
        settings,
        new AwsClients(settings, UrlConnectionHttpClient::builder, List.of(this)),
        InstantSource.system());
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    return meter.modifyRequest(context, attributes);
  }

  @Override
  public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
    meter.afterExecution(context, attributes);
    unreported.add(UnreportedRead.units(context.request(), context.response()));
  }
}
