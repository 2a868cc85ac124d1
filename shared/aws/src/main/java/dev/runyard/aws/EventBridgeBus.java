package dev.runyard.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.json.JsonFormat;
import dev.runyard.core.webhook.EventBus;
import dev.runyard.core.webhook.WebhookSender.Answer;
import dev.runyard.core.webhook.WebhookSender.Trouble;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.regions.Region;

/// A bus of EventBridge, by the one call that it takes: the SDK's client of the service would be
/// one more in the archive of every function. It is made once, since a delivery is tried again.
final class EventBridgeBus implements EventBus {
  private static final String SOURCE = "runyard";
  private static final String SERVICE = "events";
  private static final int ANSWER_BYTES_MAX = 1 << 16;

  private final String name;
  private final Region region;
  private final URI endpoint;
  private final AwsCredentialsProvider credentials;
  private final SdkHttpClient http;
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

  /// @param name of a bus of the functions' account and region
  /// @param endpoint of another service in its place
  EventBridgeBus(
      String name,
      Region region,
      Optional<URI> endpoint,
      AwsCredentialsProvider credentials,
      SdkHttpClient http) {
    this.name = name;
    this.region = region;
    this.endpoint = endpoint.orElseGet(() -> usual(region));
    this.credentials = credentials;
    this.http = http;
  }

  private static URI usual(Region region) {
    return URI.create(
        "https://%s.%s.%s/"
            .formatted(SERVICE, region.id(), region.metadata().partition().dnsSuffix()));
  }

  @Override
  public Answer publish(Published event) {
    byte[] body = body(event).toString().getBytes(StandardCharsets.UTF_8);
    SdkHttpFullRequest plain =
        SdkHttpFullRequest.builder()
            .uri(endpoint)
            .method(SdkHttpMethod.POST)
            .putHeader("Content-Type", "application/x-amz-json-1.1")
            .putHeader("Content-Length", Integer.toString(body.length))
            .putHeader("X-Amz-Target", "AWSEvents.PutEvents")
            .build();
    try {
      SignedRequest signed =
          signer.sign(
              request ->
                  request
                      .identity(credentials.resolveCredentials())
                      .request(plain)
                      .payload(() -> new ByteArrayInputStream(body))
                      .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, SERVICE)
                      .putProperty(AwsV4HttpSigner.REGION_NAME, region.id()));
      return answer(
          http.prepareRequest(
                  HttpExecuteRequest.builder()
                      .request(signed.request())
                      .contentStreamProvider(() -> new ByteArrayInputStream(body))
                      .build())
              .call());
    } catch (IOException | SdkException _) {
      return new Answer.None(Trouble.NOT_CONNECTED);
    }
  }

  private ObjectNode body(Published event) {
    ObjectNode body = JsonFormat.JSON.createObjectNode();
    body.putArray("Entries")
        .addObject()
        .put("Time", event.at().getEpochSecond())
        .put("Source", SOURCE)
        .put("DetailType", event.type())
        .put("Detail", event.detail())
        .put("EventBusName", name);
    return body;
  }

  /// The service answers a call with success that kept nothing, too.
  private static Answer answer(HttpExecuteResponse response) throws IOException {
    int status = response.httpResponse().statusCode();
    byte[] body = new byte[0];
    Optional<AbortableInputStream> stream = response.responseBody();
    if (stream.isPresent()) {
      try (AbortableInputStream in = stream.get()) {
        body = in.readNBytes(ANSWER_BYTES_MAX);
      }
    }
    if (status / 100 != 2) {
      return new Answer.Status(status, Optional.empty());
    }
    JsonNode failed = JsonFormat.JSON.readTree(body).path("FailedEntryCount");
    return failed.isInt() && failed.intValue() == 0
        ? new Answer.Status(status, Optional.empty())
        : new Answer.None(Trouble.NOT_KEPT);
  }
}
