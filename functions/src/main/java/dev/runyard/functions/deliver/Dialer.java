package dev.runyard.functions.deliver;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/// Opens connections.
@FunctionalInterface
interface Dialer {
  Socket connect(InetSocketAddress address, int millisMax) throws IOException;
}
