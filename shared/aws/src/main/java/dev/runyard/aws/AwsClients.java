package dev.runyard.aws;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.utils.AttributeMap;

/// Makes the SDK clients as [Settings] say: region, endpoints, credentials. A call that gets no
/// answer is tried [#ATTEMPTS_MAX] times and then given up soon, because its caller knows better
/// what to do next. Every call of a method makes a new client, which its caller closes.
public final class AwsClients {
  static final int ATTEMPTS_MAX = 3;
  private static final Duration CONNECT_MAX = Duration.ofSeconds(1);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
  private static final Duration OBJECT_ANSWER_MAX = Duration.ofSeconds(10);
  private static final Duration LONG_POLL_MAX = Duration.ofSeconds(SqsRunQueue.WAIT_SECONDS_MAX);

  private final Settings settings;
  private final Supplier<SdkHttpClient.Builder<?>> http;
  private final List<ExecutionInterceptor> interceptors;

  /// Clients on the JDK's own HTTP connections, which start fastest.
  public AwsClients(Settings settings) {
    this(settings, UrlConnectionHttpClient::builder, List.of());
  }

  /// @param http makes the HTTP client of each service client
  /// @param interceptors see every request and answer, to count them
  public AwsClients(
      Settings settings,
      Supplier<SdkHttpClient.Builder<?>> http,
      List<ExecutionInterceptor> interceptors) {
    this.settings = settings;
    this.http = http;
    this.interceptors = List.copyOf(interceptors);
  }

  public DynamoDbClient dynamo() {
    return configured(DynamoDbClient.builder(), settings.dynamoEndpoint(), ANSWER_MAX).build();
  }

  /// Its answers may take as long as a receive waits.
  public SqsClient sqs() {
    return configured(SqsClient.builder(), settings.sqsEndpoint(), ANSWER_MAX.plus(LONG_POLL_MAX))
        .build();
  }

  public EcsClient ecs() {
    return configured(EcsClient.builder(), settings.ecsEndpoint(), ANSWER_MAX).build();
  }

  /// Sends whole objects and their length, as stores that speak the same protocol expect; an
  /// endpoint of one's own is addressed by path, so that it needs one host name only.
  public S3Client s3() {
    S3ClientBuilder builder =
        S3Client.builder()
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .forcePathStyle(settings.s3Endpoint().isPresent())
            .serviceConfiguration(service -> service.chunkedEncodingEnabled(false));
    return configured(builder, settings.s3Endpoint(), OBJECT_ANSWER_MAX).build();
  }

  private <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> B configured(
      B builder, Optional<URI> endpoint, Duration answerMax) {
    AttributeMap timeouts =
        AttributeMap.builder()
            .put(SdkHttpConfigurationOption.CONNECTION_TIMEOUT, CONNECT_MAX)
            .put(SdkHttpConfigurationOption.READ_TIMEOUT, answerMax)
            .build();
    endpoint.ifPresent(builder::endpointOverride);
    return builder
        .region(Region.of(settings.region()))
        .credentialsProvider(credentials())
        .httpClient(http.get().buildWithDefaults(timeouts))
        .overrideConfiguration(
            override ->
                override
                    .retryStrategy(
                        AwsRetryStrategy.standardRetryStrategy().toBuilder()
                            .maxAttempts(ATTEMPTS_MAX)
                            .build())
                    .executionInterceptors(interceptors));
  }

  private AwsCredentialsProvider credentials() {
    return settings
        .keyPair()
        .<AwsCredentialsProvider>map(
            pair ->
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(pair.id(), pair.secret())))
        .orElseGet(() -> DefaultCredentialsProvider.builder().build());
  }
}
