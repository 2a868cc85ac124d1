package dev.runyard.runner.network;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/// Addresses that no agent is led to: those of this machine, its link, and where clouds keep the
/// credentials of a machine, in every form in which one of IPv6 may contain one of IPv4.
final class Inside {
  private static final int V4_BYTES = 4;

  /// A range of addresses of IPv6.
  ///
  /// @param bits that all of them begin with
  private record Range(String address, int bits) {
    boolean contains(byte[] other) {
      byte[] own = InetAddress.ofLiteral(address).getAddress();
      int shift = own.length * Byte.SIZE - bits;
      return own.length == other.length
          && new BigInteger(1, own)
              .shiftRight(shift)
              .equals(new BigInteger(1, other).shiftRight(shift));
    }
  }

  /// Instance metadata and credentials of Amazon, Google, Azure, Alibaba and Oracle that are not on
  /// the link.
  private static final List<Range> CREDENTIALS =
      List.of(
          new Range("fd00:ec2::", 32),
          new Range("fd20:ce::", 32),
          new Range("168.63.129.16", 32),
          new Range("100.100.100.200", 32),
          new Range("192.0.0.0", 24));

  /// Where an address of IPv4 is in one of IPv6: behind `::`, `::ffff:0:0` and those of NAT64, at
  /// its end; in 6to4, after the first two bytes.
  private static final List<Range> CONTAIN_AT_END =
      List.of(
          new Range("::", 96),
          new Range("::ffff:0:0:0", 96),
          new Range("64:ff9b::", 96),
          new Range("64:ff9b:1::", 48));

  private static final Range SIX_TO_FOUR = new Range("2002::", 16);
  private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

  private Inside() {}

  static boolean is(InetAddress address) {
    byte[] bytes = address.getAddress();
    return address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isAnyLocalAddress()
        || address.isMulticastAddress()
        || isOfAnInterface(address)
        || CREDENTIALS.stream().anyMatch(range -> range.contains(bytes))
        || (bytes.length > V4_BYTES && contains(bytes));
  }

  /// Also where nobody can say whether it is.
  private static boolean isOfAnInterface(InetAddress address) {
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException _) {
      return true;
    }
  }

  private static boolean contains(byte[] bytes) {
    int end = bytes.length - V4_BYTES;
    if (Arrays.equals(MAPPED, Arrays.copyOf(bytes, end))
        || CONTAIN_AT_END.stream().anyMatch(range -> range.contains(bytes))) {
      return is(of(Arrays.copyOfRange(bytes, end, bytes.length)));
    }
    return SIX_TO_FOUR.contains(bytes) && is(of(Arrays.copyOfRange(bytes, 2, 2 + V4_BYTES)));
  }

  private static InetAddress of(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
