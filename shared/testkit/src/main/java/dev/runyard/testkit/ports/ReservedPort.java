package dev.runyard.testkit.ports;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/// A port of the loopback address at which nobody listens until a test does so, as often as it
/// likes.
///
/// A port that was free a moment ago may have been given to a connection or server of another test
/// since. This one is bound for as long as it is reserved, without anybody listening, so that the
/// system gives it to nobody who asks for any port.
public final class ReservedPort implements AutoCloseable {
  private final Socket holder = new Socket();

  public ReservedPort() {
    try {
      holder.setReuseAddress(true);
      holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int number() {
    return holder.getLocalPort();
  }

  @Override
  public void close() {
    try {
      holder.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
