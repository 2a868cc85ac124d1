package dev.runyard.runner.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// Finds the address of a host.
@FunctionalInterface
interface Lookup {
  /// The address to connect to.
  ///
  /// @throws IOException when the host is not known, or not to be reached
  InetAddress find(String host) throws IOException;

  /// All addresses of a name.
  @FunctionalInterface
  interface Names {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  /// Finds addresses outside of this machine and of its link, where clouds keep their credentials:
  /// whoever owns a name decides what it stands for.
  static Lookup outside(Names names) {
    return host -> {
      for (InetAddress address : names.all(host)) {
        if (!Inside.is(address)) {
          return address;
        }
      }
      throw new UnknownHostException("no address outside of this machine");
    };
  }
}
