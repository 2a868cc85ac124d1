package dev.runyard.core.webhook;

import java.util.Arrays;
import java.util.List;

/// Addresses that are no place on the internet, by the registries of special-purpose addresses:
/// private, local, reserved, and those that wrap an address of IPv4 in one of IPv6, which whoever
/// forwards them would unwrap.
public final class SpecialAddresses {
  private static final int V4_BYTES = 4;
  private static final int V6_BYTES = 16;

  private static final List<Prefix> V4 =
      List.of(
          v4(8, 0),
          v4(8, 10),
          v4(10, 100, 64),
          v4(8, 127),
          v4(16, 169, 254),
          v4(12, 172, 16),
          v4(24, 192, 0, 0),
          v4(24, 192, 0, 2),
          v4(24, 192, 31, 196),
          v4(24, 192, 52, 193),
          v4(24, 192, 88, 99),
          v4(16, 192, 168),
          v4(24, 192, 175, 48),
          v4(15, 198, 18),
          v4(24, 198, 51, 100),
          v4(24, 203, 0, 113),
          v4(4, 224),
          v4(4, 240));

  /// The only part of IPv6 in which addresses of the internet are.
  private static final Prefix GLOBAL = v6(3, 0x2000);

  private static final List<Prefix> V6 =
      List.of(
          v6(23, 0x2001),
          v6(32, 0x2001, 0x0db8),
          v6(16, 0x2002),
          v6(48, 0x2620, 0x004f, 0x8000),
          v6(20, 0x3fff));

  private SpecialAddresses() {}

  /// True unless this is an address of the internet.
  ///
  /// @param address 4 or 16 bytes
  public static boolean contain(byte[] address) {
    return switch (address.length) {
      case V4_BYTES -> V4.stream().anyMatch(prefix -> prefix.covers(address));
      case V6_BYTES ->
          !GLOBAL.covers(address)
              || V6.stream().anyMatch(prefix -> prefix.covers(address))
              || tunnels(address);
      default -> true;
    };
  }

  /// ISATAP has an address of IPv4 behind `0:5efe` or `200:5efe`, in any network.
  private static boolean tunnels(byte[] address) {
    return (address[8] & 0xFD) == 0
        && address[9] == 0
        && address[10] == 0x5E
        && address[11] == (byte) 0xFE;
  }

  private static Prefix v4(int bits, int... bytes) {
    byte[] address = new byte[V4_BYTES];
    for (int i = 0; i < bytes.length; i++) {
      address[i] = (byte) bytes[i];
    }
    return new Prefix(bits, address);
  }

  private static Prefix v6(int bits, int... groups) {
    byte[] address = new byte[V6_BYTES];
    for (int i = 0; i < groups.length; i++) {
      address[2 * i] = (byte) (groups[i] >> Byte.SIZE);
      address[2 * i + 1] = (byte) groups[i];
    }
    return new Prefix(bits, address);
  }

  private static final class Prefix {
    private final int bits;
    private final byte[] address;

    Prefix(int bits, byte[] address) {
      this.bits = bits;
      this.address = address;
    }

    boolean covers(byte[] other) {
      int whole = bits / Byte.SIZE;
      int rest = bits % Byte.SIZE;
      return Arrays.equals(address, 0, whole, other, 0, whole)
          && (rest == 0 || (address[whole] ^ other[whole]) >> (Byte.SIZE - rest) == 0);
    }
  }
}
