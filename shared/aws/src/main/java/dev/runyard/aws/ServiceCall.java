package dev.runyard.aws;

import dev.runyard.core.problem.PortUnavailable;
import java.util.Set;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/// A call of a service that either answers or is a [PortUnavailable]. Errors about malformed
/// requests are mistakes of this code and are passed on unchanged: trying again cannot help.
final class ServiceCall {
  private static final Set<String> MISTAKES =
      Set.of(
          "ValidationException",
          "SerializationException",
          "InvalidParameterException",
          "InvalidParameterValue",
          "MissingParameter",
          "InvalidMessageContents");

  private ServiceCall() {}

  /// @param name of the call, for the message
  static <T> T answer(String name, Supplier<T> call) {
    try {
      return call.get();
    } catch (AwsServiceException e) {
      String code = code(e);
      if (MISTAKES.contains(code)) {
        throw e;
      }
      throw new PortUnavailable(name + " was refused: " + code, e);
    } catch (SdkException e) {
      throw new PortUnavailable(name + " got no answer", e);
    }
  }

  static String code(AwsServiceException e) {
    return e.awsErrorDetails() == null || e.awsErrorDetails().errorCode() == null
        ? "HTTP " + e.statusCode()
        : e.awsErrorDetails().errorCode();
  }
}
