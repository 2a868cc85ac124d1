package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Optional;

/// `AWS::Region` and the other names CloudFormation gives every template.
public final class PseudoParameters {
  public static final String REGION = "us-east-1";
  public static final String ACCOUNT = "000000000000";
  public static final String STACK_NAME = "runyard";

  private PseudoParameters() {}

  static Optional<JsonNode> value(String name) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    return switch (name) {
      case "AWS::Region" -> Optional.of(json.textNode(REGION));
      case "AWS::AccountId" -> Optional.of(json.textNode(ACCOUNT));
      case "AWS::Partition" -> Optional.of(json.textNode("aws"));
      case "AWS::URLSuffix" -> Optional.of(json.textNode("amazonaws.com"));
      case "AWS::StackName" -> Optional.of(json.textNode(STACK_NAME));
      case "AWS::StackId" ->
          Optional.of(json.textNode(arn("cloudformation", "stack/" + STACK_NAME)));
      case "AWS::NotificationARNs" -> Optional.of(json.arrayNode());
      case "AWS::NoValue" -> Optional.of(MissingNode.getInstance());
      default -> Optional.empty();
    };
  }

  public static String arn(String service, String resource) {
    return "arn:aws:" + service + ":" + REGION + ":" + ACCOUNT + ":" + resource;
  }

  /// The ARN of something without a region.
  static String globalArn(String service, String resource) {
    return "arn:aws:" + service + "::" + ACCOUNT + ":" + resource;
  }
}
