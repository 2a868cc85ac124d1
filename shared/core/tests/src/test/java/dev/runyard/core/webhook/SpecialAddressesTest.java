package dev.runyard.core.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SpecialAddressesTest {
  @ParameterizedTest
  @CsvSource({
    "00000000, true", "00ffffff, true", "01000000, false", "0a000001, true", "0b000000, false",
    "643fffff, false", "64400000, true", "647fffff, true", "64800000, false", "7f000001, true",
    "7fffffff, true", "80000000, false", "a9fea9fe, true", "a9feaa02, true", "a9ff0000, false",
    "ac0fffff, false", "ac100000, true", "ac1fffff, true", "ac200000, false", "c0000008, true",
    "c0000201, true", "c01fc401, true", "c034c101, true", "c0586301, true", "c0a80101, true",
    "c0af3001, true", "c6120000, true", "c613ffff, true", "c6140000, false", "c6336401, true",
    "cb007101, true", "dfffffff, false", "e0000001, true", "f0000001, true", "ffffffff, true",
    "5db8d822, false"
  })
  void knowsThoseOfVersion4(String hex, boolean special) {
    assertEquals(special, SpecialAddresses.contain(HexFormat.of().parseHex(hex)), hex);
  }

  @ParameterizedTest
  @CsvSource({
    "0000, true",
    "00000000000000000000000000000001, true",
    "00000000000000000000ffff7f000001, true",
    "00000000000000000000ffff5db8d822, true",
    "0000000000000000000000007f000001, true",
    "0064ff9b0000000000000000a9fea9fe, true",
    "0064ff9b000100000000000000000001, true",
    "01000000000000000000000000000001, true",
    "20010000000000000000000000000001, true",
    "200100020000000000000000000000ff, true",
    "200101ff0000000000000000000000ff, true",
    "20010db8000000000000000000000001, true",
    "20027f00000100000000000000000001, true",
    "2620004f800000000000000000000001, true",
    "3fff0000000000000000000000000001, true",
    "3fff1000000000000000000000000001, false",
    "4000000000000000000000000000000f, true",
    "5f000000000000000000000000000001, true",
    "fc000000000000000000000000000001, true",
    "fd000ec2000000000000000000000254, true",
    "fe800000000000000000000000000001, true",
    "fec00000000000000000000000000001, true",
    "ff020000000000000000000000000001, true",
    "2606470000000000000000000a000001, false",
    "260647000000000000005efe0a000001, true",
    "260647000000000002005efe0a000001, true",
    "20014860486000000000000000008888, false"
  })
  void knowsThoseOfVersion6(String hex, boolean special) {
    byte[] address = HexFormat.of().parseHex(hex);
    assertEquals(special, SpecialAddresses.contain(address), hex);
  }

  @Test
  void takesNothingElseForAnAddress() {
    assertEquals(true, SpecialAddresses.contain(new byte[0]));
    assertEquals(true, SpecialAddresses.contain(new byte[8]));
  }
}
