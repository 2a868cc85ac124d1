package dev.runyard.aws;

import dev.runyard.core.run.RunForm;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/// The environment variables that configure functions and runners, and their typed values. A value
/// is read when it is used, so a program needs only the variables it uses. A missing or malformed
/// variable throws an [IllegalStateException] that names it; a blank one counts as missing.
public final class Settings {
  public static final String REGION = "AWS_REGION";
  public static final String ENDPOINT_URL = "AWS_ENDPOINT_URL";
  public static final String ENDPOINT_URL_DYNAMODB = "AWS_ENDPOINT_URL_DYNAMODB";
  public static final String ENDPOINT_URL_SQS = "AWS_ENDPOINT_URL_SQS";
  public static final String ENDPOINT_URL_ECS = "AWS_ENDPOINT_URL_ECS";
  public static final String ENDPOINT_URL_S3 = "AWS_ENDPOINT_URL_S3";
  public static final String ENDPOINT_URL_SECRETS_MANAGER = "AWS_ENDPOINT_URL_SECRETS_MANAGER";
  public static final String ENDPOINT_URL_SSM = "AWS_ENDPOINT_URL_SSM";
  public static final String ENDPOINT_URL_EVENTBRIDGE = "AWS_ENDPOINT_URL_EVENTBRIDGE";
  public static final String ACCESS_KEY_ID = "AWS_ACCESS_KEY_ID";
  public static final String SECRET_ACCESS_KEY = "AWS_SECRET_ACCESS_KEY";
  public static final String SESSION_TOKEN = "AWS_SESSION_TOKEN";
  public static final String EVENTS_TABLE = "RUNYARD_EVENTS_TABLE";
  public static final String VIEWS_TABLE = "RUNYARD_VIEWS_TABLE";
  public static final String RUN_QUEUE_URL = "RUNYARD_RUN_QUEUE_URL";
  public static final String DEAD_LETTER_QUEUE_URL = "RUNYARD_DEAD_LETTER_QUEUE_URL";
  public static final String STREAM_FAILURE_QUEUE_URL = "RUNYARD_STREAM_FAILURE_QUEUE_URL";
  public static final String WEBHOOK_QUEUE_URL = "RUNYARD_WEBHOOK_QUEUE_URL";
  public static final String EVENT_BUS = "RUNYARD_EVENT_BUS";
  public static final String WEBHOOKS_TO_LOOPBACK = "RUNYARD_WEBHOOKS_TO_LOOPBACK";
  private static final String LAMBDA = "AWS_LAMBDA_RUNTIME_API";
  public static final String CLUSTER = "RUNYARD_CLUSTER";
  public static final String TASK_DEFINITION = "RUNYARD_TASK_DEFINITION";
  public static final String SUBNETS = "RUNYARD_SUBNETS";
  public static final String SECURITY_GROUPS = "RUNYARD_SECURITY_GROUPS";
  public static final String RUNNERS_MAX = "RUNYARD_RUNNERS_MAX";
  public static final String RUNNERS_MIN = "RUNYARD_RUNNERS_MIN";
  public static final String RUNNER_AGE_MAX_SECONDS = "RUNYARD_RUNNER_AGE_MAX_SECONDS";
  public static final String SLOT = "RUNYARD_SLOT";
  public static final String SLOT_CLAIM = "RUNYARD_SLOT_CLAIM";
  public static final String FORM = "RUNYARD_FORM";
  public static final String ASSIGN_PUBLIC_IP = "RUNYARD_ASSIGN_PUBLIC_IP";
  public static final String RUNS_PER_RUNNER = "RUNYARD_RUNS_PER_RUNNER";
  public static final String AGENTS = "RUNYARD_AGENTS";
  public static final String QUOTAS = "RUNYARD_QUOTAS";
  public static final String SEVERAL_TENANTS = "RUNYARD_SEVERAL_TENANTS";
  public static final String AGENT_JARS = "RUNYARD_AGENT_JARS";
  public static final String ARTIFACTS_BUCKET = "RUNYARD_ARTIFACTS_BUCKET";
  public static final String FLUSH_MILLIS = "RUNYARD_FLUSH_MILLIS";
  public static final String GATHER_MILLIS = "RUNYARD_GATHER_MILLIS";
  public static final String TAIL_MILLIS = "RUNYARD_TAIL_MILLIS";
  public static final String IDLE_SECONDS = "RUNYARD_IDLE_SECONDS";
  public static final String AWAIT_GRACE_SECONDS = "RUNYARD_AWAIT_GRACE_SECONDS";
  public static final String WORK_DIR = "RUNYARD_WORK_DIR";
  public static final String KEEP_WORKSPACES = "RUNYARD_KEEP_WORKSPACES";
  public static final String ISOLATION = "RUNYARD_ISOLATION";
  public static final String ATTEMPT_LIMITS = "RUNYARD_ATTEMPT_LIMITS";
  public static final String HIDDEN = "RUNYARD_HIDDEN";
  public static final String CORS_ORIGINS = "RUNYARD_CORS_ORIGINS";
  public static final String RETENTION_DAYS = "RUNYARD_RETENTION_DAYS";
  public static final String ACCESS = "RUNYARD_ACCESS";
  public static final String TENANTS = "RUNYARD_TENANTS";
  public static final String OIDC_ISSUER = "RUNYARD_OIDC_ISSUER";
  public static final String OIDC_AUDIENCE = "RUNYARD_OIDC_AUDIENCE";
  public static final String OIDC_KEYS_URL = "RUNYARD_OIDC_KEYS_URL";
  public static final String OIDC_TENANT_CLAIM = "RUNYARD_OIDC_TENANT_CLAIM";
  public static final String OIDC_SCOPES_CLAIM = "RUNYARD_OIDC_SCOPES_CLAIM";

