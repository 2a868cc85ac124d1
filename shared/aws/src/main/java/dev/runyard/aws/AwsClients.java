package dev.runyard.aws;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.SdkHttpService;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.ssm.SsmClient;
import software.amazon.awssdk.utils.AttributeMap;

/// Creates the SDK clients from [Settings]: region, endpoints, credentials. A call without an
/// answer is tried at most [#ATTEMPTS_MAX] times, because its caller knows better what to do next.
/// However it fails, a call ends within [#CALL_SECONDS_MAX]: functions that serve a request have
/// little more time, and a runner has other runs and signs of life to attend to. Only a receive
/// that waits and the transfer of a large object may take longer; they have their own clients.
/// Where [Settings#CALL_SECONDS] is set, a call has that time instead: an emulator shares the
/// processors of those who call it, and may stand still for longer than a service of AWS is silent.
/// Every method creates a new client, which its caller closes.
public final class AwsClients {
  static final int ATTEMPTS_MAX = 3;

  /// All tries of a call together.
  public static final int CALL_SECONDS_MAX = 6;

  /// All tries of a transfer together.
  public static final int TRANSFER_SECONDS_MAX = 60;

  /// All tries to put an object of up to [dev.runyard.core.change.ChangeBounds#ARTIFACT_BYTES_MAX]
  /// together.
  public static final int LARGE_SECONDS_MAX = 300;

  /// Answers that do not come, for which a call has time.
  private static final int ANSWERS_IN_A_CALL = 2;

  private static final int CONNECTIONS_IN_A_CALL = 6;
  private static final Duration TRANSFER_ANSWER_MAX = Duration.ofSeconds(10);
  private static final Duration LARGE_ANSWER_MAX = Duration.ofSeconds(30);

  private final Settings settings;
  private final int callSeconds;
  private final Duration answerMax;
  private final Duration connectMax;
  private final Supplier<SdkHttpClient.Builder<?>> http;
  private final List<ExecutionInterceptor> interceptors;

  /// Clients over the HTTP connections of the service that the SDK's own setting
  /// `software.amazon.awssdk.http.service.impl` names; else over those of the JDK, which start
  /// fastest, but look for a millisecond whether a kept connection still stands before each use.
  public AwsClients(Settings settings) {
    this(settings, AwsClients::connections, List.of());
  }

  /// @param http makes the HTTP client of each service client
  /// @param interceptors see every request and response, to count them
  public AwsClients(
      Settings settings,
      Supplier<SdkHttpClient.Builder<?>> http,
      List<ExecutionInterceptor> interceptors) {
    this.settings = settings;
    this.callSeconds = settings.callSeconds();
    this.answerMax = Duration.ofSeconds(callSeconds).dividedBy(ANSWERS_IN_A_CALL);
    this.connectMax = Duration.ofSeconds(callSeconds).dividedBy(CONNECTIONS_IN_A_CALL);
    this.http = http;
    this.interceptors = List.copyOf(interceptors);
  }

  private static SdkHttpClient.Builder<?> connections() {
    return SdkSystemSetting.SYNC_HTTP_SERVICE_IMPL
        .getStringValue()
        .<SdkHttpClient.Builder<?>>map(name -> service(name).createHttpClientBuilder())
        .orElseGet(UrlConnectionHttpClient::builder);
  }

  private static SdkHttpService service(String name) {
    return ServiceLoader.load(SdkHttpService.class).stream()
        .filter(found -> found.type().getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no HTTP service " + name))
        .get();
  }

  public DynamoDbClient dynamo() {
    return configured(DynamoDbClient.builder(), settings.dynamoEndpoint(), answerMax, callSeconds)
        .build();
  }

  /// For everything except receives that wait.
  public SqsClient sqs() {
    return configured(SqsClient.builder(), settings.sqsEndpoint(), answerMax, callSeconds).build();
  }

  /// For receives: a response may take as long as a receive waits.
  public SqsClient sqsReceives() {
    Duration answer = answerMax.plusSeconds(SqsRunQueue.WAIT_SECONDS_MAX);
    return configured(
            SqsClient.builder(),
            settings.sqsEndpoint(),
            answer,
            SqsRunQueue.WAIT_SECONDS_MAX + callSeconds)
        .build();
  }

  public EcsClient ecs() {
    return configured(EcsClient.builder(), settings.ecsEndpoint(), answerMax, callSeconds).build();
  }

  /// Sends whole objects with their length, as stores that speak the same protocol expect; a custom
  /// endpoint is addressed by path, so that it needs only one host name.
  public S3Client s3() {
    return s3(answerMax, callSeconds);
  }

  /// For what a runner stores of its agents: large objects take longer.
  public S3Client s3Transfers() {
    return s3(TRANSFER_ANSWER_MAX, TRANSFER_SECONDS_MAX);
  }

  /// For objects that are sent from a file.
  public S3Client s3Large() {
    return s3(LARGE_ANSWER_MAX, LARGE_SECONDS_MAX);
  }

  /// Signs addresses of objects; it makes no calls.
  public S3Presigner presigner() {
    S3Presigner.Builder builder =
        S3Presigner.builder()
            .region(Region.of(settings.region()))
            .credentialsProvider(credentials())
            .serviceConfiguration(
                S3Configuration.builder()
                    .pathStyleAccessEnabled(settings.s3Endpoint().isPresent())
                    .build());
    settings.s3Endpoint().ifPresent(builder::endpointOverride);
    return builder.build();
  }

  /// For the secrets of Secrets Manager.
  public SecretsManagerClient secrets() {
    return configured(
            SecretsManagerClient.builder(), settings.secretsEndpoint(), answerMax, callSeconds)
        .build();
  }

  /// For the parameters of SSM.
  public SsmClient parameters() {
    return configured(SsmClient.builder(), settings.parametersEndpoint(), answerMax, callSeconds)
        .build();
  }

  /// For a bus of EventBridge.
  EventBridgeBus eventBus(String name) {
    return new EventBridgeBus(
        name,
        Region.of(settings.region()),
        settings.eventBridgeEndpoint(),
        credentials(),
        http.get().buildWithDefaults(timeouts(answerMax)));
  }

  private S3Client s3(Duration most, int callSecondsMax) {
    S3ClientBuilder builder =
        S3Client.builder()
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .forcePathStyle(settings.s3Endpoint().isPresent())
            .serviceConfiguration(service -> service.chunkedEncodingEnabled(false));
    return configured(builder, settings.s3Endpoint(), most, callSecondsMax).build();
  }

  private <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> B configured(
      B builder, Optional<URI> endpoint, Duration most, int callSecondsMax) {
    endpoint.ifPresent(builder::endpointOverride);
    return builder
        .region(Region.of(settings.region()))
        .credentialsProvider(credentials())
        .httpClient(http.get().buildWithDefaults(timeouts(most)))
        .overrideConfiguration(
            override ->
                override
                    .apiCallTimeout(Duration.ofSeconds(callSecondsMax))
                    .retryStrategy(
                        AwsRetryStrategy.standardRetryStrategy().toBuilder()
                            .maxAttempts(ATTEMPTS_MAX)
                            .build())
                    .executionInterceptors(interceptors));
  }

  private AttributeMap timeouts(Duration most) {
    return AttributeMap.builder()
        .put(SdkHttpConfigurationOption.CONNECTION_TIMEOUT, connectMax)
        .put(SdkHttpConfigurationOption.READ_TIMEOUT, most)
        .build();
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
