package dev.runyard.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Closes a body that stays silent for too long. A half-open connection never ends by itself, and
/// reading one has no timeout.
final class SilenceWatch implements AutoCloseable {
  private final Semaphore heard = new Semaphore(0);
  private final Thread watcher;

  private SilenceWatch(InputStream body, Duration silenceMax) {
    this.watcher = Thread.ofPlatform().daemon().unstarted(() -> watch(body, silenceMax));
  }

  static SilenceWatch over(InputStream body, Duration silenceMax) {
    SilenceWatch watch = new SilenceWatch(body, silenceMax);
    watch.watcher.start();
    return watch;
  }

  void heard() {
    heard.release();
  }

  @Override
  public void close() {
    watcher.interrupt();
  }

  private void watch(InputStream body, Duration silenceMax) {
    try {
      while (heard.tryAcquire(silenceMax.toMillis(), TimeUnit.MILLISECONDS)) {
        heard.drainPermits();
      }
      body.close();
    } catch (InterruptedException | IOException _) {
      Thread.currentThread().interrupt();
    }
  }
}
