package dev.runyard.core.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentError;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.EnvNames;
import dev.runyard.core.agent.RequestEnv;
import dev.runyard.core.agent.RequestSecrets;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.Busy;
import dev.runyard.core.request.InThread;
import dev.runyard.core.request.RetryPolicy;
import dev.runyard.core.request.RunRequest;
import dev.runyard.core.request.SecretRef;
import dev.runyard.core.request.TaskRun;
import dev.runyard.core.webhook.WebhookUrl;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the body of a submit. Checks in this order and reports the first mistake: the JSON and its
/// members, the agent, the prompt, every extension key and required capability, the extension
/// values, contradictions, the rest and its bounds, and whether all of it fits the run's first
/// chunk.
public final class RunRequestReader {
  private static final String TASK = "task_id";
  private static final Pattern TASK_ID = Pattern.compile("[A-Za-z0-9._-]{1,128}");
  private static final Set<String> OWN_MEMBERS =
      Set.of(
          "agent",
          "prompt",
          "session_id",
          "extensions",
          "requires",
          "working_dir",
          "timeout_seconds",
          "env",
          "tags",
          "retry",
          TASK,
          WorkspaceReader.MEMBER,
          WebhookReader.MEMBER);
  private static final Set<String> MEMBERS =
      Stream.of(OWN_MEMBERS, BoundsReader.MEMBERS, InThreadReader.MEMBERS)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> RETRY_MEMBERS = Set.of("max_attempts", "on", "backoff_seconds");
  private static final String ANY_PROMPT = "any";
  private static final Pattern SESSION_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
  private static final Pattern FAILURE_CODE = Pattern.compile("\\*|[a-z][a-z0-9_]*");

  private final AgentCatalog catalog;
  private final WebhookUrl.Places places;

  public RunRequestReader(AgentCatalog catalog) {
    this(catalog, WebhookUrl.Places.INTERNET);
  }

  /// @param places where the webhook of a run may be
  public RunRequestReader(AgentCatalog catalog, WebhookUrl.Places places) {
    this.catalog = catalog;
    this.places = places;
  }

  /// What the body turned out to be: a request and the JSON it was read from, or a problem.
  public sealed interface Result {
    record Accepted(RunRequest request, ObjectNode body) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  public Result read(byte[] body) {
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Read read -> read(read.object(), body.length);
      case JsonBody.Result.Rejected rejected -> new Result.Rejected(rejected.problem());
    };
  }

  /// Reads a body that is JSON already, such as one made from a request of another protocol.
  public Result read(ObjectNode body) {
    return read(body, Integer.MAX_VALUE);
  }

  /// Reads a part of a request, to which a prompt may still be added. Empty where it names no
  /// agent: then only the names of its members can be looked at.
  public Optional<Result> readPart(ObjectNode part) {
    if (!part.hasNonNull("agent")) {
      return JsonFields.of(part, MEMBERS).problem().map(Result.Rejected::new);
    }
    ObjectNode whole = part.deepCopy();
    if (!whole.hasNonNull("prompt")) {
      whole.put("prompt", ANY_PROMPT);
    }
    return Optional.of(read(whole));
  }

  /// True if the agent of a request that was read offers a capability.
  public boolean offers(RunRequest request, String capability) {
    return catalog
        .find(request.agent())
        .filter(manifest -> manifest.capabilitiesOf(request.extensions()).contains(capability))
        .isPresent();
  }

  /// True for an id a session can have.
  public static boolean isSessionId(String text) {
    return SESSION_ID.matcher(text).matches();
  }

