package dev.runyard.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.runyard.aws.AwsClients;
import dev.runyard.aws.AwsPorts;
import dev.runyard.aws.Settings;
import dev.runyard.core.fleet.Slot;
import dev.runyard.core.memory.MemorySlots;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StopTest {
  @TempDir private Path folder = Path.of("");

  /// The queue accepts the request and does not answer: without an interrupt the receive lasts half
  /// a minute, and is then tried again.
  @Test
  void leavesAReceiveThatWaits() throws Exception {
    try (ServerSocket queue = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Map<String, String> env = env("http://127.0.0.1:" + queue.getLocalPort());
      MemorySlots slots = new MemorySlots();
      slots.write(new Slot.Free(0, 0).claim("claim", Instant.now()));
      Settings settings = new Settings(env);
      AwsClients clients = new AwsClients(settings);
      AwsPorts ports = new AwsPorts(settings, clients, InstantSource.system());
      Worker worker = Wiring.worker(env, clients, ports, slots);
      Thread work = Main.thread(worker);
      work.start();
      try (Socket receive = queue.accept()) {
        assertEquals('P', receive.getInputStream().read());
        Main.stop(worker, work);
      }
      queue.setSoTimeout(1);
      assertThrows(SocketTimeoutException.class, () -> queue.accept().close());
      assertEquals(Thread.State.TERMINATED, work.getState());
      assertInstanceOf(Slot.Free.class, slots.read().slot(0));
    }
  }

  private Map<String, String> env(String endpoint) {
    return Map.ofEntries(
        Map.entry("AWS_REGION", "us-east-1"),
        Map.entry("AWS_ENDPOINT_URL", endpoint),
        Map.entry("AWS_ACCESS_KEY_ID", "local"),
        Map.entry("AWS_SECRET_ACCESS_KEY", "local"),
        Map.entry("RUNYARD_EVENTS_TABLE", "events"),
        Map.entry("RUNYARD_VIEWS_TABLE", "views"),
        Map.entry("RUNYARD_RUN_QUEUE_URL", endpoint + "/000000000000/runs"),
        Map.entry("RUNYARD_ARTIFACTS_BUCKET", "artifacts"),
        Map.entry("RUNYARD_RETENTION_DAYS", "9"),
        Map.entry("RUNYARD_AGENTS", "{\"agents\":{}}"),
        Map.entry("RUNYARD_SLOT", "0"),
        Map.entry("RUNYARD_SLOT_CLAIM", "claim"),
        Map.entry("RUNYARD_RUNNERS_MIN", "0"),
        Map.entry("RUNYARD_RUNNER_AGE_MAX_SECONDS", "3600"),
        Map.entry("RUNYARD_RUNS_PER_RUNNER", "1"),
        Map.entry("RUNYARD_FLUSH_MILLIS", "15"),
        Map.entry("RUNYARD_GATHER_MILLIS", "0"),
        Map.entry("RUNYARD_TAIL_MILLIS", "40"),
        Map.entry("RUNYARD_IDLE_SECONDS", "60"),
        Map.entry("RUNYARD_AWAIT_GRACE_SECONDS", "60"),
        Map.entry("RUNYARD_WORK_DIR", folder.toString()));
  }
}
