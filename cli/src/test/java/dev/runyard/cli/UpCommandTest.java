package dev.runyard.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class UpCommandTest {

  @Test
  void saysReadyOnceAndClosesTheStackWhenInterrupted() throws Exception {
    AtomicBoolean closed = new AtomicBoolean();
    BlockingQueue<Stack.Settings> started = new ArrayBlockingQueue<>(1);
    CompletableFuture<Cli.Outcome> outcome = new CompletableFuture<>();
    Thread command =
        Thread.ofPlatform()
            .start(
                () ->
                    outcome.complete(
                        new Cli()
                            .starting(
                                settings -> {
                                  started.add(settings);
                                  return stack(closed);
                                })
                            .run(
                                "up",
                                "--port",
                                "0",
                                "--agents",
                                "a.json",
                                "--work",
                                "files",
                                "--secrets",
                                "s.json",
                                "--agent-jars",
                                "jars",
                                "--isolation",
                                "uid",
                                "--set",
                                "RunnersMax=2",
                                "--set",
                                "AgentsDocument={\"a\":\"=\"}",
                                "--endpoint",
                                "http://127.0.0.1:4566")));
    Stack.Settings settings = started.take();
    command.interrupt();
    assertEquals("ready http://127.0.0.1:1234\n", outcome.get().out());
    String said = outcome.get().err();
    assertTrue(said.startsWith("runyard: isolation none: said by the stack\n"), said);
    assertTrue(said.endsWith("tokens/1234\n"), said);
    assertEquals(ExitCode.CANCELLED, outcome.get().exit());
    assertTrue(closed.get());
    assertEquals(
        new Stack.Settings(
            0,
            new Stack.Storage.Emulated(null, URI.create("http://127.0.0.1:4566")),
            Path.of("a.json"),
            Path.of("files"),
            Map.of(
                "AgentJars",
                Path.of("jars").toAbsolutePath().toString(),
                "Isolation",
                "uid",
                "RunnersMax",
                "2",
                "AgentsDocument",
                "{\"a\":\"=\"}"),
            false,
            true,
            Path.of("s.json")),
        settings);
  }

  @Test
  void usesThePortThatClientsExpect() {
    BlockingQueue<Stack.Settings> started = new ArrayBlockingQueue<>(1);
    Cli.Outcome outcome =
        new Cli()
            .starting(
                settings -> {
                  started.add(settings);
                  throw new java.io.IOException("port 7070 is in use");
                })
            .run("up");
    assertEquals(7070, started.remove().port());
    assertEquals(new Cli.Outcome(1, "", "runyard: port 7070 is in use\n"), outcome);
  }

  @Test
  void keepsDataInTheStoreOfOneMachineUnlessToldOtherwise() {
    Path data = Path.of("d");
    assertEquals(new Stack.Storage.Embedded(null, true), storage("up"));
    assertEquals(new Stack.Storage.Embedded(data, true), storage("up", "--data", "d"));
    assertEquals(
        new Stack.Storage.Embedded(data, false), storage("up", "--data", "d", "--sync", "off"));
    assertEquals(
        new Stack.Storage.Emulated(data, null), storage("up", "--data", "d", "--emulated"));
  }

  @Test
  void saysThatTheDiskMayLackWhatWasAcknowledged() {
    Cli.Outcome outcome = new Cli().starting(UpCommandTest::refused).run("up", "--sync", "off");
    assertTrue(outcome.err().startsWith("runyard: a power failure loses"), outcome.err());
  }

  @Test
  void letsFunctionsCheckKeysIfItIsToldTo() {
    assertEquals(Map.of("Access", "BEARER"), settings("up", "--access", "keys").parameters());
    assertEquals(Map.of(), settings("up").parameters());
    for (String[] open :
        List.of(
            new String[] {"up", "--access", "keys", "--no-token"},
            new String[] {"up", "--set", "Access=BEARER", "--no-token"})) {
      Cli.Outcome outcome = new Cli().starting(UpCommandTest::refused).run(open);
      assertEquals(ExitCode.USAGE, outcome.exit());
      assertTrue(outcome.err().contains("nobody could make a key"), outcome.err());
    }
  }

  @Test
  void clientsNeedATokenUnlessItIsToldOtherwise() {
    assertTrue(settings("up").token());
    assertTrue(settings("up", "--emulated").token());
    assertFalse(settings("up", "--no-token").token());
    assertFalse(settings("up", "--emulated", "--no-token").token());
  }

  @Test
  void refusesToSyncNothingOnEmulators() {
    Cli.Outcome outcome =
        new Cli().starting(UpCommandTest::refused).run("up", "--emulated", "--sync", "off");
    assertEquals(ExitCode.USAGE, outcome.exit(), outcome.err());
  }

  private static Stack.Storage storage(String... line) {
    return settings(line).storage();
  }

  private static Stack.Settings settings(String... line) {
    BlockingQueue<Stack.Settings> started = new ArrayBlockingQueue<>(1);
    new Cli()
        .starting(
            settings -> {
              started.add(settings);
              return refused(settings);
            })
        .run(line);
    return started.remove();
  }

  private static Stack refused(Stack.Settings settings) throws java.io.IOException {
    throw new java.io.IOException("port " + settings.port() + " is in use");
  }

  @Test
  void aParameterHasAValue() {
    Cli.Outcome outcome = new Cli().run("up", "--set", "RunnersMax");
    assertEquals(ExitCode.USAGE, outcome.exit());
    assertTrue(outcome.err().contains("--set"), outcome.err());
  }

  private static Stack stack(AtomicBoolean closed) {
    return new Stack() {
      @Override
      public URI uri() {
        return URI.create("http://127.0.0.1:1234");
      }

      @Override
      public Optional<String> isolation() {
        return Optional.of("none: said by the stack");
      }

      @Override
      public void close() {
        closed.set(true);
      }
    };
  }
}
