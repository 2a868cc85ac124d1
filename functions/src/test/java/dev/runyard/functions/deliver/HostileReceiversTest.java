package dev.runyard.functions.deliver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.core.webhook.WebhookSender.Answer;
import dev.runyard.core.webhook.WebhookSender.Outgoing;
import dev.runyard.core.webhook.WebhookSender.Trouble;
import dev.runyard.core.webhook.WebhookUrl.Places;
import dev.runyard.testkit.threads.TestPatience;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Receivers that hang, drip, lie and never end.
final class HostileReceiversTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration LONG = TestPatience.LONG;
  private static final Duration SHORT = Duration.ofMillis(300);

  @Test
  void cutsOffWhoSaysNothing() throws Exception {
    try (Receiver silent = Receiver.plain((receiver, _) -> receiver.hold())) {
      assertEquals(none(Trouble.TIMED_OUT), loopback(silent));
    }
    try (Receiver noHandshake = Receiver.plain((receiver, _) -> receiver.hold())) {
      HttpsSender sender =
          sender(
              Places.INTERNET,
              SHORT,
              _ -> List.of(InetAddress.getByAddress(new byte[] {93, (byte) 184, (byte) 216, 34})),
              (_, millis) -> connected(local(noHandshake.port()), millis));
      assertEquals(none(Trouble.TIMED_OUT), sender.send(request("https://hooks.example.com/")));
    }
  }

  @Test
  void cutsOffWhoSaysItByteForByte() throws Exception {
    try (Receiver slow =
        Receiver.plain(
            (receiver, socket) -> {
              OutputStream out = socket.getOutputStream();
              out.write("HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.US_ASCII));
              while (!receiver.isClosedAfterAMoment()) {
                out.write('x');
                out.flush();
              }
            })) {
      assertEquals(none(Trouble.TIMED_OUT), loopback(slow));
    }
  }

  @Test
  void cutsOffALookUpThatHangs() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    HttpsSender sender =
        sender(
            Places.INTERNET,
            SHORT,
            name -> {
              try {
                never.await();
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
              throw new UnknownHostException(name);
            },
            (_, _) -> new Socket());
    assertEquals(none(Trouble.TIMED_OUT), sender.send(request("https://hooks.example.com/")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hello",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/2 200\r\n\r\n",
        "HTTP/1.1 200",
        "HTTP/1.1 200 OK\r\nX: y"
      })
  void saysThatAnAnswerIsNone(String answer) throws Exception {
    try (Receiver receiver = Receiver.plain(Receiver.answering(answer))) {
      assertEquals(none(Trouble.BROKEN_ANSWER), loopback(receiver, LONG));
    }
  }

  @Test
  void readsNoMoreThanTheHead() throws Exception {
    String head = "X-Header: " + "y".repeat(1000) + "\r\n";
    try (Receiver receiver =
        Receiver.plain(Receiver.answering("HTTP/1.1 200 OK\r\n" + head.repeat(20) + "\r\n"))) {
      assertEquals(none(Trouble.BROKEN_ANSWER), loopback(receiver, LONG));
    }
    try (Receiver endless =
        Receiver.plain(
            (receiver, socket) -> {
              receiver.read(socket.getInputStream());
              OutputStream out = socket.getOutputStream();
              out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
              byte[] body = new byte[65_536];
              Arrays.fill(body, (byte) 'x');
              while (true) {
                out.write(body);
              }
            })) {
      assertEquals(status(200), loopback(endless, LONG));
    }
  }

  @Test
  void passesInterimAnswersAndReadsWhenToComeBack() throws Exception {
    String interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    try (Receiver receiver =
        Receiver.plain(
            Receiver.answering(interim + "HTTP/1.1 429 Slow\r\nRetry-After: 120\r\n\r\n"))) {
      assertEquals(
          new Answer.Status(429, Optional.of(Duration.ofMinutes(2))), loopback(receiver, LONG));
    }
    try (Receiver receiver =
        Receiver.plain(
            Receiver.answering(
                "HTTP/1.1 503 No\nretry-after: Sun, 01 Mar 2026 12:10:00 GMT\n\n"))) {
      assertEquals(
          new Answer.Status(503, Optional.of(Duration.ofMinutes(10))), loopback(receiver, LONG));
    }
    try (Receiver receiver = Receiver.plain(Receiver.answering(interim.repeat(20)))) {
      assertEquals(none(Trouble.BROKEN_ANSWER), loopback(receiver, LONG));
    }
  }

  private static Answer loopback(Receiver receiver) {
    return loopback(receiver, SHORT);
  }

  private static Answer loopback(Receiver receiver, Duration longest) {
    return sender(
            Places.INTERNET_AND_LOOPBACK,
            longest,
            name -> List.of(InetAddress.getAllByName(name)),
            HostileReceiversTest::connected)
        .send(request("http://127.0.0.1:" + receiver.port() + "/"));
  }

  private static HttpsSender sender(
      Places places, Duration longest, HostNames names, Dialer dialer) {
    SSLSocketFactory tls = (SSLSocketFactory) SSLSocketFactory.getDefault();
    return new HttpsSender(places, names, dialer, tls, longest, () -> NOW);
  }

  private static InetSocketAddress local(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static Socket connected(InetSocketAddress address, int millis) throws IOException {
    Socket socket = new Socket();
    socket.connect(address, millis);
    return socket;
  }

  private static Outgoing request(String url) {
    return new Outgoing(url, Map.of("webhook-id", "msg_1"), "{}");
  }

  private static Answer status(int code) {
    return new Answer.Status(code, Optional.empty());
  }

  private static Answer none(Trouble trouble) {
    return new Answer.None(trouble);
  }
}