  /// Set for the functions of a stack on one machine, and for no others.
  public static final String ONE_MACHINE = "RUNYARD_ONE_MACHINE";

  /// Set for functions whose services are emulators on their machine, and for no others.
  public static final String CALL_SECONDS = "RUNYARD_CALL_SECONDS";

  private static final String AWS_IAM = "AWS_IAM";
  private static final String BEARER = "BEARER";

  private final Variables variables;

  public Settings(Map<String, String> env) {
    this.variables = new Variables(env);
  }

  public String region() {
    return required(REGION);
  }

  Optional<URI> dynamoEndpoint() {
    return endpoint(ENDPOINT_URL_DYNAMODB);
  }

  Optional<URI> sqsEndpoint() {
    return endpoint(ENDPOINT_URL_SQS);
  }

  Optional<URI> ecsEndpoint() {
    return endpoint(ENDPOINT_URL_ECS);
  }

  Optional<URI> s3Endpoint() {
    return endpoint(ENDPOINT_URL_S3);
  }

  Optional<URI> secretsEndpoint() {
    return endpoint(ENDPOINT_URL_SECRETS_MANAGER);
  }

  Optional<URI> eventBridgeEndpoint() {
    return endpoint(ENDPOINT_URL_EVENTBRIDGE);
  }

  Optional<URI> parametersEndpoint() {
    return endpoint(ENDPOINT_URL_SSM);
  }

  /// A static key pair. With a session token it would be one of a role's rotating pairs, which the
  /// SDK's own chain renews.
  Optional<KeyPair> keyPair() {
    Optional<String> id = optional(ACCESS_KEY_ID);
    return id.isEmpty() || optional(SESSION_TOKEN).isPresent()
        ? Optional.empty()
        : Optional.of(new KeyPair(id.get(), required(SECRET_ACCESS_KEY)));
  }

  public String eventsTable() {
    return required(EVENTS_TABLE);
  }

  public String viewsTable() {
    return required(VIEWS_TABLE);
  }

