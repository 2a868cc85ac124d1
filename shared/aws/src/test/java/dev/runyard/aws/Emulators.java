package dev.runyard.aws;

import dev.runyard.testkit.threads.TestPatience;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.elasticmq.rest.sqs.SQSRestServer;
import org.elasticmq.rest.sqs.SQSRestServerBuilder;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/// DynamoDB Local and ElasticMQ on free loopback ports, started once for all tests of the JVM that
/// use them and stopped after the last one. DynamoDB Local is started from its parts, because its
/// own launcher listens on every interface and reports usage.
final class Emulators implements AutoCloseable {
  private final LocalDynamoDBRequestHandler database;
  private final Server tables;
  private final SQSRestServer queues;
  private final int queuesPort;
  private final DynamoDbClient dynamo;
  private final SqsClient sqs;
  private final AtomicInteger next = new AtomicInteger();

  private Emulators() throws Exception {
    database = new LocalDynamoDBRequestHandler(0, true, null, true, false);
    tables = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    tables.setHandler(new LocalDynamoDBServerHandler(database, "http://127.0.0.1"));
    tables.start();
    queues = SQSRestServerBuilder.withInterface("127.0.0.1").withDynamicPort().start();
    queuesPort = queues.waitUntilStarted().localAddress().getPort();
    dynamo = patient(DynamoDbClient.builder(), tablesPort());
    sqs = patient(SqsClient.builder(), queuesPort);
    new TestTables(dynamo).create();
  }

  DynamoDbClient dynamo() {
    return dynamo;
  }

  SqsClient sqs() {
    return sqs;
  }

  private int tablesPort() {
    return ((ServerConnector) tables.getConnectors()[0]).getLocalPort();
  }

  /// A client that waits for its emulator however long that takes on a busy machine.
  private static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C patient(
      B builder, int port) {
    return builder
        .endpointOverride(URI.create("http://127.0.0.1:" + port))
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
        .httpClientBuilder(UrlConnectionHttpClient.builder().socketTimeout(TestPatience.LONG))
        .build();
  }

  /// Clients of the emulators as the product makes them; `more` adds to their settings or replaces
  /// them.
  AwsClients clients(Map<String, String> more, List<ExecutionInterceptor> interceptors) {
    Map<String, String> env = new HashMap<>();
    env.put(Settings.ENDPOINT_URL_SQS, "http://127.0.0.1:" + queuesPort);
    env.put(Settings.ENDPOINT_URL_DYNAMODB, "http://127.0.0.1:" + tablesPort());
    env.putAll(more);
    return new AwsClients(settings(env), UrlConnectionHttpClient::builder, interceptors);
  }

  /// What clients of a server of a test need, which waits for it as long as the machine takes;
  /// `more` adds to that or replaces it.
  static Settings settings(Map<String, String> more) {
    Map<String, String> env = new HashMap<>();
    env.put(Settings.REGION, "us-east-1");
    env.put(Settings.ACCESS_KEY_ID, "local");
    env.put(Settings.SECRET_ACCESS_KEY, "local");
    env.put(Settings.CALL_SECONDS, Long.toString(TestPatience.LONG_SECONDS));
    env.putAll(more);
    return new Settings(env);
  }

  /// The URL of a new queue.
  String queue(Map<QueueAttributeName, String> attributes) {
    String name = "queue-" + next.incrementAndGet();
    return sqs.createQueue(queue -> queue.queueName(name).attributes(attributes)).queueUrl();
  }

  @Override
  public void close() {
    dynamo.close();
    sqs.close();
    queues.stopAndWait();
    try {
      tables.stop();
    } catch (Exception e) {
      throw new IllegalStateException("DynamoDB Local does not stop", e);
    } finally {
      database.shutdown();
    }
  }

  /// Gives the emulators to the constructor of a test class.
  static final class Given implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Emulators.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.GLOBAL)
          .getOrComputeIfAbsent(Emulators.class, _ -> started(), Emulators.class);
    }

    private static Emulators started() {
      try {
        return new Emulators();
      } catch (Exception e) {
        throw new IllegalStateException("the emulators do not start", e);
      }
    }
  }
}
