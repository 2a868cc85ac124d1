package dev.runyard.runner.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.AgentCatalog;
import dev.runyard.core.agent.AgentCli;
import dev.runyard.core.agent.AgentError;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.AgentSettings;
import dev.runyard.core.agent.RequestEnv;
import dev.runyard.core.problem.Pointer;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.problem.ProblemCode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Resolves a kind of agent to the backend that runs it, and checks a request against that backend
/// before anything is started.
public final class AgentGateway {
  private final Map<String, AgentBackend> backends = new TreeMap<>();

  public AgentGateway(Collection<AgentBackend> found) {
    for (AgentBackend backend : found) {
      String kind = backend.manifest().kind().name();
      if (backends.put(kind, backend) != null) {
        throw new IllegalArgumentException(
            new AgentError.InvalidRequest("two backends of kind " + kind).display());
      }
    }
  }

  /// The backends on the class path.
  public static AgentGateway onClassPath() {
    return new AgentGateway(found());
  }

  /// One of each backend on the class path: those that manifests of CLIs name, and services.
  public static List<AgentBackend> found() {
    return Stream.concat(
            AgentCli.allAgents().stream().map(agent -> named(agent.backend())),
            ServiceLoader.load(AgentBackend.class).stream().map(ServiceLoader.Provider::get))
        .toList();
  }

  private static AgentBackend named(String backend) {
    try {
      return Class.forName(backend)
          .asSubclass(AgentBackend.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a manifest names a backend that is none: " + backend, e);
    }
  }

  public AgentCatalog catalog() {
    return new AgentCatalog(backends.values().stream().map(AgentBackend::manifest).toList());
  }

  public Optional<AgentBackend> backend(AgentKind kind) {
    return Optional.ofNullable(backends.get(kind.name()));
  }

  /// Starts a run, or says why it must not be started.
  public Result run(AgentRunRequest request, BackendContext context) {
    Optional<AgentBackend> backend = backend(request.kind());
    if (backend.isEmpty()) {
      return new Result.Refused(unknown(request.kind()));
    }
    if (request.prompt().isBlank()) {
      return new Result.Refused(
          Problem.of(ProblemCode.INVALID_REQUEST, "prompt must not be empty"));
    }
    AgentManifest manifest = AgentCatalog.granted(backend.get().manifest(), context.settings());
    Optional<String> variable = context.settings().grants().requestEnv().refused(request.env());
    if (variable.isPresent()) {
      return new Result.Refused(
          Problem.at(
              ProblemCode.INVALID_REQUEST,
              Pointer.of("env", variable.get()),
              RequestEnv.refusal(request.kind())));
    }
    return switch (manifest.check(request.extensions(), request.bounds().needs())) {
      case AgentManifest.Result.Accepted accepted ->
          start(backend.get(), request.with(accepted.extensions()), context);
      case AgentManifest.Result.Refused refused -> new Result.Refused(refused.problem());
    };
  }

  /// Why no agent may run with these extensions; empty if one may. To be asked before anything is
  /// started on behalf of a request: what the operator allows may have changed since it was made.
  public Optional<Problem> problem(
      AgentKind kind, Map<String, JsonNode> extensions, AgentSettings.Agent settings) {
    Optional<AgentBackend> backend = backend(kind);
    if (backend.isEmpty()) {
      return Optional.of(unknown(kind));
    }
    return switch (AgentCatalog.granted(backend.get().manifest(), settings)
        .check(extensions, List.of())) {
      case AgentManifest.Result.Accepted _ -> Optional.empty();
      case AgentManifest.Result.Refused(Problem problem) -> Optional.of(problem);
    };
  }

  private static Problem unknown(AgentKind kind) {
    return Problem.of(
        ProblemCode.UNKNOWN_BACKEND, new AgentError.UnknownBackend(kind.name()).display());
  }

  private static Result start(
      AgentBackend backend, AgentRunRequest request, BackendContext context) {
    return AddedDirs.problem(request.extensions(), request.workingDir())
        .or(() -> WorkspaceTrust.problem(request, context.settings().grants()))
        .<Result>map(Result.Refused::new)
        .orElseGet(() -> new Result.Started(backend.start(request, context)));
  }

  /// What became of a request.
  public sealed interface Result {
    record Started(AgentRun run) implements Result {}

    record Refused(Problem problem) implements Result {}
  }
}
