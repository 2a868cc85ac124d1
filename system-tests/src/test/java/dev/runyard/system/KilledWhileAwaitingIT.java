package dev.runyard.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// `kill -9` while runs await a message, of the runner on emulators or of all of a stack on the
/// store of one machine. Resuming them in each mode of the Agent Communication Protocol continues
/// where they stopped.
@Order(2)
@Execution(ExecutionMode.CONCURRENT)
final class KilledWhileAwaitingIT {
  @TempDir private Path folder;

  @Test
  void resumingContinuesWhereTheRunsStopped() throws Exception {
    String jars = TestAgents.in(folder);
    try (SystemStack stack = SystemStack.emulated(StackFolder.in(folder), "--agent-jars", jars)) {
      Acp acp = new Acp(stack.api());
      Awaiting runs = Awaiting.begin(acp);

      stack.killRunners();

      runs.stillAwaits(acp);
      runs.resume(acp);
    }
  }

  @Test
  void resumingContinuesOnTheNextStack() throws Exception {
    StackFolder files = StackFolder.in(folder);
    String jars = TestAgents.in(folder);
    Awaiting runs;
    try (SystemStack stack = SystemStack.start(files, "--agent-jars", jars)) {
      runs = Awaiting.begin(new Acp(stack.api()));
      stack.killAll();
    }
    try (SystemStack stack = SystemStack.start(files, "--agent-jars", jars)) {
      Acp acp = new Acp(stack.api());
      runs.stillAwaits(acp);
      runs.resume(acp);
    }
  }

  /// Runs of an agent that asks for a message, one to resume in each mode.
  private record Awaiting(String sync, String stream, String async) {
    static Awaiting begin(Acp acp) throws Exception {
      return new Awaiting(
          acp.awaiting("awaiter"), acp.awaiting("awaiter"), acp.awaiting("awaiter"));
    }

    void stillAwaits(Acp acp) throws Exception {
      for (String id : List.of(sync, stream, async)) {
        assertEquals("awaiting", acp.run(id).path("status").asText());
      }
    }

    void resume(Acp acp) throws Exception {
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        Future<JsonNode> answered = threads.submit(() -> acp.resumeSync(sync));
        Future<List<JsonNode>> streamed = threads.submit(() -> acp.resumeStream(stream));
        assertEquals("in-progress", acp.resumeAsync(async).path("status").asText());

        assertEquals("completed", answered.get().path("status").asText(), answered::toString);
        assertEquals(List.of("empty"), Acp.texts(answered.get()));
        List<String> types = Api.types(streamed.get());
        assertEquals("run.in-progress", types.getFirst(), types::toString);
        assertEquals("run.completed", types.getLast(), types::toString);
        acp.api().ended(async);
        assertEquals(List.of("empty"), Acp.texts(acp.run(async)));
      }
      for (String id : List.of(sync, stream, async)) {
        checkLog(acp, id);
      }
    }

    /// Asked once, answered once, written once: the second attempt is not a retry.
    private static void checkLog(Acp acp, String id) throws Exception {
      assertEquals("completed", acp.api().ended(id).path("status").asText());
      List<String> types = Api.types(acp.api().all(id, 1_000));
      for (String once : List.of("action.required", "action.resolved", "process.input")) {
        assertEquals(1, types.stream().filter(once::equals).count(), types::toString);
      }
      assertTrue(types.contains("task.paused"), types::toString);
      assertTrue(!types.contains("task.retrying"), types::toString);
      assertEquals(2, types.stream().filter("task.attempt.started"::equals).count());
    }
  }
}
