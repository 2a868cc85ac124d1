package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Everything in a template that runs locally, in typed form, and the list of what does not.
public final class Blueprint {
  private static final Duration STOP_TIMEOUT_DEFAULT = Duration.ofSeconds(30);
  private static final String CORS_ORIGINS = "CorsOrigins";
  private static final List<String> QUEUE_ATTRIBUTES =
      List.of(
          "VisibilityTimeout",
          "DelaySeconds",
          "ReceiveMessageWaitTimeSeconds",
          "MessageRetentionPeriod",
          "MaximumMessageSize",
          "FifoQueue",
          "ContentBasedDeduplication");

  /// In place of an authorizer's name: there is none of this name, so the gateway asks nobody.
  private static final String BEARER = "BEARER";

  private final Template template;
  private final LocalReferences references;
  private final List<TableDeclaration> tables = new ArrayList<>();
  private final List<QueueDeclaration> queues = new ArrayList<>();
  private final List<FunctionDeclaration> functions = new ArrayList<>();
  private final List<TaskDeclaration> tasks = new ArrayList<>();
  private final List<String> clusters = new ArrayList<>();
  private final List<String> notNeeded = new ArrayList<>();
  private boolean bearer;

  public Blueprint(Template template) {
    this.template = template;
    this.references = new LocalReferences(template, Map.of());
    EventSources events = new EventSources(this);
    for (Resource resource : template.resources().values()) {
      switch (ResourceKind.of(resource)) {
        case TABLE -> tables.add(table(resource));
        case QUEUE -> queues.add(queue(resource));
        case FUNCTION -> functions.add(function(resource, events));
        case TASK -> tasks.add(task(resource));
        case CLUSTER -> clusters.add(references.physicalName(resource));
        // Every bucket exists.
        case BUCKET -> {}
        // Read together with the function or task that has them.
        case ROLE, POLICY -> {}
        case API -> {
          bearer |=
              resolve(resource.properties().path("Auth"))
                  .path("DefaultAuthorizer")
                  .asText()
                  .equals(BEARER);
          notNeeded.add(resource.logicalId());
        }
        case NOT_NEEDED -> notNeeded.add(resource.logicalId());
      }
    }
  }

  /// Whether the API passes requests on for its functions to find out who calls.
  public boolean bearerAccess() {
    return bearer;
  }

  public List<TableDeclaration> tables() {
    return List.copyOf(tables);
  }

  public List<QueueDeclaration> queues() {
    return List.copyOf(queues);
  }

  public List<FunctionDeclaration> functions() {
    return List.copyOf(functions);
  }

  public List<TaskDeclaration> tasks() {
    return List.copyOf(tasks);
  }

  /// Which pages of other origins may call the API.
  public CorsDeclaration cors() {
    return template.resources().values().stream()
        .filter(resource -> ResourceKind.of(resource) == ResourceKind.API)
        .map(resource -> resolve(resource.properties().path("Cors")))
        .filter(JsonNode::isObject)
        .map(this::cors)
        .findFirst()
        .orElse(CorsDeclaration.NONE);
  }

  private CorsDeclaration cors(JsonNode declared) {
    String origins = template.parameter(CORS_ORIGINS).map(JsonNode::asText).orElse("");
    return new CorsDeclaration(
        Arrays.stream(origins.split(",", -1))
            .filter(origin -> !origin.isEmpty())
            .collect(Collectors.toSet()),
        unquoted(declared.path("AllowMethods")),
        unquoted(declared.path("AllowHeaders")),
        unquoted(declared.path("MaxAge")));
  }

  /// The gateway takes fixed texts in quotes.
  private static String unquoted(JsonNode text) {
    return text.asText().replace("'", "");
  }

  /// Names of the ECS clusters.
  public List<String> clusters() {
    return List.copyOf(clusters);
  }

  /// Logical ids of the resources that have no local part.
  public List<String> notNeeded() {
    return List.copyOf(notNeeded);
  }

  /// A function's variables with every address filled in.
  ///
  /// @param queueUrls by logical id
  public Map<String, String> environment(
      FunctionDeclaration function, Map<String, String> queueUrls) {
    Map<String, String> variables = new LinkedHashMap<>();
    resolve(function.environment(), queueUrls)
        .properties()
        .forEach(e -> variables.put(e.getKey(), e.getValue().asText()));
    return variables;
  }

