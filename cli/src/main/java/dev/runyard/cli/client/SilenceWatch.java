package dev.runyard.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/// Closes a body that stays silent for too long. A half-open connection never ends by itself, and
/// reading one has no timeout.
final class SilenceWatch implements AutoCloseable {
  private final Thread watcher;
  private volatile long heardNanos = System.nanoTime();

  private SilenceWatch(InputStream body, Duration silenceMax) {
    this.watcher = Thread.ofPlatform().daemon().unstarted(() -> watch(body, silenceMax));
  }

  static SilenceWatch over(InputStream body, Duration silenceMax) {
    SilenceWatch watch = new SilenceWatch(body, silenceMax);
    watch.watcher.start();
    return watch;
  }

  void heard() {
    heardNanos = System.nanoTime();
  }

  @Override
  public void close() {
    watcher.interrupt();
  }

  private void watch(InputStream body, Duration silenceMax) {
    try {
      long left = silenceMax.toNanos();
      while (left > 0) {
        Thread.sleep(Duration.ofNanos(left));
        left = heardNanos + silenceMax.toNanos() - System.nanoTime();
      }
      body.close();
    } catch (InterruptedException | IOException _) {
      Thread.currentThread().interrupt();
    }
  }
}
