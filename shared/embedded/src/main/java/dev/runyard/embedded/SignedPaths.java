package dev.runyard.embedded;

import dev.runyard.core.ids.Ids;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Paths that say themselves what they allow, with a code that only whoever made them can make, so
/// that nothing is kept of paths that nobody uses.
final class SignedPaths {
  private static final String MAC = "HmacSHA256";

  private final String prefix;
  private final SecretKeySpec secret;

  /// @param prefix what they begin with
  SignedPaths(String prefix, Ids ids) {
    this.prefix = prefix;
    String drawn = ids.token() + ids.token();
    this.secret = new SecretKeySpec(drawn.getBytes(StandardCharsets.UTF_8), MAC);
  }

  /// The path that allows what the fields say.
  String made(List<String> fields) {
    byte[] text =
        fields.stream()
            .map(field -> URLEncoder.encode(field, StandardCharsets.UTF_8))
            .collect(Collectors.joining(" "))
            .getBytes(StandardCharsets.UTF_8);
    return prefix + encoded(text) + "." + encoded(code(text));
  }

  /// The fields of a path; empty if it was not made here.
  Optional<List<String>> read(String path) {
    String[] parts =
        path.startsWith(prefix) ? path.substring(prefix.length()).split("\\.", -1) : new String[0];
    if (parts.length != 2) {
      return Optional.empty();
    }
    try {
      byte[] text = Base64.getUrlDecoder().decode(parts[0]);
      return MessageDigest.isEqual(code(text), Base64.getUrlDecoder().decode(parts[1]))
          ? Optional.of(fields(new String(text, StandardCharsets.UTF_8)))
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static List<String> fields(String text) {
    return Arrays.stream(text.split(" ", -1))
        .map(field -> URLDecoder.decode(field, StandardCharsets.UTF_8))
        .toList();
  }

  private byte[] code(byte[] text) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(secret);
      return mac.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no " + MAC, e);
    }
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
