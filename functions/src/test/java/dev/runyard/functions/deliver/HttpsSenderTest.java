package dev.runyard.functions.deliver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.webhook.WebhookSender.Answer;
import dev.runyard.core.webhook.WebhookSender.Outgoing;
import dev.runyard.core.webhook.WebhookSender.Trouble;
import dev.runyard.core.webhook.WebhookUrl.Places;
import dev.runyard.testkit.certificate.Certificate;
import dev.runyard.testkit.ports.ReservedPort;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpsSenderTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String NAME = "hooks.example.com";
  private static final String PUBLIC = "93.184.216.34";
  private static final Duration LONG = TestPatience.LONG;
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

  @TempDir private static Path folder;
  private static SSLContext tls;

  private final List<String> lookups = new CopyOnWriteArrayList<>();
  private final List<InetSocketAddress> dialled = new CopyOnWriteArrayList<>();
  private final Deque<List<String>> names = new ArrayDeque<>();

  @BeforeAll
  static void certify() throws Exception {
    tls = Certificate.of(NAME, folder.resolve("receiver.p12")).context();
  }

  @Test
  void sendsOverTlsToTheAddressThatWasChecked() throws Exception {
    try (Receiver receiver = secure(Receiver.answering(OK))) {
      names.add(List.of(PUBLIC));

      assertEquals(status(200), sender(receiver, LONG).send(request("https://" + NAME + "/a?b=c")));

      assertEquals(List.of(NAME), lookups);
      assertEquals(List.of(new InetSocketAddress(PUBLIC, 443)), dialled);
      Receiver.Request got = receiver.requests().getFirst();
      assertEquals("POST /a?b=c HTTP/1.1", got.line());
      assertEquals(NAME, got.headers().get("host"));
      assertEquals("msg_1", got.headers().get("webhook-id"));
      assertEquals("{\"größe\":1}", got.body());
    }
  }

  @Test
  void sendsNothingToWhoHasNoCertificateOfTheName() throws Exception {
    try (Receiver receiver = secure(Receiver.answering(OK))) {
      names.add(List.of(PUBLIC));
      assertEquals(
          none(Trouble.NOT_TRUSTED),
          sender(receiver, LONG).send(request("https://other.example.com/")));

      names.add(List.of(PUBLIC));
      assertEquals(status(200), sender(receiver, LONG).send(request("https://" + NAME + "/")));
      names.add(List.of(PUBLIC));
      assertEquals(
          none(Trouble.NOT_TRUSTED),
          sender(receiver, LONG).send(request("https://third.example.com/")),
          "no session of another name is taken up again");
      assertEquals(1, receiver.requests().size());
    }
  }

  @Test
  void sendsNothingToWhoeverIsNotTrusted() throws Exception {
    try (Receiver receiver = secure(Receiver.answering(OK))) {
      names.add(List.of(PUBLIC));
      HttpsSender sender = sender(receiver, LONG, (SSLSocketFactory) SSLSocketFactory.getDefault());

      assertEquals(none(Trouble.NOT_TRUSTED), sender.send(request("https://" + NAME + "/")));
      assertEquals(List.of(), receiver.requests());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.127.255.254",
        "127.0.0.1",
        "127.0.0.2",
        "127.255.255.254",
        "169.254.0.1",
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "172.16.0.1",
        "172.31.255.254",
        "192.0.0.1",
        "192.0.0.192",
        "192.0.2.1",
        "192.31.196.1",
        "192.52.193.1",
        "192.88.99.1",
        "192.168.0.1",
        "192.168.255.254",
        "192.175.48.1",
        "198.18.0.1",
        "198.19.255.254",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::10.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:10.0.0.1",
        "64:ff9b::127.0.0.1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:0:7f00:1::",
        "2001:2::1",
        "2001:10::1",
        "2001:20::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::",
        "2620:4f:8000::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fdff::1",
        "fe80::1",
        "febf::1",
        "fec0::1",
        "ff01::1",
        "ff02::fb",
        "2606:4700::5efe:10.0.0.1",
        "4000::1",
        "1::1"
      })
  void connectsToNoSpecialAddress(String address) throws Exception {
    try (Receiver receiver = secure(Receiver.answering(OK))) {
      for (List<String> found :
          List.of(List.of(address), List.of(PUBLIC, address), List.of(address, PUBLIC))) {
        names.add(found);
        assertEquals(
            none(Trouble.ADDRESS_REFUSED),
            sender(receiver, LONG).send(request("https://" + NAME + "/")));
      }
      assertEquals(List.of(), dialled);
      assertEquals(0, receiver.connections());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://hooks.example.com/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://2130706433/",
        "https://0x7f000001/",
        "https://localhost/",
        "https://user@hooks.example.com/",
        "https://hooks.example.com:22/",
        "file:///etc/passwd"
      })
  void looksNothingUpForWhatIsNoAddressOfAWebhook(String url) throws Exception {
    try (Receiver receiver = secure(Receiver.answering(OK))) {
      assertEquals(none(Trouble.ADDRESS_REFUSED), sender(receiver, LONG).send(request(url)));
      assertEquals(List.of(), lookups);
      assertEquals(List.of(), dialled);
    }
  }

  /// A name that has an address of the internet when it is looked up, and another one afterwards.
  @Test
  void looksANameUpOnce() throws Exception {
    try (Receiver receiver = secure(Receiver.answering(OK))) {
      names.add(List.of(PUBLIC));
      names.add(List.of("127.0.0.1"));

      assertEquals(status(200), sender(receiver, LONG).send(request("https://" + NAME + "/")));
      assertEquals(1, lookups.size());
      assertEquals(
          none(Trouble.ADDRESS_REFUSED),
          sender(receiver, LONG).send(request("https://" + NAME + "/")));
      assertEquals(List.of(new InetSocketAddress(PUBLIC, 443)), dialled);
    }
  }

  @Test
  void followsNobody() throws Exception {
    try (Receiver receiver =
        secure(
            Receiver.answering(
                "HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\n\r\n"))) {
      names.add(List.of(PUBLIC));

      assertEquals(status(302), sender(receiver, LONG).send(request("https://" + NAME + "/")));
      assertEquals(1, receiver.connections());
      assertEquals(1, dialled.size());
    }
  }

  @Test
  void saysThatNobodyIsThere() throws Exception {
    try (ReservedPort nobody = new ReservedPort()) {
      HttpsSender sender = HttpsSender.of(Places.INTERNET_AND_LOOPBACK, () -> NOW);
      assertEquals(
          none(Trouble.NOT_CONNECTED),
          sender.send(request("http://127.0.0.1:" + nobody.number() + "/")));
    }
    assertFalse(names.contains(List.of("127.0.0.1")));
    names.add(List.of());
    try (Receiver receiver = secure(Receiver.answering(OK))) {
      assertEquals(
          none(Trouble.NAME_UNKNOWN),
          sender(receiver, LONG).send(request("https://" + NAME + "/")));
    }
  }

  @Test
  void refusesTheLoopbackUnlessItMayBeUsed() throws Exception {
    try (Receiver receiver = Receiver.plain(Receiver.answering(OK))) {
      HttpsSender sender = HttpsSender.of(Places.INTERNET, () -> NOW);
      assertEquals(
          none(Trouble.ADDRESS_REFUSED),
          sender.send(request("http://127.0.0.1:" + receiver.port() + "/")));
      assertEquals(0, receiver.connections());
      assertEquals(status(200), loopback(receiver, LONG));
      assertTrue(receiver.requests().getFirst().headers().containsKey("webhook-signature"));
    }
  }

  private static ServerSocket server() throws IOException {
    return tls.getServerSocketFactory()
        .createServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
  }

  private static Receiver secure(Receiver.Behaviour behaviour) throws IOException {
    return new Receiver(server(), behaviour);
  }

  private static Answer loopback(Receiver receiver, Duration longest) {
    return new HttpsSender(
            Places.INTERNET_AND_LOOPBACK,
            name -> List.of(InetAddress.getAllByName(name)),
            HttpsSenderTest::connected,
            tls.getSocketFactory(),
            longest,
            () -> NOW)
        .send(request("http://127.0.0.1:" + receiver.port() + "/"));
  }

  private static Socket connected(InetSocketAddress address, int millis) throws IOException {
    Socket socket = new Socket();
    socket.connect(address, millis);
    return socket;
  }

  private HttpsSender sender(Receiver receiver, Duration longest) {
    return sender(receiver, longest, tls.getSocketFactory());
  }

  /// One whose connections all end at this receiver, whatever their address.
  private HttpsSender sender(Receiver receiver, Duration longest, SSLSocketFactory tls) {
    return new HttpsSender(
        Places.INTERNET,
        this::found,
        (address, millis) -> {
          dialled.add(address);
          return connected(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), receiver.port()), millis);
        },
        tls,
        longest,
        () -> NOW);
  }

  private List<InetAddress> found(String name) throws UnknownHostException {
    lookups.add(name);
    List<InetAddress> found = new ArrayList<>();
    for (String address : names.remove()) {
      found.addAll(List.of(InetAddress.getAllByName(address)));
    }
    return found;
  }

  private static Outgoing request(String url) {
    return new Outgoing(
        url, Map.of("webhook-id", "msg_1", "webhook-signature", "v1,x"), "{\"größe\":1}");
  }

  private static Answer status(int code) {
    return new Answer.Status(code, Optional.empty());
  }

  private static Answer none(Trouble trouble) {
    return new Answer.None(trouble);
  }
}
