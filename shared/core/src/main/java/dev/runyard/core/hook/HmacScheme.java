package dev.runyard.core.hook;

import com.fasterxml.jackson.core.JsonPointer;
import dev.runyard.core.json.JsonFields;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// How a sender without a scheme of its own signs: HMAC with SHA-256 over the body, or over a time,
/// a full stop and the body.
///
/// @param header that has the signature
/// @param base64 whether it is in base64; else in hexadecimal
/// @param prefix before the signature, such as `sha256=`
/// @param timestampHeader that has the signed time, if it is signed beside the body
/// @param timestampPointer where in the body the time is, if it is there
/// @param deliveryHeader that names the delivery, which is not signed
record HmacScheme(
    String header,
    boolean base64,
    String prefix,
    Optional<String> timestampHeader,
    Optional<JsonPointer> timestampPointer,
    Optional<String> deliveryHeader) {
  static final String MEMBER = "hmac";
  private static final String HEADER = "header";
  private static final String ENCODING = "encoding";
  private static final String PREFIX = "prefix";
  private static final String TIMESTAMP_HEADER = "timestamp_header";
  private static final String TIMESTAMP_POINTER = "timestamp_pointer";
  private static final String DELIVERY_HEADER = "delivery_header";
  private static final Set<String> MEMBERS =
      Set.of(HEADER, ENCODING, PREFIX, TIMESTAMP_HEADER, TIMESTAMP_POINTER, DELIVERY_HEADER);
  private static final List<String> ENCODINGS = List.of("hex", "base64");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,63}");
  private static final Pattern PREFIXES = Pattern.compile("[!-~]{0,32}");

  /// Reads the member of a hook.
  static HmacScheme read(JsonFields members) {
    JsonFields scheme = members.object(MEMBER, MEMBERS);
    if (!scheme.has(HEADER)) {
      scheme.refuse(HEADER, "header is required: the one that has the signature");
    }
    String encoding = scheme.text(ENCODING).orElse(ENCODINGS.getFirst());
    if (!ENCODINGS.contains(encoding)) {
      scheme.refuse(ENCODING, "encoding must be one of " + String.join(", ", ENCODINGS));
    }
    String prefix = scheme.text(PREFIX).orElse("");
    if (!PREFIXES.matcher(prefix).matches()) {
      scheme.refuse(PREFIX, "prefix must have at most 32 printable ASCII characters, no blank");
    }
    if (scheme.has(TIMESTAMP_HEADER) && scheme.has(TIMESTAMP_POINTER)) {
      scheme.refuse(TIMESTAMP_POINTER, "The time is in a header or in the body, not in both");
    }
    return new HmacScheme(
        header(scheme, HEADER).orElse(""),
        encoding.equals("base64"),
        prefix,
        header(scheme, TIMESTAMP_HEADER),
        pointer(scheme),
        header(scheme, DELIVERY_HEADER));
  }

  private static Optional<String> header(JsonFields scheme, String member) {
    Optional<String> name = scheme.text(member);
    if (name.isPresent() && !NAME.matcher(name.get()).matches()) {
      scheme.refuse(member, member + " must be the name of a header");
    }
    return name;
  }

  private static Optional<JsonPointer> pointer(JsonFields scheme) {
    return scheme
        .text(TIMESTAMP_POINTER)
        .flatMap(
            text -> {
              if (HookSource.read(text).orElse(null) instanceof HookSource.Place(JsonPointer at)) {
                return Optional.of(at);
              }
              scheme.refuse(TIMESTAMP_POINTER, "timestamp_pointer must be a JSON Pointer");
              return Optional.empty();
            });
  }

  /// The bytes of a signature, if the header has the form of one.
  Optional<byte[]> signature(String given) {
    if (!given.startsWith(prefix)) {
      return Optional.empty();
    }
    String text = given.substring(prefix.length());
    try {
      return Optional.of(base64 ? Base64.getDecoder().decode(text) : HexFormat.of().parseHex(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
