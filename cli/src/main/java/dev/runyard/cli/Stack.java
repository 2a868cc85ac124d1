package dev.runyard.cli;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A running local stack, as the commands see it.
public interface Stack extends AutoCloseable {
  URI uri();

  @Override
  void close();

  /// The settings of a stack.
  ///
  /// @param port 0 for a free one
  /// @param data folder to keep data in; null keeps it in memory
  /// @param agents file that says how to start the agent CLIs; null for the built-in settings
  /// @param endpoint another emulator of the AWS services; null for the embedded one
  /// @param workDir folder in which the workspaces of runs are kept; null removes them
  /// @param parameters of the template, by name; they override those derived from other settings
  /// @param quiet does not show the functions' log
  record Settings(
      int port,
      @Nullable Path data,
      @Nullable Path agents,
      @Nullable URI endpoint,
      @Nullable Path workDir,
      Map<String, String> parameters,
      boolean quiet) {
    public Settings {
      parameters = Map.copyOf(parameters);
    }
  }

  /// Starts stacks.
  @FunctionalInterface
  interface Starter {
    Stack start(Settings settings) throws Exception;
  }
}
