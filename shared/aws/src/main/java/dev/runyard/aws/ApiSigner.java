package dev.runyard.aws;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpFullRequest;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;

/// Signs requests to an API that is open to AWS credentials (SigV4). Only requests are signed, so a
/// stream of events is read as any other answer.
public final class ApiSigner {
  private static final String SERVICE = "execute-api";

  /// Clients of HTTP set these themselves.
  private static final Set<String> OF_THE_CLIENT = Set.of("host", "content-length");

  private final String region;
  private final AwsCredentialsProvider credentials;
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();

  public ApiSigner(String region, AwsCredentialsProvider credentials) {
    this.region = region;
    this.credentials = credentials;
  }

  /// A signer with the credentials of a profile of the AWS configuration, or else those that the
  /// SDK finds. It looks for them when the first request is signed.
  public static ApiSigner of(Optional<String> profile, String region) {
    return new ApiSigner(
        region,
        profile
            .<AwsCredentialsProvider>map(ProfileCredentialsProvider::create)
            .orElseGet(() -> DefaultCredentialsProvider.builder().build()));
  }

  /// The region that the SDK finds; empty if there is none.
  public static Optional<String> usualRegion() {
    try {
      return Optional.of(new DefaultAwsRegionProviderChain().getRegion().id());
    } catch (SdkException _) {
      return Optional.empty();
    }
  }

  /// What came of signing a request.
  public sealed interface Result {
    /// It can be sent.
    ///
    /// @param uri to send it to; the query has another order than that which was given
    /// @param headers all that it needs, but for those that clients set themselves
    record Signed(URI uri, Map<String, String> headers) implements Result {}

    /// There are no credentials.
    record Unsigned(String why) implements Result {}
  }

  /// Signs a request.
  ///
  /// @param body empty for none
  public Result sign(String method, URI uri, Map<String, String> headers, String body) {
    SdkHttpFullRequest.Builder plain =
        SdkHttpFullRequest.builder().uri(uri).method(SdkHttpMethod.fromValue(method));
    headers.forEach(plain::putHeader);
    try {
      return signed(signed(plain.build(), body.getBytes(StandardCharsets.UTF_8)));
    } catch (SdkException e) {
      return new Result.Unsigned(String.valueOf(e.getMessage()));
    }
  }

  private SignedRequest signed(SdkHttpFullRequest plain, byte[] body) {
    return signer.sign(
        request ->
            request
                .identity(credentials.resolveCredentials())
                .request(plain)
                .payload(() -> new ByteArrayInputStream(body))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, SERVICE)
                .putProperty(AwsV4HttpSigner.REGION_NAME, region));
  }

  private static Result signed(SignedRequest signed) {
    Map<String, String> headers = new LinkedHashMap<>();
    signed
        .request()
        .forEachHeader(
            (name, values) -> {
              if (!OF_THE_CLIENT.contains(name.toLowerCase(Locale.ROOT))) {
                headers.put(name, String.join(",", values));
              }
            });
    return new Result.Signed(signed.request().getUri(), headers);
  }
}
