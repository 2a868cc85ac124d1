package dev.runyard.core.hook;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.ids.Digest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Checks that a delivery comes from the sender of its hook, over the bytes as they arrived.
final class HookProof {
  private static final Pattern WHOLE = Pattern.compile("[0-9]{1,15}");
  private static final String STANDARD_PREFIX = "whsec_";
  private static final String STANDARD_VERSION = "v1,";
  private static final String STANDARD_SIGNATURE = "webhook-signature";
  private static final String SLACK_VERSION = "v0";
  private static final byte[] STOP = Hmac.utf8(".");

  /// A number above this counts milliseconds: as seconds it would be in the year 5138.
  private static final long SECONDS_MAX = 99_999_999_999L;

  private final HookDefinition hook;
  private final HookRequest request;
  private final byte[] key;
  private final Instant now;

  /// @param key what the sender signs with
  /// @param now the time that a signed time is compared with
  HookProof(HookDefinition hook, HookRequest request, byte[] key, Instant now) {
    this.hook = hook;
    this.request = request;
    this.key = key.clone();
    this.now = now;
  }

  /// What came of it.
  sealed interface Result {
    /// It comes from there.
    ///
    /// @param id the sender's name for the delivery; empty if it has none
    /// @param marks what the same delivery has again: by each of these it is recognised
    record Proven(String id, List<String> marks) implements Result {
      public Proven {
        marks = List.copyOf(marks);
      }
    }

    record Unproven(String reason) implements Result {}
  }

  /// The key that a secret's text is, for the sender of a hook; empty if it is none.
  static Optional<byte[]> key(HookDefinition hook, HookRequest request, String secret) {
    byte[] key = Hmac.utf8(secret);
    if (isStandard(hook, request)) {
      try {
        key =
            Base64.getDecoder()
                .decode(
                    secret.startsWith(STANDARD_PREFIX)
                        ? secret.substring(STANDARD_PREFIX.length())
                        : secret);
      } catch (IllegalArgumentException _) {
        return Optional.empty();
      }
    }
    return key.length < HookLimits.SECRET_BYTES_MIN ? Optional.empty() : Optional.of(key);
  }

  private static boolean isStandard(HookDefinition hook, HookRequest request) {
    return switch (hook.sender()) {
      case STANDARD_WEBHOOKS -> true;
      case GITLAB -> request.header(STANDARD_SIGNATURE).isPresent();
      case GITHUB, SLACK, HMAC -> false;
    };
  }

  Result check() {
    return switch (hook.sender()) {
      case GITHUB -> gitHub();
      case GITLAB -> isStandard(hook, request) ? standard() : gitLabToken();
      case SLACK -> slack();
      case STANDARD_WEBHOOKS -> standard();
      case HMAC -> hook.hmac().map(this::plain).orElseGet(() -> unproven("it has no scheme"));
    };
  }

  /// Neither the id nor a time is signed, so the body itself is a mark too.
  private Result gitHub() {
    Optional<byte[]> given = request.header("x-hub-signature-256").flatMap(h -> hex("sha256=", h));
    if (given.isEmpty()) {
      return unproven("it has no X-Hub-Signature-256");
    }
    return Hmac.same(Hmac.of(key, request.body()), given.get())
        ? proven(request.header("x-github-delivery"), Optional.of(Digest.of(request.body())))
        : otherSignature();
  }

  /// The token is all there is: who has it can send anything.
  private Result gitLabToken() {
    Optional<String> token = request.header("x-gitlab-token");
    if (token.isEmpty()) {
      return unproven("it has neither webhook-signature nor X-Gitlab-Token");
    }
    Optional<String> id =
        request
            .header("webhook-id")
            .or(() -> request.header("idempotency-key"))
            .or(() -> request.header("x-gitlab-event-uuid"));
    return Hmac.same(Digest.of(key), Digest.of(Hmac.utf8(token.get())))
        ? proven(id, id.isPresent() ? Optional.empty() : Optional.of(Digest.of(request.body())))
        : unproven("its X-Gitlab-Token is another one");
  }