  public String runQueueUrl() {
    return required(RUN_QUEUE_URL);
  }

  public String deadLetterQueueUrl() {
    return required(DEAD_LETTER_QUEUE_URL);
  }

  public String streamFailureQueueUrl() {
    return required(STREAM_FAILURE_QUEUE_URL);
  }

  public String webhookQueueUrl() {
    return required(WEBHOOK_QUEUE_URL);
  }

  /// The bus that is told what webhooks are told.
  public Optional<String> eventBus() {
    return optional(EVENT_BUS);
  }

  /// Whether webhooks may be at 127.0.0.1. Never on Lambda, where the function's own runtime is.
  public boolean webhooksToLoopback() {
    return optional(LAMBDA).isEmpty()
        && optional(WEBHOOKS_TO_LOOPBACK).map(Boolean::parseBoolean).orElse(false);
  }

  public String cluster() {
    return required(CLUSTER);
  }

  public String taskDefinition() {
    return required(TASK_DEFINITION);
  }

  public List<String> subnets() {
    return list(SUBNETS);
  }

  public List<String> securityGroups() {
    return list(SECURITY_GROUPS);
  }

  public int runnersMax() {
    return number(RUNNERS_MAX, 0);
  }

  /// Runners that stay while there is no work.
  public int runnersMin() {
    return number(RUNNERS_MIN, 0);
  }

  /// A runner older than this takes no more runs.
  public Duration runnerAgeMax() {
    return Duration.ofSeconds(number(RUNNER_AGE_MAX_SECONDS, 1));
  }

  /// The slot a runner was started for.
  public int slot() {
    return number(SLOT, 0);
  }

  /// The claim a runner was started with.
  public String slotClaim() {
    return required(SLOT_CLAIM);
  }

  /// The form of runs that the functions write, as they tell each runner at its start; the first
  /// unless set.
  public int form() {
    return optional(FORM).isEmpty() ? RunForm.FIRST : number(FORM, RunForm.FIRST);
  }

  /// Whether runners have a public address; `ENABLED` or `DISABLED`.
  public boolean assignPublicIp() {
    String value = required(ASSIGN_PUBLIC_IP);
    return switch (value) {
      case "ENABLED" -> true;
      case "DISABLED" -> false;
      default ->
          throw new IllegalStateException(
              ASSIGN_PUBLIC_IP + " is ENABLED or DISABLED, not " + value);
    };
  }

  public int runsPerRunner() {
    return number(RUNS_PER_RUNNER, 1);
  }

  /// The agents document, JSON text.
  public String agents() {
    return required(AGENTS);
  }

  /// The places of runners, if the function is told of them.
  public OptionalInt places() {
    return optional(RUNNERS_MAX).isPresent() && optional(RUNS_PER_RUNNER).isPresent()
        ? OptionalInt.of(runnersMax() * runsPerRunner())
        : OptionalInt.empty();
  }

  /// The places of runners, if several tenants share them.
  public OptionalInt sharedPlaces() {
    return optional(SEVERAL_TENANTS).map(Boolean::parseBoolean).orElse(false)
        ? OptionalInt.of(runnersMax() * runsPerRunner())
        : OptionalInt.empty();
  }

  /// The quotas document, JSON text; an empty object unless set.
  public String quotas() {
    return optional(QUOTAS).orElse("{}");
  }

  /// The folder of Java agents' jars, if there is one.
  public Optional<Path> agentJars() {
    return optional(AGENT_JARS).map(Path::of);
  }

  public String artifactsBucket() {
    return required(ARTIFACTS_BUCKET);
  }

  public Duration flush() {
    return Duration.ofMillis(number(FLUSH_MILLIS, 0));
  }

  /// How long a runner gathers output that nobody watches: no shorter than [#flush].
  public Duration gather() {
    Duration gather = Duration.ofMillis(number(GATHER_MILLIS, 0));
    return gather.compareTo(flush()) < 0 ? flush() : gather;
  }

