package dev.runyard.gates.rights;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.aws.Settings;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.webhook.DeliveryKey;
import dev.runyard.embedded.FileEventBus;
import dev.runyard.local.Emulators;
import dev.runyard.local.LocalOptions;
import dev.runyard.local.Shutdown;
import dev.runyard.local.emulator.EcsEndpoint;
import dev.runyard.local.emulator.EmbeddedBuckets;
import dev.runyard.local.emulator.EmbeddedEventBus;
import dev.runyard.local.emulator.EmbeddedSecrets;
import dev.runyard.local.emulator.TaskLaunch;
import dev.runyard.local.emulator.TaskTemplate;
import dev.runyard.local.emulator.Tasks;
import dev.runyard.local.function.FunctionEnvironment;
import dev.runyard.local.rights.CallRecord;
import dev.runyard.local.rights.CallRecord.Calls;
import dev.runyard.local.rights.Rights;
import dev.runyard.local.rights.RoleAccess;
import dev.runyard.local.rights.RoleKeys;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.FunctionDeclaration;
import dev.runyard.local.template.TaskDeclaration;
import dev.runyard.local.template.Template;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// The emulators of the product's template with the rights it gives, and nothing that runs by
/// itself: a test calls the functions, in the order it wants. Tasks end as soon as they are
/// started.
final class ProductRig implements AutoCloseable {
  /// Lock of tests with a rig: two at once would leave the processors to neither.
  static final String PROCESSORS = "processors";

  private static final Path TEMPLATE = Path.of("..", "template.yaml");

  /// A secret and a parameter, which the runner may read.
  static final String SECRET = "canary";

  static final String PARAMETER = "/canary";
  private static final Map<String, String> SECRETS =
      Map.of(SECRET, "value of the secret", PARAMETER, "value of the parameter");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Shutdown shutdown = new Shutdown();
  private final Path folder;
  private final Blueprint blueprint;
  private final Rights rights;
  private final Emulators emulators;
  private final FunctionEnvironment environment;

  /// @param taken rights of the template that nobody has here, by name
  ProductRig(Path folder, String... taken) {
    this.folder = folder;
    ExecutorService threads = Executors.newCachedThreadPool();
    shutdown.add(threads::shutdownNow);
    blueprint =
        new Blueprint(
            Template.read(
                TEMPLATE,
                Map.ofEntries(
                    Map.entry("RunsPerRunner", "1"),
                    Map.entry(
                        "QuotasDocument",
                        "{\"default\":{\"running_runs_max\":2,\"open_runs_max\":100}}"),
                    Map.entry("SubnetIds", "subnet"),
                    Map.entry("SecurityGroupIds", "group"),
                    Map.entry("WebhooksToLoopback", "true"),
                    Map.entry("EventBusName", "events"),
                    Map.entry("SecretArns", EmbeddedSecrets.secretArn(SECRET)),
                    Map.entry("SecretParameterArns", EmbeddedSecrets.parameterArn(PARAMETER)),
                    Map.entry("HookSecretArns", EmbeddedSecrets.secretArn(SECRET)),
                    Map.entry("HookSecretParameterArns", EmbeddedSecrets.parameterArn(PARAMETER)),
                    Map.entry(
                        "AgentsDocument",
                        "{\"agents\":{},\"hook_secrets\":{\"A\":\"secretsmanager:%s\",\"B\":\"ssm:%s\"}}"
                            .formatted(SECRET, PARAMETER)))));
    Rights left = Rights.of(blueprint);
    for (String name : taken) {
      left =
          left.without(
              left.given().stream()
                  .filter(held -> held.name().equals(name))
                  .findAny()
                  .orElseThrow());
    }
    rights = left;
    RoleKeys keys = RoleKeys.drawn(new SecureRandom());
    RoleAccess access = new RoleAccess(() -> rights, keys, new CallRecord(folder));
    emulators =
        Emulators.start(
            LocalOptions.of(TEMPLATE, folder),
            Optional.empty(),
            access,
            CompletableFuture.completedFuture(blueprint),
            shutdown,
            threads);
    TaskLaunch nothing = new TaskLaunch(Path.of("/bin/true"), "", "", List.of());
    Tasks tasks =
        shutdown.add(
            new Tasks(blueprint.clusters(), nothing, folder, Map.of(), InstantSource.system()));
    environment =
        new FunctionEnvironment(
            emulators.tables().endpoint(),
            emulators.queuesEndpoint(),
            shutdown.add(new EcsEndpoint(tasks, access)).uri(),
            shutdown.add(new EmbeddedBuckets(folder.resolve("objects"), false, access)).endpoint(),
            shutdown.add(new EmbeddedSecrets(SECRETS, access)).endpoint(),
            shutdown
                .add(
                    new EmbeddedEventBus(
                        new FileEventBus(folder.resolve(FileEventBus.FILE)), access))
                .endpoint(),
            keys);
    TaskDeclaration runner = blueprint.tasks().getFirst();
    tasks.define(List.of(new TaskTemplate(runner, Map.of(), blueprint.passedRoles(runner))));
  }

