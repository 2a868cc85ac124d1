package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads the policies of functions and roles. A policy outside of the template cannot be evaluated
/// and is an error: what the template does not allow, nobody may do.
final class Roles {
  private final Template template;
  private final Blueprint blueprint;

  Roles(Template template, Blueprint blueprint) {
    this.template = template;
    this.blueprint = blueprint;
  }

  /// The role SAM creates for a function, or the function's own, either named after the function.
  RoleDeclaration of(Resource function) {
    String id = function.logicalId();
    if (function.properties().has("PermissionsBoundary")) {
      throw new TemplateException(
          id + " has a PermissionsBoundary, which the local stack cannot judge");
    }
    if (function.properties().has("Role")) {
      return new RoleDeclaration(id, own(function));
    }
    List<RoleDeclaration.Document> documents = new ArrayList<>();
    JsonNode policies = blueprint.resolve(function.properties().path("Policies"));
    for (JsonNode policy : policies.isArray() ? policies : array(policies)) {
      documents.add(policy.isTextual() ? managed(id, policy.textValue()) : document(id, policy));
    }
    for (Map.Entry<String, JsonNode> event : function.properties().path("Events").properties()) {
      failures(event.getValue().path("Properties"))
          .map(queue -> new RoleDeclaration.Document(id + "." + event.getKey(), queue, true))
          .ifPresent(documents::add);
    }
    return new RoleDeclaration(id, documents);
  }

  /// SAM adds nothing to a function's own role, and ignores policies beside it.
  private List<RoleDeclaration.Document> own(Resource function) {
    String id = function.logicalId();
    String arn = blueprint.resolve(function.properties().path("Role")).asText();
    if (function.properties().has("Policies")) {
      throw new TemplateException(id + " has a Role, so its Policies grant nothing");
    }
    return template.resources().values().stream()
        .filter(role -> ResourceKind.of(role) == ResourceKind.ROLE)
        .filter(role -> LocalReferences.roleArn(role.logicalId()).equals(arn))
        .findFirst()
        .map(role -> ofRole(role).documents())
        .orElseThrow(
            () -> new TemplateException(id + " has the Role " + arn + ", which is not here"));
  }

  /// A role of the template itself.
  RoleDeclaration ofRole(Resource role) {
    String id = role.logicalId();
    JsonNode properties = blueprint.resolve(role.properties());
    if (properties.has("PermissionsBoundary")) {
      throw new TemplateException(
          id + " has a PermissionsBoundary, which the local stack cannot judge");
    }
    List<RoleDeclaration.Document> documents = new ArrayList<>();
    for (JsonNode arn : properties.path("ManagedPolicyArns")) {
      documents.add(managed(id, arn.asText()));
    }
    for (JsonNode policy : properties.path("Policies")) {
      documents.add(document(id, policy.path("PolicyDocument")));
    }
    return new RoleDeclaration(id, documents);
  }

  private RoleDeclaration.Document managed(String role, String arn) {
    Resource policy =
        template.resources().values().stream()
            .filter(one -> ResourceKind.of(one) == ResourceKind.POLICY)
            .filter(one -> LocalReferences.policyArn(one.logicalId()).equals(arn))
            .findFirst()
            .orElseThrow(
                () ->
                    new TemplateException(
                        role
                            + " has the policy "
                            + arn
                            + ", which is not in the template; write its statements out"));
    return document(
        policy.logicalId(), blueprint.resolve(policy.properties().path("PolicyDocument")));
  }

  private static RoleDeclaration.Document document(String origin, JsonNode document) {
    if (!document.has("Statement")) {
      throw new TemplateException(
          origin + " has a policy without statements, which the local stack cannot judge");
    }
    return new RoleDeclaration.Document(origin, document.path("Statement"), false);
  }

  /// Lambda sends notes of failed records to a queue on the function's behalf, which SAM permits.
  private Optional<JsonNode> failures(JsonNode event) {
    JsonNode failure = blueprint.resolve(event.path("DestinationConfig")).path("OnFailure");
    if (!failure.path("Type").asText().equals("SQS")) {
      return Optional.empty();
    }
    return Optional.of(
        JsonNodeFactory.instance
            .objectNode()
            .put("Effect", "Allow")
            .put("Action", "sqs:SendMessage")
            .put("Resource", failure.path("Destination").asText()));
  }

  private static JsonNode array(JsonNode one) {
    var array = JsonNodeFactory.instance.arrayNode();
    return one.isMissingNode() ? array : array.add(one);
  }
}
