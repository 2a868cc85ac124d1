package dev.runyard.runner.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;

/// A program that tries what a confined agent may and may not do, and prints what came of it.
public final class Reaching {
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int AF_PACKET = 17;
  private static final int STREAM = 1;
  private static final int DATAGRAM = 2;
  private static final int RAW = 3;

  private Reaching() {}

  /// Tries it all.
  ///
  /// @param arguments a port of this machine to say hello to, and the path of a socket to which a
  ///   new socket of the internet is given
  public static void main(String[] arguments) throws IOException {
    KernelNumbers numbers = KernelNumbers.here().orElseThrow();
    System.out.println("variables " + System.getenv().keySet());
    System.out.println("udp " + made(numbers, AF_INET, DATAGRAM));
    System.out.println("udp6 " + made(numbers, AF_INET6, DATAGRAM));
    System.out.println("raw " + made(numbers, AF_INET, RAW));
    System.out.println("packet " + made(numbers, AF_PACKET, RAW));
    System.out.println("ring " + KernelCalls.call(KernelNumbers.IO_URING_SETUP, 1, 0));
    try (Socket here =
        new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]))) {
      here.getOutputStream().write('h');
    }
    try (Descriptor test = Descriptor.connect(numbers, Path.of(arguments[1]))) {
      test.give((int) made(numbers, AF_INET, STREAM));
      test.give((int) made(numbers, AF_INET6, STREAM));
    }
    System.out.println("done");
  }

  private static long made(KernelNumbers numbers, int family, int type) {
    return KernelCalls.call(numbers.sockets().socket(), family, type, 0);
  }
}
