package dev.runyard.cli.client;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;

/// Signs calls of an API that is open to AWS credentials (SigV4). Only requests are signed, so a
/// stream of events is read as any other answer.
final class AwsSignature {
  private static final String SERVICE = "execute-api";

  /// The JDK's client sets these itself and refuses to be told.
  private static final Set<String> OF_THE_CLIENT = Set.of("host", "content-length");

  private final String region;
  private final AwsCredentialsProvider credentials;
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

  AwsSignature(String region, AwsCredentialsProvider credentials) {
    this.region = region;
    this.credentials = credentials;
  }

  /// With the credentials of the named profile, or else those that the SDK finds; it looks for them
  /// when the first call is signed.
  static AwsSignature of(Authentication.Aws aws) {
    return new AwsSignature(
        aws.region(),
        aws.profile()
            .<AwsCredentialsProvider>map(ProfileCredentialsProvider::create)
            .orElseGet(() -> DefaultCredentialsProvider.builder().build()));
  }

  /// The signed call. Its address is the one that was signed, in which the query has another order.
  ///
  /// @throws NotSent when this machine has no credentials
  Call on(Call call) throws NotSent {
    SdkHttpFullRequest.Builder plain =
        SdkHttpFullRequest.builder().uri(call.uri()).method(SdkHttpMethod.fromValue(call.method()));
    call.headers().forEach(plain::putHeader);
    try {
      return sent(call, signed(plain.build(), call.body()));
    } catch (SdkException e) {
      throw new NotSent(
          "nothing was sent: there are no AWS credentials to sign it with. " + e.getMessage());
    }
  }

  private SignedRequest signed(SdkHttpFullRequest plain, String body) {
    return signer.sign(
        request ->
            request
                .identity(credentials.resolveCredentials())
                .request(plain)
                .payload(() -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, SERVICE)
                .putProperty(AwsV4HttpSigner.REGION_NAME, region));
  }

  private static Call sent(Call call, SignedRequest signed) {
    Map<String, String> headers = new LinkedHashMap<>();
    signed
        .request()
        .forEachHeader(
            (name, values) -> {
              if (!OF_THE_CLIENT.contains(name.toLowerCase(Locale.ROOT))) {
                headers.put(name, String.join(",", values));
              }
            });
    return new Call(call.method(), signed.request().getUri(), headers, call.body());
  }
}
