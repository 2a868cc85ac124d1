package dev.runyard.cli;

import dev.runyard.cli.demo.Folders;
import dev.runyard.cli.profile.Profiles;
import dev.runyard.local.LocalOptions;
import dev.runyard.local.LocalStack;
import dev.runyard.local.embedded.EmbeddedStack;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Starts the stack that the project's template.yaml describes.
final class TemplateStacks implements Stack.Starter {
  /// The project's folder, set by the launcher.
  private static final String HOME_PROPERTY = "runyard.home";

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final String KEEP_PARAMETER = "KeepWorkspaces";

  private final Terminal terminal;

  TemplateStacks(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Stack start(Stack.Settings settings) throws IOException {
    if (settings.quiet() && !terminal.env().containsKey(Runyard.TRACE_VARIABLE)) {
      System.setOut(
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }
    Path template = Path.of(System.getProperty(HOME_PROPERTY, ".")).resolve("template.yaml");
    if (!Files.isReadable(template)) {
      throw new IOException("no template.yaml at " + template);
    }
    @Nullable Path scratch = null;
    Path work;
    if (settings.workDir() != null) {
      work = Files.createDirectories(settings.workDir());
    } else if (settings.storage().data() != null) {
      work = Files.createDirectories(settings.storage().data().resolve("work"));
    } else {
      scratch = scratch();
      work = scratch;
    }
    try {
      return running(settings, options(settings, template, work), scratch);
    } catch (RuntimeException e) {
      delete(scratch);
      throw e;
    }
  }

  private static Stack running(
      Stack.Settings settings, LocalOptions options, @Nullable Path scratch) {
    return switch (settings.storage()) {
      case Stack.Storage.Embedded embedded -> {
        EmbeddedStack stack = EmbeddedStack.start(options, embedded.sync());
        yield new Running(
            stack.uri(), Optional.of(stack.isolation().text()), stack::close, scratch);
      }
      case Stack.Storage.Emulated(_, var endpoint) -> {
        LocalStack stack =
            LocalStack.start(endpoint == null ? options : options.withEndpoint(endpoint));
        yield new Running(stack.uri(), Optional.empty(), stack::close, scratch);
      }
    };
  }

  private LocalOptions options(Stack.Settings settings, Path template, Path work) {
    return new LocalOptions(
        settings.port(),
        Optional.ofNullable(settings.storage().data()),
        Optional.empty(),
        Optional.ofNullable(settings.agents()),
        parameters(settings),
        template,
        work,
        settings.token() ? Optional.of(StackTokens.of(terminal.env()).path()) : Optional.empty(),
        Optional.ofNullable(settings.secrets()),
        keys());
  }

  /// The folders of the user's keys: of this stack and others on this machine, and of logins to
  /// other servers. They are made where there are none, so that they are hidden from agents that
  /// are at work when the first key comes.
  private List<Path> keys() {
    List<Path> folders = new ArrayList<>();
    for (Path folder :
        List.of(
            StackTokens.of(terminal.env()).path(),
            Profiles.of(terminal.env()).file().resolveSibling(""))) {
      folders.add(folder);
      try {
        Files.createDirectories(folder.resolveSibling(""));
        Files.createDirectories(folder, OWNER_ONLY);
      } catch (IOException e) {
        terminal.note("runyard: no keys can be kept in " + folder + ": " + e);
      }
    }
    return folders;
  }

  private static Map<String, String> parameters(Stack.Settings settings) {
    Map<String, String> parameters = new HashMap<>();
    if (settings.workDir() != null) {
      parameters.put(KEEP_PARAMETER, "true");
    }
    parameters.putAll(settings.parameters());
    return parameters;
  }

  /// Users of attempts pass through it to their own folders; what a stack keeps in it is closed.
  private Path scratch() throws IOException {
    Path parent = CacheFolder.of(terminal.env()).resolve("work");
    Path made = Files.createTempDirectory(Files.createDirectories(parent), "stack-");
    return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwx--x--x"));
  }

  private static void delete(@Nullable Path folder) {
    try {
      if (folder != null) {
        Folders.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Running implements Stack {
    private final URI uri;
    private final Optional<String> isolation;
    private final Runnable end;
    private final @Nullable Path scratch;
    private final AtomicBoolean closed = new AtomicBoolean();

    Running(URI uri, Optional<String> isolation, Runnable end, @Nullable Path scratch) {
      this.uri = uri;
      this.isolation = isolation;
      this.end = end;
      this.scratch = scratch;
    }

    @Override
    public URI uri() {
      return uri;
    }

    @Override
    public Optional<String> isolation() {
      return isolation;
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        end.run();
        delete(scratch);
      }
    }
  }
}
