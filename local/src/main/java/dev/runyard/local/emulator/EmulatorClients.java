package dev.runyard.local.emulator;

import dev.runyard.local.function.FunctionEnvironment;
import dev.runyard.local.template.PseudoParameters;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/// The stack's own clients of an emulator that accepts any credentials.
final class EmulatorClients {
  private EmulatorClients() {}

  static DynamoDbClient dynamo(URI endpoint) {
    return at(endpoint, DynamoDbClient.builder().httpClient(UrlConnectionHttpClient.create()))
        .build();
  }

  static DynamoDbStreamsClient streams(URI endpoint) {
    return at(
            endpoint, DynamoDbStreamsClient.builder().httpClient(UrlConnectionHttpClient.create()))
        .build();
  }

  static SqsClient queues(URI endpoint) {
    return at(endpoint, SqsClient.builder().httpClient(UrlConnectionHttpClient.create())).build();
  }

  private static <B extends AwsClientBuilder<B, ?>> B at(URI endpoint, B builder) {
    AwsBasicCredentials credentials =
        AwsBasicCredentials.create(FunctionEnvironment.CREDENTIAL, FunctionEnvironment.CREDENTIAL);
    return builder
        .endpointOverride(endpoint)
        .region(Region.of(PseudoParameters.REGION))
        .credentialsProvider(StaticCredentialsProvider.create(credentials));
  }
}