  /// A container's variables with every address filled in.
  public Map<String, String> environment(TaskDeclaration task, Map<String, String> queueUrls) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (JsonNode entry : resolve(task.environment(), queueUrls)) {
      variables.put(entry.path("Name").asText(), entry.path("Value").asText());
    }
    return variables;
  }

  /// The roles that functions and tasks act in, with their policies.
  public List<RoleDeclaration> roles() {
    Roles reader = new Roles(template, this);
    List<RoleDeclaration> roles = new ArrayList<>();
    functions.forEach(function -> roles.add(reader.of(resource(function.logicalId()))));
    for (TaskDeclaration task : tasks) {
      roles.add(
          ownRole(task)
              .map(role -> reader.ofRole(resource(role)))
              .orElseGet(() -> new RoleDeclaration(task.logicalId(), List.of())));
    }
    return List.copyOf(roles);
  }

  /// The name of the role a task acts in.
  public String role(TaskDeclaration task) {
    return ownRole(task).orElse(task.logicalId());
  }

  /// The ARNs of the roles that are passed on to the task by its start.
  public List<String> passedRoles(TaskDeclaration task) {
    return Stream.of("TaskRoleArn", "ExecutionRoleArn")
        .map(name -> resolve(resource(task.logicalId()).properties().path(name)))
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .toList();
  }

  /// Logical ids of everything a policy can name, by ARN.
  public Map<String, String> arns() {
    Map<String, String> ids = new HashMap<>();
    for (Resource resource : template.resources().values()) {
      switch (ResourceKind.of(resource)) {
        case TABLE, QUEUE, BUCKET, CLUSTER, ROLE ->
            ids.put(
                references.attribute(resource.logicalId(), "Arn").asText(), resource.logicalId());
        case FUNCTION, TASK, POLICY, API, NOT_NEEDED -> {}
      }
    }
    return ids;
  }

  private Optional<String> ownRole(TaskDeclaration task) {
    JsonNode arn = resolve(resource(task.logicalId()).properties().path("TaskRoleArn"));
    return arn.isTextual()
        ? Optional.of(
            byArn(ResourceKind.ROLE, "Arn", arn.textValue())
                .orElseThrow(
                    () -> new TemplateException(task.logicalId() + " has the unknown role " + arn)))
        : Optional.empty();
  }

  private Resource resource(String logicalId) {
    return Objects.requireNonNull(template.resources().get(logicalId));
  }

  JsonNode resolve(JsonNode node) {
    return template.resolve(node, references);
  }

  private JsonNode resolve(JsonNode node, Map<String, String> queueUrls) {
    return template.resolve(node, new LocalReferences(template, queueUrls));
  }

  /// The logical id of the resource of one kind whose ARN, as the template writes it, is `arn`.
  Optional<String> byArn(ResourceKind kind, String attribute, String arn) {
    return template.resources().values().stream()
        .filter(resource -> ResourceKind.of(resource) == kind)
        .map(Resource::logicalId)
        .filter(id -> references.attribute(id, attribute).asText().equals(arn))
        .findFirst();
  }

  private TableDeclaration table(Resource resource) {
    return new TableDeclaration(
        resource.logicalId(), references.physicalName(resource), resolve(resource.properties()));
  }

  private QueueDeclaration queue(Resource resource) {
    Map<String, String> attributes = new HashMap<>();
    for (String name : QUEUE_ATTRIBUTES) {
      JsonNode value = resolve(resource.properties().path(name));
      if (value.isValueNode() && !(value.isBoolean() && !value.booleanValue())) {
        attributes.put(name, value.asText());
      }
    }
    JsonNode policy = resolve(resource.properties().path("RedrivePolicy"));
    Optional<QueueDeclaration.Redrive> redrive =
        policy.isObject() ? Optional.of(redrive(resource, policy)) : Optional.empty();
    String name = references.physicalName(resource);
    if (attributes.containsKey("FifoQueue") && !name.endsWith(".fifo")) {
      name = name + ".fifo";
    }
    return new QueueDeclaration(resource.logicalId(), name, attributes, redrive);
  }

  private QueueDeclaration.Redrive redrive(Resource resource, JsonNode policy) {
    String arn = policy.path("deadLetterTargetArn").asText();
    String target =
        byArn(ResourceKind.QUEUE, "Arn", arn)
            .orElseThrow(
                () ->
                    new TemplateException(
                        resource.logicalId() + " sends its dead letters to an unknown queue"));
    return new QueueDeclaration.Redrive(target, policy.path("maxReceiveCount").asInt());
  }

  private FunctionDeclaration function(Resource resource, EventSources events) {
    JsonNode properties = resource.properties();
    return new FunctionDeclaration(
        resource.logicalId(),
        references.physicalName(resource),
        resolve(properties.path("Handler")).asText(),
        Duration.ofSeconds(resolve(properties.path("Timeout")).asInt(3)),
        resolve(properties.path("MemorySize")).asInt(128),
        reserved(properties.path("ReservedConcurrentExecutions")),
        properties.path("Environment").path("Variables"),
        events.of(resource.logicalId(), properties.path("Events")));
  }

  private OptionalInt reserved(JsonNode declared) {
    JsonNode value = resolve(declared);
    return value.isValueNode() && !value.isNull()
        ? OptionalInt.of(value.asInt())
        : OptionalInt.empty();
  }

  private TaskDeclaration task(Resource resource) {
    JsonNode containers = resource.properties().path("ContainerDefinitions");
    if (containers.size() != 1) {
      throw new TemplateException(resource.logicalId() + " must have exactly one container");
    }
    JsonNode container = containers.get(0);
    Map<String, String> mounts = new HashMap<>();
    for (JsonNode mount : resolve(container.path("MountPoints"))) {
      mounts.put(mount.path("ContainerPath").asText(), mount.path("SourceVolume").asText());
    }
    JsonNode stop = resolve(container.path("StopTimeout"));
    return new TaskDeclaration(
        resource.logicalId(),
        references.physicalName(resource),
        resolve(container.path("Name")).asText(),
        resolve(container.path("Image")).asText(),
        container.path("Environment"),
        stop.isValueNode() ? Duration.ofSeconds(stop.asLong()) : STOP_TIMEOUT_DEFAULT,
        mounts);
  }
}