  private Result read(ObjectNode body, int bodyBytes) {
    JsonFields members = JsonFields.of(body, MEMBERS);
    String agent = members.requiredText("agent");
    Optional<AgentManifest> manifest = manifest(members, agent);
    String prompt = prompt(members);
    Map<String, JsonNode> given = extensions(members);
    List<String> requires = members.texts("requires", Limits.REQUIRES_MAX);
    Optional<Problem> soFar = members.problem();
    if (manifest.isEmpty() || soFar.isPresent()) {
      return new Result.Rejected(soFar.orElseThrow());
    }
    return switch (manifest.get().check(given, requires)) {
      case AgentManifest.Result.Refused refused -> new Result.Rejected(refused.problem());
      case AgentManifest.Result.Accepted accepted -> {
        RunRequest request =
            new RunRequest(
                agent,
                prompt,
                sessionId(members),
                accepted.extensions(),
                requires,
                workingDir(members).orElse(null),
                members.whole(
                    "timeout_seconds", 0, Limits.RUN_SECONDS_MAX, Limits.RUN_SECONDS_DEFAULT),
                env(members, manifest.get().kind()),
                tags(members),
                retry(members),
                List.of(),
                BoundsReader.read(members, manifest.get(), accepted.extensions()),
                WorkspaceReader.read(members, manifest.get(), catalog.grants(agent)),
                WebhookReader.read(members, places),
                inThread(members),
                null,
                task(members));
        if (bodyBytes > FirstChunk.BODY_BYTES_SURE && !FirstChunk.fits(request)) {
          members.refuse(FirstChunk.tooLarge());
        }
        yield members
            .problem()
            .<Result>map(Result.Rejected::new)
            .orElseGet(() -> new Result.Accepted(request, body));
      }
    };
  }

  private Optional<AgentManifest> manifest(JsonFields members, String agent) {
    if (!AgentKind.isKind(agent)) {
      members.refuse(
          ProblemCode.INVALID_AGENT_KIND,
          "agent",
          new AgentError.InvalidAgentKind(
                  "it must match ^[a-z][a-z0-9_]*$ and have at most %d characters"
                      .formatted(AgentKind.BYTES_MAX))
              .display());
      return Optional.empty();
    }
    Optional<AgentManifest> manifest = catalog.find(agent);
    if (manifest.isEmpty()) {
      members.refuse(
          ProblemCode.UNKNOWN_BACKEND, "agent", new AgentError.UnknownBackend(agent).display());
    }
    return manifest;
  }

  private static String prompt(JsonFields members) {
    String prompt = members.text("prompt").orElse("");
    if (prompt.isBlank()) {
      members.refuse("prompt", "prompt must not be empty");
    }
    if (Bounds.bytes(prompt) > Limits.PROMPT_BYTES_MAX) {
      members.refuse("prompt", tooLong("prompt", Limits.PROMPT_BYTES_MAX));
    }
    return prompt;
  }

  private static Map<String, JsonNode> extensions(JsonFields members) {
    Map<String, JsonNode> values = members.values("extensions", Limits.EXTENSION_KEYS_MAX);
    long bytes = 0;
    for (Map.Entry<String, JsonNode> entry : values.entrySet()) {
      bytes += Bounds.bytes(entry.getKey()) + Bounds.bytes(entry.getValue().toString());
    }
    if (bytes > Limits.EXTENSIONS_BYTES_MAX) {
      members.refuse("extensions", tooLong("extensions", Limits.EXTENSIONS_BYTES_MAX));
    }
    return values;
  }

  private static String sessionId(JsonFields members) {
    Optional<String> given = members.text("session_id");
    if (given.isEmpty()) {
      return "";
    }
    if (!isSessionId(given.get())) {
      members.refuse(
          "session_id",
          "session_id must match ^[A-Za-z0-9][A-Za-z0-9._-]*$ and have at most %d characters"
              .formatted(Limits.SESSION_ID_BYTES_MAX));
    }
    return given.get();
  }

  /// What steers a running turn goes to it as a message.
  private static @Nullable InThread inThread(JsonFields members) {
    InThread in = InThreadReader.read(members);
    if (in != null
        && in.busy() == Busy.STEER
        && Bounds.bytes(members.text("prompt").orElse("")) > Limits.MESSAGE_CONTENT_BYTES_MAX) {
      members.refuse("prompt", tooLong("prompt that steers", Limits.MESSAGE_CONTENT_BYTES_MAX));
    }
    return in;
  }

  /// What steers the run of another request begins none.
  private static @Nullable TaskRun task(JsonFields members) {
    Optional<String> id = members.text(TASK);
    if (id.filter(text -> !TASK_ID.matcher(text).matches()).isPresent()) {
      members.refuse(TASK, "task_id must match ^[A-Za-z0-9._-]{1,128}$");
    }
    if (id.isPresent() && members.text("busy").equals(Optional.of(Busy.STEER.wire()))) {
      members.refuse(TASK, "A prompt that steers begins no run, and so is of no task");
    }
    return id.map(text -> new TaskRun(text, null, null)).orElse(null);
  }

