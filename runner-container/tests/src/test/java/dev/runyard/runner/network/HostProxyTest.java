package dev.runyard.runner.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostProxyTest {
  private static final String KNOWN =
      "Proxy-Authorization: Basic "
          + Base64.getEncoder().encodeToString("attempt:token".getBytes(StandardCharsets.US_ASCII))
          + "\r\n";

  private final ServerSocket host = server();
  private final String authority = "allowed.example:" + host.getLocalPort();
  private HostProxy proxy;

  @BeforeEach
  void start() throws IOException {
    proxy =
        HostProxy.start(
            new HostRules(List.of(authority, "unknown.example")),
            name -> {
              if (name.equals("allowed.example")) {
                return InetAddress.getLoopbackAddress();
              }
              throw new UnknownHostException(name);
            },
            "token");
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    host.close();
  }

  @Test
  void tunnelsToAHostThatIsListed() throws IOException {
    try (Socket client = client("CONNECT " + authority + " HTTP/1.1\r\n" + KNOWN + "\r\n");
        Socket there = host.accept()) {
      assertEquals("HTTP/1.1 200 Connection established\r\n\r\n", read(client, 39));
      client.getOutputStream().write(bytes("\u0000\u0016hello"));
      client.shutdownOutput();
      assertEquals("\u0000\u0016hello", rest(there));
      there.getOutputStream().write(bytes("well"));
      there.shutdownOutput();
      assertEquals("well", rest(client));
    }
  }

  @Test
  void forwardsAPlainRequestAsItsHostExpectsIt() throws IOException {
    String fields = KNOWN + "Host: evil.example\r\nX-Own: 1\r\nProxy-Connection: keep-alive\r\n";
    try (Socket client =
            client("POST http://" + authority + "/a?b=c HTTP/1.1\r\n" + fields + "\r\nbody");
        Socket there = host.accept()) {
      client.shutdownOutput();
      assertEquals(
          "POST /a?b=c HTTP/1.1\r\nHost: %s\r\nX-Own: 1\r\nConnection: close\r\n\r\nbody"
              .formatted(authority),
          rest(there));
    }
  }

  @Test
  void refusesAHostThatIsNotListed() throws IOException {
    assertEquals("403", status("CONNECT other.example:443 HTTP/1.1\r\n" + KNOWN + "\r\n"));
    assertEquals("403", status("GET http://other.example/ HTTP/1.1\r\n" + KNOWN + "\r\n"));
  }

  @Test
  void refusesWhoeverHasNotItsCredentials() throws IOException {
    assertEquals("407", status("CONNECT " + authority + " HTTP/1.1\r\n\r\n"));
    assertEquals(
        "407",
        status(
            "CONNECT "
                + authority
                + " HTTP/1.1\r\n"
                + KNOWN.replace("Basic ", "Basic A")
                + "\r\n"));
  }

  @Test
  void saysThatAHostCannotBeReached() throws IOException {
    assertEquals("502", status("CONNECT unknown.example:443 HTTP/1.1\r\n" + KNOWN + "\r\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HELLO\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: allowed.example\r\n\r\n",
        "GET https://allowed.example/ HTTP/1.1\r\n\r\n",
        "CONNECT allowed.example:443 HTTP/2\r\n\r\n",
        "CONNECT [::1]:443 HTTP/1.1\r\n\r\n",
        "CONNECT user@allowed.example:443 HTTP/1.1\r\n\r\n",
        "CONNECT allowed.example:443 HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
        "GET http://allowed.example/ HTTP/1.1\r\nA: b\nHost: c\r\n\r\n",
        "GET http://[allowed/ HTTP/1.1\r\n\r\n"
      })
  void refusesWhatNoClientOfAProxySends(String request) throws IOException {
    assertEquals("400", status(request));
  }

  @Test
  void readsNoEndlessHead() throws IOException {
    assertEquals(
        "400", status("CONNECT a HTTP/1.1\r\nA: " + "a".repeat(ProxyRequest.HEAD_BYTES_MAX)));
  }

  @Test
  void isOpenToItsAgentWhateverOthersConnectToIt() throws IOException {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * HostProxy.CONNECTIONS_MAX; i++) {
        silent.add(client(""));
      }
      assertEquals("502", status("CONNECT unknown.example:443 HTTP/1.1\r\n" + KNOWN + "\r\n"));
      assertEquals("", rest(silent.getFirst()), "the oldest has given way");
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void endsItsConnectionsWithTheAttempt() throws IOException {
    try (Socket client = client("CONNECT " + authority + " HTTP/1.1\r\n" + KNOWN + "\r\n");
        Socket there = host.accept()) {
      read(client, 39);
      proxy.close();
      assertEquals("", rest(there));
    }
  }

  @Test
  void neverLeadsToThisMachineOrItsLink() throws IOException {
    Lookup lookup = Lookup.outside(InetAddress::getAllByName);
    for (String inside :
        List.of("127.0.0.1", "127.1.2.3", "169.254.170.2", "0.0.0.0", "224.0.0.1")) {
      assertThrows(UnknownHostException.class, () -> lookup.find(inside), inside);
    }
    assertEquals("192.0.2.7", lookup.find("192.0.2.7").getHostAddress());
    InetAddress[] both = {
      InetAddress.getLoopbackAddress(), InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 8})
    };
    assertEquals("192.0.2.8", Lookup.outside(_ -> both).find("mixed").getHostAddress());
  }

  @Test
  void neverLeadsToAnAddressOfAnInterfaceOfThisMachine() throws IOException {
    List<InetAddress> own =
        NetworkInterface.networkInterfaces().flatMap(NetworkInterface::inetAddresses).toList();
    assertFalse(own.isEmpty());
    for (InetAddress address : own) {
      InetAddress[] found = {address};
      assertThrows(
          UnknownHostException.class,
          () -> Lookup.outside(_ -> found).find("name"),
          address::toString);
    }
  }

  /// A name may stand for any bytes, and Java makes no address of IPv4 of those that contain one.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "00000000000000000000ffffa9fea9fe",
        "00000000000000000000ffffa9feaa02",
        "00000000000000000000ffff7f000001",
        "000000000000000000000000a9fea9fe",
        "0064ff9b0000000000000000a9fea9fe",
        "0064ff9b0001000000000000a9feaa02",
        "2002a9fea9fe00000000000000000001",
        "fd000ec2000000000000000000000254",
        "fd000ec2000000000000000000000023",
        "fd2000ce000000000000000000000254",
        "fe800000000000000000000000000001",
        "00000000000000000000000000000001",
        "a83f8110",
        "646464c8",
      })
  void neverLeadsToCredentialsHoweverTheirAddressIsWritten(String hex) throws IOException {
    byte[] bytes = HexFormat.of().parseHex(hex);
    InetAddress[] inside = {
      bytes.length == 4
          ? InetAddress.getByAddress(bytes)
          : Inet6Address.getByAddress("credentials.example", bytes, -1)
    };
    assertThrows(UnknownHostException.class, () -> Lookup.outside(_ -> inside).find("name"), hex);
  }

  @Test
  void leadsToOtherAddressesOfIpv6() throws IOException {
    for (String outside : List.of("2001:db8::7", "64:ff9b::c000:207", "fd00:ec3::1")) {
      InetAddress[] address = {InetAddress.ofLiteral(outside)};
      assertEquals(address[0], Lookup.outside(_ -> address).find("name"));
    }
  }

  @Test
  void givesItsAddressWithTheCredentials() {
    URI address = URI.create(proxy.address());
    assertEquals("attempt:token", address.getUserInfo());
    assertTrue(address.getPort() > 0);
  }

  private static ServerSocket server() {
    try {
      return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Socket client(String request) throws IOException {
    Socket client =
        new Socket(InetAddress.getLoopbackAddress(), URI.create(proxy.address()).getPort());
    client.getOutputStream().write(bytes(request));
    return client;
  }

  private String status(String request) throws IOException {
    try (Socket client = client(request)) {
      return read(client, 12).substring(9);
    }
  }

  private static String read(Socket from, int bytes) throws IOException {
    return new String(from.getInputStream().readNBytes(bytes), StandardCharsets.ISO_8859_1);
  }

  private static String rest(Socket from) throws IOException {
    return new String(from.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