  /// The time is signed, and within its window the body tells deliveries apart.
  private Result slack() {
    Optional<String> time = request.header("x-slack-request-timestamp").filter(HookProof::isWhole);
    Optional<byte[]> given =
        request.header("x-slack-signature").flatMap(h -> hex(SLACK_VERSION + "=", h));
    if (time.isEmpty() || given.isEmpty()) {
      return unproven("it has no X-Slack-Request-Timestamp or no X-Slack-Signature");
    }
    byte[] begin = Hmac.utf8("%s:%s:".formatted(SLACK_VERSION, time.get()));
    if (!Hmac.same(Hmac.of(key, begin, request.body()), given.get())) {
      return otherSignature();
    }
    return timely(
        Long.parseLong(time.get()),
        proven(Optional.empty(), Optional.of(Digest.of(request.body()))));
  }

  private Result standard() {
    Optional<String> id = request.header("webhook-id").filter(text -> !text.contains("."));
    Optional<String> time = request.header("webhook-timestamp").filter(HookProof::isWhole);
    Optional<String> signatures = request.header(STANDARD_SIGNATURE);
    if (id.isEmpty() || time.isEmpty() || signatures.isEmpty()) {
      return unproven("it has no webhook-id, webhook-timestamp or webhook-signature");
    }
    List<byte[]> given = new ArrayList<>();
    for (String one : signatures.get().split(" ", HookLimits.SIGNATURES_MAX + 1)) {
      if (one.startsWith(STANDARD_VERSION) && given.size() < HookLimits.SIGNATURES_MAX) {
        base64(one.substring(STANDARD_VERSION.length())).ifPresent(given::add);
      }
    }
    byte[] begin = Hmac.utf8("%s.%s.".formatted(id.get(), time.get()));
    if (!Hmac.isAmong(Hmac.of(key, begin, request.body()), given)) {
      return otherSignature();
    }
    return timely(Long.parseLong(time.get()), proven(id, Optional.empty()));
  }

  private Result plain(HmacScheme scheme) {
    Optional<byte[]> given = request.header(scheme.header()).flatMap(scheme::signature);
    if (given.isEmpty()) {
      return unproven("its header %s has no signature".formatted(scheme.header()));
    }
    Optional<String> time =
        scheme.timestampHeader().flatMap(request::header).filter(HookProof::isWhole);
    if (scheme.timestampHeader().isPresent() && time.isEmpty()) {
      return unproven("it has no time in its header");
    }
    byte[] begin = time.map(text -> Hmac.utf8(text + ".")).orElse(new byte[0]);
    if (!Hmac.same(Hmac.of(key, begin, request.body()), given.get())) {
      return otherSignature();
    }
    Result proven =
        proven(
            scheme.deliveryHeader().flatMap(request::header),
            Optional.of(Digest.of(begin, STOP, request.body())));
    if (time.isPresent()) {
      return timely(Long.parseLong(time.get()), proven);
    }
    return scheme.timestampPointer().map(at -> timely(at, proven)).orElse(proven);
  }

  private Result timely(JsonPointer at, Result proven) {
    if (!(HookPayload.read(request) instanceof HookPayload.Result.Read(HookPayload payload))) {
      return unproven("its body has no time that could be read");
    }
    JsonNode time = payload.json().at(at);
    return isWhole(time.asText())
        ? timely(Long.parseLong(time.asText()), proven)
        : unproven("its body has no time at " + at);
  }

  private Result timely(long given, Result proven) {
    Instant signed =
        given > SECONDS_MAX ? Instant.ofEpochMilli(given) : Instant.ofEpochSecond(given);
    Duration away = Duration.between(signed, now).abs();
    return away.compareTo(Duration.ofSeconds(hook.toleranceSeconds())) > 0
        ? unproven(
            "it was signed %d s before or after now, more than tolerance_seconds"
                .formatted(away.toSeconds()))
        : proven;
  }

  private static Result proven(Optional<String> id, Optional<byte[]> digest) {
    List<String> marks = new ArrayList<>();
    id.ifPresent(text -> marks.add("id " + text));
    digest.ifPresent(bytes -> marks.add("bytes " + HexFormat.of().formatHex(bytes)));
    return new Result.Proven(id.orElse(""), marks);
  }

  private static Result unproven(String reason) {
    return new Result.Unproven(reason);
  }

  private static Result otherSignature() {
    return unproven("its signature is of another body or another secret");
  }

  private static boolean isWhole(String text) {
    return WHOLE.matcher(text).matches();
  }

  private static Optional<byte[]> hex(String prefix, String given) {
    try {
      return given.startsWith(prefix)
          ? Optional.of(HexFormat.of().parseHex(given.substring(prefix.length())))
          : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<byte[]> base64(String text) {
    try {
      return Optional.of(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }
}
