package dev.runyard.cli.client;

import dev.runyard.aws.ApiSigner;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/// Shows a server who sends. A secret goes to the server it is for and to no other, and over https
/// or within this machine only.
final class Sender {
  private static final Pattern LOOPBACK =
      Pattern.compile("127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1]");

  private final Proof proof;

  /// Adds to a call what shows who sends it.
  @FunctionalInterface
  interface Proof {
    ApiCall on(ApiCall call) throws NotSent;
  }

  private Sender(Proof proof) {
    this.proof = proof;
  }

  static Sender of(URI server, Identification authentication) {
    return switch (authentication) {
      case Identification.None _ -> new Sender(call -> call);
      case Identification.Bearer(String secret) ->
          proving(server, call -> call.with("Authorization", "Bearer " + secret));
      case Identification.Aws(var profile, var region) ->
          signing(server, ApiSigner.of(profile, region));
    };
  }

  /// One that signs.
  static Sender signing(URI server, ApiSigner signer) {
    return proving(
        server,
        call ->
            switch (signer.sign(call.method(), call.uri(), call.headers(), call.body())) {
              case ApiSigner.Result.Signed(var uri, var headers) ->
                  new ApiCall(call.method(), uri, headers, call.body());
              case ApiSigner.Result.Unsigned(var why) ->
                  throw new NotSent(
                      "nothing was sent: there are no AWS credentials to sign it with. " + why);
            });
  }

  private static Sender proving(URI server, Proof proof) {
    return new Sender(
        call -> {
          guard(server, call.uri());
          return proof.on(call);
        });
  }

  /// The call with what shows who sends it.
  ///
  /// @throws NotSent when it must not be sent
  ApiCall authenticated(ApiCall call) throws NotSent {
    return proof.on(call);
  }

  private static void guard(URI server, URI uri) throws NotSent {
    if (!isPrivate(uri)) {
      throw new NotSent(
          "nothing was sent: over http, %s would show who you are to everybody on the way; use https"
              .formatted(server));
    }
    if (!uri.getScheme().equalsIgnoreCase(server.getScheme())
        || !uri.getRawAuthority().equals(server.getRawAuthority())) {
      throw new NotSent("nothing was sent: " + uri.getRawAuthority() + " is another server");
    }
  }

  /// Whether nobody on the way reads what is sent there.
  static boolean isPrivate(URI uri) {
    return "https".equalsIgnoreCase(uri.getScheme()) || isLoopback(String.valueOf(uri.getHost()));
  }

  private static boolean isLoopback(String host) {
    if (!"localhost".equalsIgnoreCase(host)) {
      return LOOPBACK.matcher(host).matches();
    }
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
    } catch (UnknownHostException _) {
      return false;
    }
  }
}
