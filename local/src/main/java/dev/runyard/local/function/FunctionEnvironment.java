package dev.runyard.local.function;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.Settings;
import dev.runyard.local.rights.RoleKeys;
import dev.runyard.local.template.FunctionDeclaration;
import dev.runyard.local.template.PseudoParameters;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// The variables AWS would give every function and task, with this machine's addresses. Of the
/// credentials the id is a secret, which says who signs ([RoleKeys]); no signature is checked.
///
/// @param secrets where Secrets Manager and SSM are
/// @param events where EventBridge is
public record FunctionEnvironment(
    URI dynamo, URI sqs, URI ecs, URI s3, URI secrets, URI events, RoleKeys keys) {
  public static final String CREDENTIAL = "local";

  /// What stands still for longer is broken.
  static final int EMULATOR_SECONDS_MAX = 60;

  /// The variables of everything that acts in a role.
  public Map<String, String> common(String role) {
    return Map.ofEntries(
        Map.entry("AWS_REGION", PseudoParameters.REGION),
        Map.entry("AWS_DEFAULT_REGION", PseudoParameters.REGION),
        Map.entry("AWS_ACCESS_KEY_ID", keys.id(role)),
        Map.entry("AWS_SECRET_ACCESS_KEY", CREDENTIAL),
        Map.entry("AWS_ENDPOINT_URL_DYNAMODB", dynamo.toString()),
        Map.entry("AWS_ENDPOINT_URL_SQS", sqs.toString()),
        Map.entry("AWS_ENDPOINT_URL_ECS", ecs.toString()),
        Map.entry("AWS_ENDPOINT_URL_S3", s3.toString()),
        Map.entry("AWS_ENDPOINT_URL_EVENTBRIDGE", events.toString()),
        Map.entry("AWS_ENDPOINT_URL_SECRETS_MANAGER", secrets.toString()),
        Map.entry("AWS_ENDPOINT_URL_SSM", secrets.toString()));
  }

  /// The variables of a function. A call of an emulator has as much time as leaves the function
  /// time for two that fail: the emulator waits for the same processors as the function.
  ///
  /// @param declared the template's variables for the function; they override the common ones
  public Map<String, String> of(FunctionDeclaration function, Map<String, String> declared) {
    Map<String, String> variables = new HashMap<>(common(function.logicalId()));
    variables.put("AWS_LAMBDA_FUNCTION_NAME", function.name());
    variables.put(Settings.ONE_MACHINE, "true");
    variables.put(Settings.CALL_SECONDS, Integer.toString(callSeconds(function.timeout())));
    variables.putAll(declared);
    return Map.copyOf(variables);
  }

  private static int callSeconds(Duration timeout) {
    return Math.clamp(
        (timeout.toSeconds() - 1) / 2, AwsClients.CALL_SECONDS_MAX, EMULATOR_SECONDS_MAX);
  }

  static String arn(String functionName) {
    return "arn:aws:lambda:"
        + PseudoParameters.REGION
        + ":"
        + PseudoParameters.ACCOUNT
        + ":function:"
        + functionName;
  }
}
