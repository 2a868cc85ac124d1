package dev.runyard.cli.client;

import java.io.IOException;

/// A request that was kept back, because its sender cannot show who it is or must not do so there.
final class NotSent extends IOException {
  private static final long serialVersionUID = 1L;

  NotSent(String why) {
    super(why);
  }
}
