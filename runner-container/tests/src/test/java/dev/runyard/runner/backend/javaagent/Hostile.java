package dev.runyard.runner.backend.javaagent;

import dev.runyard.agent.AgentContext;
import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.core.message.Message;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// An agent named `hostile` whose prompt says what it does to its process.
public final class Hostile implements AgentDefinition {
  static final String EXITS = "exits";
  static final String EXITS_WELL = "exits well";
  static final String HALTS = "halts";
  static final String KILLS_ITSELF = "kills itself";
  static final String PRINTS = "prints";
  static final String READS = "reads standard input";
  static final String LETS_A_PROGRAM_PRINT = "lets a program print";
  static final String WRITES_GARBAGE = "writes garbage";
  static final String WRITES_A_LONG_LINE = "writes a long line";
  static final String DIES_WRITING = "dies writing";
  static final String FORGES = "forges";
  static final String LEAVES_PROGRAMS = "leaves programs";
  static final String SPINS = "spins";
  static final String THROWS_ERROR = "throws an error";
  static final String OVERFLOWS = "overflows";
  static final String HOARDS = "hoards";
  static final String LEAVES_THREADS = "leaves threads";
  static final String LEAVES_TALKERS = "leaves talkers";
  static final String DEADLOCKS = "deadlocks";
  static final String SHOWS_SURROUNDINGS = "shows surroundings";

  /// What lies about may not be run on another machine.
  private static final String CHANNEL = "/proc/self/fd/4";

  private static final int TALKERS = 3;

  private static final List<byte[]> HOARD = new ArrayList<>();

  @Override
  public String name() {
    return "hostile";
  }

  @Override
  public List<Message> execute(AgentRequest request, AgentContext context) throws Exception {
    context.write("begun");
    switch (request.prompt()) {
      case EXITS -> System.exit(7);
      case EXITS_WELL -> System.exit(0);
      case HALTS -> Runtime.getRuntime().halt(8);
      case KILLS_ITSELF -> program("kill -9 $PPID");
      case PRINTS -> {
        for (int i = 0; i < 10_000; i++) {
          System.out.println("{\"told\": \"nothing\"}");
          System.err.println("{\"ended\": {}}");
        }
      }
      case READS -> context.write(String.valueOf(System.in.read()));
      case LETS_A_PROGRAM_PRINT -> {
        new ProcessBuilder("sh", "-c", "echo '{\"ended\":{}}'; cat").inheritIO().start().waitFor();
        context.write(", done");
      }
      case WRITES_GARBAGE -> {
        write(context, "no message\n");
        LockSupport.park();
      }
      case WRITES_A_LONG_LINE -> {
        write(context, "{".repeat(3 << 20) + "\n");
        LockSupport.park();
      }
      case DIES_WRITING -> {
        write(context, "{\"told\":{\"type\":\"model.delta\",\"payload\":{\"te");
        program("kill -9 $PPID");
      }
      case FORGES -> {
        write(context, "{\"told\":{\"type\":\"task.completed\",\"payload\":{}}}\n");
        LockSupport.park();
      }
      case LEAVES_PROGRAMS -> {
        program("sleep 600 & setsid sleep 600 & true");
        context.write(", done");
      }
      case SPINS -> spin();
      case THROWS_ERROR -> throw new StackOverflowError("with a secret");
      case OVERFLOWS -> context.write(String.valueOf(depth(0)));
      case HOARDS -> {
        while (true) {
          HOARD.add(new byte[1 << 20]);
        }
      }
      case LEAVES_THREADS -> {
        Thread.ofPlatform().daemon(false).start(Hostile::spin);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(Hostile::spin));
        context.write(", done");
      }
      case LEAVES_TALKERS -> {
        for (int i = 0; i < TALKERS; i++) {
          Thread.ofPlatform().start(() -> talkOnceOver(context));
        }
        context.write(", done");
      }
      case DEADLOCKS -> deadlock();
      case SHOWS_SURROUNDINGS ->
          context.write(
              ";"
                  + System.getProperty("java.class.path")
                  + ";"
                  + System.getenv().keySet()
                  + ";"
                  + System.getProperty("user.dir"));
      case String unknown -> throw new IllegalStateException(unknown);
    }
    return List.of();
  }

  private static void program(String script) throws IOException, InterruptedException {
    new ProcessBuilder("sh", "-c", script).start().waitFor();
    if (script.startsWith("kill")) {
      LockSupport.park();
    }
  }

  /// Writes past the channel's own thread, after what that thread has to write: the runner answers
  /// a request for the history once it has read everything before it.
  private static void write(AgentContext context, String text) throws IOException {
    context.history();
    try (OutputStream channel = new FileOutputStream(CHANNEL)) {
      channel.write(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void spin() {
    while (true) {
      Thread.interrupted();
      Thread.onSpinWait();
    }
  }

  private static void talkOnceOver(AgentContext context) {
    context.inbox().forEach(_ -> {});
    while (true) {
      context.write(".");
    }
  }

  @SuppressWarnings("InfiniteRecursion")
  private static int depth(int so) {
    return depth(so + 1) + 1;
  }

  private static void deadlock() throws InterruptedException {
    Object one = new Object();
    Object two = new Object();
    CountDownLatch both = new CountDownLatch(2);
    Thread other = Thread.ofPlatform().start(() -> lock(two, one, both));
    lock(one, two, both);
    other.join();
  }

  private static void lock(Object first, Object then, CountDownLatch both) {
    synchronized (first) {
      both.countDown();
      while (both.getCount() > 0) {
        Thread.onSpinWait();
      }
      synchronized (then) {
        Thread.onSpinWait();
      }
    }
  }
}
