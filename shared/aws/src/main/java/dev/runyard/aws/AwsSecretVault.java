package dev.runyard.aws;

import dev.runyard.core.secret.Fetched;
import dev.runyard.core.secret.SecretTrouble;
import dev.runyard.core.secret.SecretVault;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.ssm.SsmClient;

/// Secrets Manager and SSM. A client is made for the first secret it is asked for: most runners
/// need none, and each takes a tenth of a second to make. What is throttled or has no answer is
/// tried again by the client, within the time of one call.
public final class AwsSecretVault implements SecretVault {
  private static final Set<String> UNKNOWN =
      Set.of(
          "ResourceNotFoundException",
          "ParameterNotFound",
          "ParameterVersionNotFound",
          "InvalidRequestException",
          "InvalidParameterException",
          "ValidationException");
  private static final Set<String> KEY =
      Set.of("DecryptionFailure", "EncryptionFailure", "InvalidKeyId");
  private static final Set<String> CREDENTIALS =
      Set.of(
          "UnrecognizedClientException",
          "InvalidClientTokenId",
          "ExpiredTokenException",
          "InvalidSignatureException");
  private static final String DENIED = "AccessDenied";
  private static final String KMS = "kms";

  private final Once<SecretsManagerClient> secrets;
  private final Once<SsmClient> parameters;

  /// @param secrets makes the client of Secrets Manager
  /// @param parameters makes the client of SSM
  public AwsSecretVault(Supplier<SecretsManagerClient> secrets, Supplier<SsmClient> parameters) {
    this.secrets = new Once<>(secrets);
    this.parameters = new Once<>(parameters);
  }

  @Override
  public Fetched secret(String id) {
    return fetched(
        () ->
            Optional.ofNullable(
                secrets.get().getSecretValue(get -> get.secretId(id)).secretString()));
  }

  @Override
  public Fetched parameter(String name) {
    return fetched(
        () ->
            Optional.ofNullable(
                parameters
                    .get()
                    .getParameter(get -> get.name(name).withDecryption(true))
                    .parameter()
                    .value()));
  }

  private static Fetched fetched(Supplier<Optional<String>> call) {
    try {
      return call.get()
          .map(SecretVault::checked)
          .orElseGet(() -> new Fetched.Unavailable(SecretTrouble.NO_TEXT));
    } catch (AwsServiceException e) {
      return new Fetched.Unavailable(trouble(e));
    } catch (SdkException _) {
      return new Fetched.Unavailable(SecretTrouble.UNREACHABLE);
    }
  }

  private static SecretTrouble trouble(AwsServiceException e) {
    String code = ServiceCall.code(e);
    boolean ofKey = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains(KMS);
    if (UNKNOWN.contains(code)) {
      return SecretTrouble.UNKNOWN;
    }
    if (KEY.contains(code) || code.startsWith("KMS")) {
      return SecretTrouble.KEY_UNAVAILABLE;
    }
    if (code.startsWith(DENIED)) {
      return ofKey ? SecretTrouble.KEY_UNAVAILABLE : SecretTrouble.NO_RIGHT;
    }
    return CREDENTIALS.contains(code) ? SecretTrouble.NO_RIGHT : SecretTrouble.UNREACHABLE;
  }

  /// A client that is made at its first use. Thread-safe.
  private static final class Once<T> {
    private final Supplier<T> maker;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable T made;

    Once(Supplier<T> maker) {
      this.maker = maker;
    }

    T get() {
      lock.lock();
      try {
        T there = made;
        if (there == null) {
          there = maker.get();
          made = there;
        }
        return there;
      } finally {
        lock.unlock();
      }
    }
  }
}
