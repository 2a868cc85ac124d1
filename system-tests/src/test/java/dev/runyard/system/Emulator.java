package dev.runyard.system;

import cloud.localstack.Localstack;
import cloud.localstack.docker.annotation.LocalstackDockerConfiguration;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the tested stacks keep their data in. Chosen once for the whole suite, and printed.
///
/// | `runyard.system.emulator` | `AWS_ENDPOINT_URL` | usual tests use | tests of emulators use |
/// |---|---|---|---|
/// | absent or `store` | any | the store of one machine | emulators in the stack |
/// | `emulated` | any | emulators in the stack | emulators in the stack |
/// | `localstack` | set | the emulator there | the emulator there |
/// | `localstack` | not set | a LocalStack container, or else the suite fails | the same |
///
/// @param everywhere whether all tests use emulators
/// @param endpoint empty when they are in the stack itself
record Emulator(String name, boolean everywhere, Optional<URI> endpoint) {
  private static final String CHOICE = "runyard.system.emulator";
  private static final String ENDPOINT = "AWS_ENDPOINT_URL";
  private static final String TOKEN = "LOCALSTACK_AUTH_TOKEN";
  private static final String IN_THE_STACK = "embedded emulators";

  /// Most tests on emulators wait for leases. Reading quiet runs as often as `up` does would take
  /// the processors from the tests beside them.
  private static final List<String> SELDOM = List.of("--set", "TailMillis=250");

  private static @Nullable Emulator chosen;
  private static @Nullable String none;

  /// The suite's emulator. If there is none, throws the reason to every class that asks.
  static synchronized Emulator chosen() {
    if (none != null) {
      throw new IllegalStateException(none);
    }
    if (chosen == null) {
      try {
        chosen = choose(System.getProperty(CHOICE, ""));
      } catch (IllegalStateException e) {
        none = e.getMessage();
        throw e;
      }
    }
    return chosen;
  }

  private static Emulator choose(String choice) {
    return switch (choice) {
      case "", "store" -> new Emulator(IN_THE_STACK, false, Optional.empty());
      case "emulated" -> new Emulator(IN_THE_STACK, true, Optional.empty());
      case "localstack" -> localStack(System.getenv());
      case String other -> throw new IllegalStateException(CHOICE + " cannot be " + other);
    };
  }

  private static Emulator localStack(Map<String, String> env) {
    String given = env.getOrDefault(ENDPOINT, "").strip();
    return given.isEmpty()
        ? new Emulator("LocalStack (container)", true, Optional.of(container(env)))
        : new Emulator("endpoint " + given, true, Optional.of(URI.create(given)));
  }

  private static URI container(Map<String, String> env) {
    Map<String, String> variables = new HashMap<>(Map.of("SERVICES", "dynamodb,sqs"));
    variables.computeIfAbsent(TOKEN, env::get);
    try {
      Localstack.INSTANCE.startup(
          LocalstackDockerConfiguration.builder().environmentVariables(variables).build());
      Runtime.getRuntime().addShutdownHook(new Thread(Localstack.INSTANCE::stop));
      return URI.create("http://127.0.0.1:" + Localstack.INSTANCE.getEdgePort());
    } catch (RuntimeException | LinkageError e) {
      throw new IllegalStateException(
          "The profile localstack needs an emulator, and there is none: "
              + ENDPOINT
              + " is not set, and no LocalStack container starts ("
              + cause(e)
              + "). Start a container engine, or set "
              + ENDPOINT
              + " to a running LocalStack or moto.",
          e);
    }
  }

  private static Throwable cause(Throwable e) {
    return e.getCause() == null ? e : cause(e.getCause());
  }

  /// What a usual test runs on.
  Ground usual(Path data) {
    return everywhere ? emulated(data) : stored(data);
  }

  /// What a test of what only the store of one machine has runs on.
  static Ground stored(Path data) {
    return new Ground("the store of one machine", List.of("--data", data.toString()));
  }

  /// What a test of emulators runs on.
  Ground emulated(Path data) {
    List<String> where =
        endpoint
            .map(url -> List.of("--endpoint", url.toString()))
            .orElseGet(() -> List.of("--emulated", "--data", data.toString()));
    return new Ground(name, Stream.concat(where.stream(), SELDOM.stream()).toList());
  }

  /// What a stack is started on: its name, and the options of `up` with which its data is there
  /// after a restart.
  record Ground(String name, List<String> options) {}
}
