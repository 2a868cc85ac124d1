package dev.runyard.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class StopTest {
  @TempDir private Path folder = Path.of("");

  /// The queue takes the request and is silent: without help the receive lasts 30 s.
  @Test
  @Timeout(10)
  void leavesAReceiveThatWaits() throws Exception {
    try (ServerSocket queue = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Worker worker = Wiring.worker(env("http://127.0.0.1:" + queue.getLocalPort()));
      Thread work = Main.thread(worker);
      work.start();
      try (Socket receive = queue.accept()) {
        assertEquals('P', receive.getInputStream().read());
        Main.stop(worker, work);
      }
      assertEquals(Thread.State.TERMINATED, work.getState());
    }
  }

  private Map<String, String> env(String endpoint) {
    return Map.ofEntries(
        Map.entry("AWS_REGION", "us-east-1"),
        Map.entry("AWS_ENDPOINT_URL", endpoint),
        Map.entry("AWS_ACCESS_KEY_ID", "local"),
        Map.entry("AWS_SECRET_ACCESS_KEY", "local"),
        Map.entry("RUNYARD_EVENTS_TABLE", "events"),
        Map.entry("RUNYARD_RUN_QUEUE_URL", endpoint + "/000000000000/runs"),
        Map.entry("RUNYARD_ARTIFACTS_BUCKET", "artifacts"),
        Map.entry("RUNYARD_RETENTION_DAYS", "1"),
        Map.entry("RUNYARD_AGENTS", "{\"agents\":{}}"),
        Map.entry("RUNYARD_RUNS_PER_RUNNER", "1"),
        Map.entry("RUNYARD_FLUSH_MILLIS", "15"),
        Map.entry("RUNYARD_TAIL_MILLIS", "40"),
        Map.entry("RUNYARD_IDLE_SECONDS", "60"),
        Map.entry("RUNYARD_AWAIT_GRACE_SECONDS", "60"),
        Map.entry("RUNYARD_WORK_DIR", folder.toString()));
  }
}
