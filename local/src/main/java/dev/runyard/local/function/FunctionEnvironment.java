package dev.runyard.local.function;

import dev.runyard.local.rights.RoleKeys;
import dev.runyard.local.template.FunctionDeclaration;
import dev.runyard.local.template.PseudoParameters;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/// The variables AWS would give every function and task, with this machine's addresses. Of the
/// credentials the id is a secret, which says who signs ([RoleKeys]); no signature is checked.
public record FunctionEnvironment(URI dynamo, URI sqs, URI ecs, URI s3, RoleKeys keys) {
  public static final String CREDENTIAL = "local";

  /// The variables of everything that acts in a role.
  public Map<String, String> common(String role) {
    return Map.of(
        "AWS_REGION",
        PseudoParameters.REGION,
        "AWS_DEFAULT_REGION",
        PseudoParameters.REGION,
        "AWS_ACCESS_KEY_ID",
        keys.id(role),
        "AWS_SECRET_ACCESS_KEY",
        CREDENTIAL,
        "AWS_ENDPOINT_URL_DYNAMODB",
        dynamo.toString(),
        "AWS_ENDPOINT_URL_SQS",
        sqs.toString(),
        "AWS_ENDPOINT_URL_ECS",
        ecs.toString(),
        "AWS_ENDPOINT_URL_S3",
        s3.toString());
  }

  /// The variables of a function.
  ///
  /// @param declared the template's variables for the function; they override the common ones
  public Map<String, String> of(FunctionDeclaration function, Map<String, String> declared) {
    Map<String, String> variables = new HashMap<>(common(function.logicalId()));
    variables.put("AWS_LAMBDA_FUNCTION_NAME", function.name());
    variables.putAll(declared);
    return Map.copyOf(variables);
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
