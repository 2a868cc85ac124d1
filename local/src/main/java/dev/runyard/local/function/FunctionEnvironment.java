package dev.runyard.local.function;

import dev.runyard.local.template.PseudoParameters;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/// The variables AWS would give every function and task, with this machine's addresses in them. The
/// credentials are words, not secrets: the emulators check none.
public record FunctionEnvironment(URI dynamo, URI sqs, URI ecs, URI s3) {
  public static final String CREDENTIAL = "local";

  /// The variables shared by functions and tasks.
  public Map<String, String> common() {
    return Map.of(
        "AWS_REGION",
        PseudoParameters.REGION,
        "AWS_DEFAULT_REGION",
        PseudoParameters.REGION,
        "AWS_ACCESS_KEY_ID",
        CREDENTIAL,
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

  /// @param declared what the template gives the function; it wins over the common variables
  Map<String, String> of(String functionName, Map<String, String> declared) {
    Map<String, String> variables = new HashMap<>(common());
    variables.put("AWS_LAMBDA_FUNCTION_NAME", functionName);
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
