package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Locale;
import java.util.Map;

/// The return values of the stack's resources. A resource that is not needed locally has its own
/// name as its value, which is enough if it is only passed on, such as a subnet.
final class LocalReferences implements References {
  private final Template template;
  private final Map<String, String> queueUrls;

  /// @param queueUrls by logical id; empty while no queue exists yet
  LocalReferences(Template template, Map<String, String> queueUrls) {
    this.template = template;
    this.queueUrls = queueUrls;
  }

  @Override
  public JsonNode ref(String name) {
    return template
        .parameter(name)
        .or(() -> PseudoParameters.value(name))
        .orElseGet(() -> text(resourceRef(name)));
  }

  private String resourceRef(String name) {
    Resource resource = resource(name);
    return switch (ResourceKind.of(resource)) {
      case QUEUE -> queueUrl(name);
      case TASK -> PseudoParameters.arn("ecs", "task-definition/" + physicalName(resource) + ":1");
      case POLICY -> policyArn(name);
      case TABLE, BUCKET, FUNCTION, CLUSTER, ROLE, API -> physicalName(resource);
      case NOT_NEEDED -> "local-" + name;
    };
  }

  @Override
  public JsonNode attribute(String logicalId, String attribute) {
    Resource resource = resource(logicalId);
    ResourceKind kind = ResourceKind.of(resource);
    if (kind == ResourceKind.NOT_NEEDED || kind == ResourceKind.API) {
      return text("local-" + logicalId);
    }
    String name = physicalName(resource);
    return text(
        switch (kind + "." + attribute) {
          case "TABLE.Arn" -> PseudoParameters.arn("dynamodb", "table/" + name);
          case "TABLE.StreamArn" -> streamArn(name);
          case "BUCKET.Arn" -> "arn:aws:s3:::" + name;
          case "QUEUE.Arn" -> queueArn(name);
          case "QUEUE.QueueName" -> name;
          case "QUEUE.QueueUrl" -> queueUrl(logicalId);
          case "FUNCTION.Arn" -> PseudoParameters.arn("lambda", "function:" + name);
          case "CLUSTER.Arn" -> PseudoParameters.arn("ecs", "cluster/" + name);
          case "ROLE.Arn" -> roleArn(logicalId);
          case "TASK.TaskDefinitionArn" ->
              PseudoParameters.arn("ecs", "task-definition/" + name + ":1");
          default ->
              throw new TemplateException(
                  logicalId + " has no attribute " + attribute + " in the local stack");
        });
  }

  String physicalName(Resource resource) {
    JsonNode properties = resource.properties();
    JsonNode given =
        switch (ResourceKind.of(resource)) {
          case TABLE -> properties.path("TableName");
          case BUCKET -> properties.path("BucketName");
          case QUEUE -> properties.path("QueueName");
          case FUNCTION -> properties.path("FunctionName");
          case CLUSTER -> properties.path("ClusterName");
          case TASK -> properties.path("Family");
          case ROLE -> properties.path("RoleName");
          case POLICY -> properties.path("ManagedPolicyName");
          case API, NOT_NEEDED -> properties.path("Name");
        };
    JsonNode name = template.resolve(given, this);
    if (name.isTextual()) {
      return name.textValue();
    }
    return ResourceKind.of(resource) == ResourceKind.BUCKET
        ? resource.logicalId().toLowerCase(Locale.ROOT)
        : resource.logicalId();
  }

  static String streamArn(String table) {
    return PseudoParameters.arn("dynamodb", "table/" + table + "/stream/local");
  }

  static String roleArn(String logicalId) {
    return PseudoParameters.globalArn("iam", "role/" + logicalId);
  }

  static String policyArn(String logicalId) {
    return PseudoParameters.globalArn("iam", "policy/" + logicalId);
  }

  static String queueArn(String queue) {
    return PseudoParameters.arn("sqs", queue);
  }

  private String queueUrl(String logicalId) {
    String url = queueUrls.get(logicalId);
    if (url == null) {
      throw new TemplateException("the address of " + logicalId + " is not known here");
    }
    return url;
  }

  private Resource resource(String logicalId) {
    Resource resource = template.resources().get(logicalId);
    if (resource == null) {
      throw new TemplateException(
          logicalId + " is neither a parameter nor a resource of the stack");
    }
    return resource;
  }

  private static JsonNode text(String value) {
    return JsonNodeFactory.instance.textNode(value);
  }
}