  Rights rights() {
    return rights;
  }

  /// What was called so far.
  Calls calls() {
    return Calls.read(List.of(folder.resolve(CallRecord.FILE)));
  }

  /// The variables of a function.
  Map<String, String> function(String logicalId) {
    FunctionDeclaration function =
        blueprint.functions().stream()
            .filter(one -> one.logicalId().equals(logicalId))
            .findFirst()
            .orElseThrow();
    return patient(
        environment.of(function, blueprint.environment(function, emulators.queueUrls())));
  }

  /// The variables of the runner.
  Map<String, String> runner() {
    TaskDeclaration runner = blueprint.tasks().getFirst();
    Map<String, String> variables = new HashMap<>(environment.common(blueprint.role(runner)));
    variables.putAll(blueprint.environment(runner, emulators.queueUrls()));
    return patient(variables);
  }

  private static Map<String, String> patient(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(variables);
    all.put(Settings.CALL_SECONDS, Long.toString(TestPatience.LONG_SECONDS));
    return all;
  }

  /// Puts a run's message into a queue, past every right.
  void send(String queue, RunKey run) {
    emulators
        .queues()
        .client()
        .sendMessage(
            send -> send.queueUrl(emulators.queueUrls().get(queue)).messageBody(run.partition()));
  }

  /// Who signs, as the gateway says.
  static final String SIGNER = "arn:aws:iam::000000000000:user/test";

  static APIGatewayProxyRequestEvent request(String method, String path) {
    var signer = new APIGatewayProxyRequestEvent.RequestIdentity();
    signer.setUserArn(SIGNER);
    var context = new APIGatewayProxyRequestEvent.ProxyRequestContext();
    context.setIdentity(signer);
    return new APIGatewayProxyRequestEvent()
        .withHttpMethod(method)
        .withPath(path)
        .withRequestContext(context);
  }

  static APIGatewayProxyRequestEvent post(String path, String body) {
    return request("POST", path)
        .withHeaders(Map.of("Content-Type", "application/json"))
        .withBody(body);
  }

  static JsonNode json(String body) throws IOException {
    return JSON.readTree(body);
  }

  /// What a stream function is given when a run has changed.
  static DynamodbEvent changed(RunKey run) {
    StreamRecord change = new StreamRecord();
    change.setKeys(Map.of("pk", new AttributeValue(run.partition())));
    change.setSequenceNumber("1");
    DynamodbStreamRecord stored = new DynamodbStreamRecord();
    stored.setEventID("event-" + run.runId());
    stored.setDynamodb(change);
    DynamodbEvent event = new DynamodbEvent();
    event.setRecords(List.of(stored));
    return event;
  }

  /// What `deliver` is given when a delivery is to be sent.
  static SQSEvent called(DeliveryKey delivery) {
    SQSEvent.SQSMessage message = new SQSEvent.SQSMessage();
    message.setMessageId("message");
    message.setBody(delivery.text());
    SQSEvent event = new SQSEvent();
    event.setRecords(List.of(message));
    return event;
  }

  @Override
  public void close() {
    shutdown.close();
  }
}