  public Duration tail() {
    return Duration.ofMillis(number(TAIL_MILLIS, 1));
  }

  /// How long an agent that waits for a person keeps its place at the runner.
  public Duration awaitGrace() {
    return Duration.ofSeconds(number(AWAIT_GRACE_SECONDS, 1));
  }

  public Duration idle() {
    return Duration.ofSeconds(number(IDLE_SECONDS, 0));
  }

  public Path workDir() {
    return Path.of(required(WORK_DIR));
  }

  /// Whether workspaces stay after their runs; `false` unless set.
  public boolean keepWorkspaces() {
    return optional(KEEP_WORKSPACES).map(Boolean::parseBoolean).orElse(false);
  }

  /// How attempts are kept apart, in one word; `auto` unless set.
  public String isolation() {
    return optional(ISOLATION).orElse("auto");
  }

  /// Files and folders that no agent may read, one a line; none unless set.
  public List<Path> hidden() {
    return optional(HIDDEN).stream().flatMap(String::lines).map(Path::of).toList();
  }

  /// The limits of one attempt, JSON text; an empty object unless set.
  public String attemptLimits() {
    return optional(ATTEMPT_LIMITS).orElse("{}");
  }

  /// How long things are kept after they were last written: longer than a run may live.
  public Duration retention() {
    return Duration.ofDays(number(RETENTION_DAYS, 2));
  }

  /// The origins of the web pages that may call.
  public Set<String> corsOrigins() {
    return optional(CORS_ORIGINS)
        .map(origins -> Set.copyOf(List.of(origins.split(","))))
        .orElse(Set.of());
  }

  /// Whether callers show keys and tokens; else their requests are signed.
  public boolean bearerAccess() {
    String access = optional(ACCESS).orElse(AWS_IAM);
    if (!access.equals(AWS_IAM) && !access.equals(BEARER)) {
      throw new IllegalStateException(ACCESS + " is " + AWS_IAM + " or " + BEARER);
    }
    return access.equals(BEARER);
  }

  /// The document that says which principals are of which tenant, JSON text.
  public Optional<String> tenants() {
    return optional(TENANTS);
  }

  /// Who issues tokens.
  public Optional<String> oidcIssuer() {
    return optional(OIDC_ISSUER);
  }

  /// Whom tokens must be meant for.
  public String oidcAudience() {
    return required(OIDC_AUDIENCE);
  }

  /// Where the issuer's keys are, if it is not to be asked.
  public Optional<String> oidcKeysUrl() {
    return optional(OIDC_KEYS_URL);
  }

  public String oidcTenantClaim() {
    return optional(OIDC_TENANT_CLAIM).orElse("tenant");
  }

  public String oidcScopesClaim() {
    return optional(OIDC_SCOPES_CLAIM).orElse("scope");
  }

  /// Whether this is a stack on one machine.
  public boolean oneMachine() {
    return optional(ONE_MACHINE).map(Boolean::parseBoolean).orElse(false);
  }

  /// All tries of a call together; [AwsClients#CALL_SECONDS_MAX] unless set, which is longer.
  int callSeconds() {
    return optional(CALL_SECONDS).isEmpty()
        ? AwsClients.CALL_SECONDS_MAX
        : number(CALL_SECONDS, AwsClients.CALL_SECONDS_MAX);
  }

  private Optional<URI> endpoint(String name) {
    return variables.uri(name, ENDPOINT_URL);
  }

  private List<String> list(String name) {
    return variables.list(name);
  }

  private int number(String name, int least) {
    return variables.number(name, least);
  }

  private String required(String name) {
    return variables.required(name);
  }

  private Optional<String> optional(String name) {
    return variables.optional(name);
  }

  /// A secret: its text form shows only the id.
  record KeyPair(String id, String secret) {
    @Override
    public String toString() {
      return id;
    }
  }
}