  private static Optional<String> workingDir(JsonFields members) {
    Optional<String> given = members.text("working_dir");
    if (given.isPresent() && Bounds.bytes(given.get()) > Limits.WORKING_DIR_BYTES_MAX) {
      members.refuse("working_dir", tooLong("working_dir", Limits.WORKING_DIR_BYTES_MAX));
    } else if (given.isPresent() && !WorkingDirs.isAllowed(given.get())) {
      members.refuse(
          "working_dir",
          "working_dir must be a relative path of names like src/app, without . and ..");
    }
    return given;
  }

  private Map<String, String> env(JsonFields members, AgentKind kind) {
    RequestEnv allowed = catalog.grants(kind.name()).requestEnv();
    JsonFields env = members.object("env");
    Map<String, String> read = new TreeMap<>();
    if (env.names().size() > Limits.ENV_ENTRIES_MAX) {
      members.refuse("env", "env must have at most %d members".formatted(Limits.ENV_ENTRIES_MAX));
      return read;
    }
    for (String name : env.names()) {
      if (!EnvNames.isName(name)) {
        env.refuse(name, "A variable's name must match ^[A-Za-z_][A-Za-z0-9_]*$");
      } else if (!allowed.allows(name)) {
        env.refuse(name, RequestEnv.refusal(kind));
      }
      if (env.hasObject(name)) {
        read.put(name, SecretRef.value(secret(env, name, kind)));
        continue;
      }
      String value = env.requiredText(name);
      if (Bounds.bytes(value) > Limits.ENV_VALUE_BYTES_MAX) {
        env.refuse(name, tooLong("A variable's value", Limits.ENV_VALUE_BYTES_MAX));
      }
      read.put(name, value);
    }
    return read;
  }

  private String secret(JsonFields env, String variable, AgentKind kind) {
    String secret =
        env.object(variable, Set.of(RequestSecrets.SECRET)).requiredText(RequestSecrets.SECRET);
    if (!catalog.grants(kind.name()).secrets().allows(secret)) {
      env.refuse(variable, RequestSecrets.refusal(kind));
    }
    return secret;
  }

  private static Map<String, String> tags(JsonFields members) {
    JsonFields tags = members.object("tags");
    Map<String, String> read = new TreeMap<>();
    if (tags.names().size() > Limits.TAGS_MAX) {
      members.refuse("tags", "tags must have at most %d members".formatted(Limits.TAGS_MAX));
      return read;
    }
    for (String name : tags.names()) {
      String value = tags.requiredText(name);
      if (name.isBlank()
          || Bounds.bytes(name) > Limits.TAG_BYTES_MAX
          || Bounds.bytes(value) > Limits.TAG_BYTES_MAX) {
        tags.refuse(
            name,
            "A tag must have a name that is not blank; name and value have at most %d bytes each"
                .formatted(Limits.TAG_BYTES_MAX));
      }
      read.put(name, value);
    }
    return read;
  }

  private static RetryPolicy retry(JsonFields members) {
    if (!members.has("retry")) {
      return RetryPolicy.NEVER;
    }
    JsonFields retry = members.object("retry", RETRY_MEMBERS);
    List<String> on =
        retry.has("on") ? retry.texts("on", Limits.RETRY_CODES_MAX) : List.of(RetryPolicy.ANY);
    for (int i = 0; i < on.size(); i++) {
      String code = on.get(i);
      if (code.length() > Limits.RETRY_CODE_BYTES_MAX || !FAILURE_CODE.matcher(code).matches()) {
        retry.refuse(
            Problem.at(
                ProblemCode.INVALID_REQUEST,
                Pointer.of("retry", "on", String.valueOf(i)),
                "A failure code must match ^[a-z][a-z0-9_]*$, or be *"));
      }
    }
    return new RetryPolicy(
        retry.whole("max_attempts", 1, RetryPolicy.ATTEMPTS_MAX, 1),
        on,
        retry.whole("backoff_seconds", 0, RetryPolicy.BACKOFF_SECONDS_MAX, 0));
  }

  private static String tooLong(String what, int bytesMax) {
    return "%s must have at most %d bytes".formatted(what, bytesMax);
  }
}
