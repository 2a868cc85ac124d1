package dev.runyard.bench.cost;

/// AWS us-east-1 list prices, on demand, without free tiers, in dollars.
public final class AwsPrices {
  /// DynamoDB on-demand pricing page.
  public static final double WRITE_UNIT_PRICE = 0.625e-6;

  /// DynamoDB on-demand pricing page; a unit reads 4 KB strongly consistent.
  public static final double READ_UNIT_PRICE = 0.125e-6;

  /// DynamoDB on-demand pricing page: standard storage and point-in-time recovery.
  public static final double TABLE_GB_MONTH = 0.25 + 0.20;

  /// SQS pricing page, standard queues.
  public static final double QUEUE_REQUEST = 0.40e-6;

  /// Lambda pricing page.
  public static final double FUNCTION_REQUEST = 0.20e-6;

  /// Lambda pricing page, arm64.
  public static final double FUNCTION_GB_SECOND = 0.0000133334;

  /// API Gateway pricing page, REST APIs.
  public static final double API_REQUEST = 3.50e-6;

  /// EventBridge pricing page: an event of a custom bus, of 64 KB at most.
  public static final double BUS_EVENT = 1.00e-6;

  /// CloudWatch pricing page, ingested logs.
  public static final double LOG_GB = 0.50;

  /// CloudWatch pricing page, one standard alarm.
  public static final double ALARM_MONTH = 0.10;

  /// Fargate pricing page, Linux on arm64.
  public static final double FARGATE_VCPU_HOUR = 0.03238;

  /// Fargate pricing page, Linux on arm64.
  public static final double FARGATE_GB_HOUR = 0.003556;

  private AwsPrices() {}
}
