package dev.runyard.cli;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A running local stack, as the commands see it.
public interface Stack extends AutoCloseable {
  URI uri();

  /// What keeps its runs apart and why, for people; empty where each runner decides for itself.
  default Optional<String> isolation() {
    return Optional.empty();
  }

  @Override
  void close();

  /// The settings of a stack.
  ///
  /// @param port 0 for a free one
  /// @param agents file that says how to start the agent CLIs; null for the built-in settings
  /// @param workDir folder in which the workspaces of runs are kept; null removes them
  /// @param parameters of the template, by name; they override those derived from other settings
  /// @param quiet does not show the functions' log
  /// @param token whether clients must show an access token
  /// @param secrets file with what Secrets Manager and SSM keep; null for none
  record Settings(
      int port,
      Storage storage,
      @Nullable Path agents,
      @Nullable Path workDir,
      Map<String, String> parameters,
      boolean quiet,
      boolean token,
      @Nullable Path secrets) {
    public Settings {
      parameters = Map.copyOf(parameters);
    }

    /// A stack without secrets.
    public Settings(
        int port,
        Storage storage,
        @Nullable Path agents,
        @Nullable Path workDir,
        Map<String, String> parameters,
        boolean quiet,
        boolean token) {
      this(port, storage, agents, workDir, parameters, quiet, token, null);
    }
  }

  /// What a stack keeps its data in.
  sealed interface Storage {
    /// The folder to keep data in; null keeps it for as long as the stack runs.
    @Nullable Path data();

    /// The store made for one machine.
    ///
    /// @param sync whether the disk has what was acknowledged
    record Embedded(@Nullable Path data, boolean sync) implements Storage {}

    /// Emulators of the AWS services, with the tables and queues of the template.
    ///
    /// @param endpoint another emulator; null for the one that comes with Runyard
    record Emulated(@Nullable Path data, @Nullable URI endpoint) implements Storage {}
  }

  /// Starts stacks.
  @FunctionalInterface
  interface Starter {
    Stack start(Settings settings) throws Exception;
  }
}
