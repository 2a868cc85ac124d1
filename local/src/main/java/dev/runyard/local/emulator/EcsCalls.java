package dev.runyard.local.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.local.rights.Asked;
import dev.runyard.local.template.PseudoParameters;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/// RunTask, ListTasks, DescribeTasks and StopTask. A repeated client token returns the tasks it
/// started; with a different request it is refused.
final class EcsCalls {
  private static final Logger LOG = System.getLogger(EcsCalls.class.getName());
  private static final int COUNT_MAX = 10;
  private static final int PAGE_MAX = 100;
  private static final int TOKENS_MAX = 10_000;

  private final Tasks tasks;
  private Optional<String> refusal = Optional.empty();
  private final Map<String, Started> tokens =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Started> eldest) {
          return size() > TOKENS_MAX;
        }
      };

  private record Started(JsonNode request, List<String> arns) {}

  /// An HTTP status and a JSON body.
  record Reply(int status, ObjectNode body) {
    static Reply refused(String type, String message) {
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      return new Reply(400, body.put("__type", type).put("message", message));
    }

    static Reply ok(ObjectNode body) {
      return new Reply(200, body);
    }
  }

  EcsCalls(Tasks tasks) {
    this.tasks = tasks;
  }

  /// The actions a request needs. Starting a task also passes on its roles.
  List<Asked> asked(String action, JsonNode request) {
    String name = request.path("cluster").asText("default");
    String cluster = PseudoParameters.arn("ecs", "cluster/" + last(name));
    Map<String, String> facts = Map.of("ecs:cluster", cluster);
    List<Asked> asked = new ArrayList<>();
    Optional<TaskTemplate> template = tasks.template(request.path("taskDefinition").asText());
    String resource =
        request.has("task")
            ? taskArn(name, request.path("task"))
            : template.map(one -> one.declaration().arn()).orElse("*");
    if (request.has("tasks")) {
      for (JsonNode task : request.path("tasks")) {
        asked.add(new Asked("ecs:" + action, taskArn(name, task), facts));
      }
    } else {
      asked.add(new Asked("ecs:" + action, resource, facts));
    }
    for (String role : template.map(TaskTemplate::roleArns).orElseGet(List::of)) {
      asked.add(
          new Asked(
              "iam:PassRole", role, Map.of("iam:PassedToService", "ecs-tasks.amazonaws.com")));
    }
    return asked;
  }

  private static String taskArn(String cluster, JsonNode task) {
    return PseudoParameters.arn("ecs", "task/" + last(cluster) + "/" + last(task.asText()));
  }

  private static String last(String arn) {
    return arn.substring(arn.lastIndexOf('/') + 1);
  }

  synchronized void refuseStarts(Optional<String> reason) {
    refusal = reason;
  }

  Reply answer(String action, JsonNode request) {
    BiFunction<String, JsonNode, Reply> call =
        switch (action) {
          case "RunTask" -> this::runTask;
          case "ListTasks" -> this::listTasks;
          case "DescribeTasks" -> this::describeTasks;
          case "StopTask" -> this::stopTask;
          default ->
              (cluster, body) ->
                  Reply.refused("UnknownOperationException", action + " is not offered locally");
        };
    String name = request.path("cluster").asText("default");
    String cluster = last(name);
    if (!tasks.hasCluster(cluster)) {
      return Reply.refused("ClusterNotFoundException", "Cluster not found.");
    }
    return call.apply(cluster, request);
  }

  private synchronized Reply runTask(String cluster, JsonNode request) {
    int count = request.path("count").asInt(1);
    if (count < 1 || count > COUNT_MAX) {
      return Reply.refused("InvalidParameterException", "count must be 1 to " + COUNT_MAX);
    }
    Optional<TaskTemplate> template = tasks.template(request.path("taskDefinition").asText());
    if (template.isEmpty()) {
      return Reply.refused("ClientException", "TaskDefinition not found.");
    }
    String token = request.path("clientToken").asText();
    Started before = token.isEmpty() ? null : tokens.get(token);
    if (before != null && !before.request().equals(request)) {
      Reply conflict =
          Reply.refused("ConflictException", "the client token was used with another request");
      before.arns().forEach(conflict.body().putArray("resourceIds")::add);
      return conflict;
    }
    if (before != null) {
      return described(cluster, before.arns());
    }
    List<String> arns = new ArrayList<>();
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode started = body.putArray("tasks");
    ArrayNode failures = body.putArray("failures");
    if (refusal.isPresent()) {
      failures.addObject().put("reason", refusal.get());
      return Reply.ok(body);
    }
    for (int i = 0; i < count; i++) {
      try {
        TaskProcess task =
            tasks.start(
                cluster,
                template.get(),
                request.path("startedBy").asText(),
                overrides(template.get(), request));
        arns.add(task.arn());
        started.add(task.describe());
      } catch (IOException e) {
        LOG.log(Level.ERROR, "a task does not start", e);
        failures.addObject().put("reason", "RESOURCE").put("detail", e.getMessage());
      }
    }
    if (!token.isEmpty() && !arns.isEmpty()) {
      tokens.put(token, new Started(request, arns));
    }
    return Reply.ok(body);
  }

  private static Map<String, String> overrides(TaskTemplate template, JsonNode request) {
    Map<String, String> variables = new HashMap<>();
    for (JsonNode container : request.path("overrides").path("containerOverrides")) {
      if (container.path("name").asText().equals(template.declaration().container())) {
        container
            .path("environment")
            .forEach(v -> variables.put(v.path("name").asText(), v.path("value").asText()));
      }
    }
    return variables;
  }

  private Reply listTasks(String cluster, JsonNode request) {
    boolean wanted = !request.path("desiredStatus").asText("RUNNING").equals("STOPPED");
    JsonNode startedBy = request.path("startedBy");
    JsonNode family = request.path("family");
    List<String> arns =
        tasks.all().stream()
            .filter(task -> task.isIn(cluster) && task.isWanted() == wanted)
            .filter(task -> !startedBy.isTextual() || task.wasStartedBy(startedBy.textValue()))
            .filter(task -> !family.isTextual() || task.isOf(family.textValue()))
            .map(TaskProcess::arn)
            .sorted()
            .toList();
    String after = request.path("nextToken").asText();
    int size = Math.clamp(request.path("maxResults").asInt(PAGE_MAX), 1, PAGE_MAX);
    List<String> rest = arns.stream().filter(arn -> arn.compareTo(after) > 0).toList();
    List<String> page = rest.subList(0, Math.min(size, rest.size()));
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode list = body.putArray("taskArns");
    page.forEach(list::add);
    if (page.size() < rest.size()) {
      body.put("nextToken", page.getLast());
    }
    return Reply.ok(body);
  }

  private Reply describeTasks(String cluster, JsonNode request) {
    return described(cluster, request.path("tasks").valueStream().map(JsonNode::asText).toList());
  }

  private Reply described(String cluster, List<String> names) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    ArrayNode found = body.putArray("tasks");
    ArrayNode failures = body.putArray("failures");
    for (String name : names) {
      tasks
          .find(cluster, name)
          .ifPresentOrElse(
              task -> found.add(task.describe()),
              () -> failures.addObject().put("arn", name).put("reason", "MISSING"));
    }
    return Reply.ok(body);
  }

  private Reply stopTask(String cluster, JsonNode request) {
    Optional<TaskProcess> task = tasks.find(cluster, request.path("task").asText());
    if (task.isEmpty()) {
      return Reply.refused("InvalidParameterException", "The referenced task was not found.");
    }
    tasks.stop(task.get(), request.path("reason").asText("Task stopped by user"));
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("task", task.get().describe());
    return Reply.ok(body);
  }
}
