package dev.runyard.functions.deliver;

import dev.runyard.core.webhook.SpecialAddresses;
import dev.runyard.core.webhook.WebhookSender;
import dev.runyard.core.webhook.WebhookUrl;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// A client that cannot be led to where it should not go. It looks a name up once, connects only if
/// each of its addresses is one of the internet, to just these, and wants a certificate of the
/// name. It follows nothing, and reads no more of an answer than its head.
final class HttpsSender implements WebhookSender {
  static final int CONNECT_MILLIS_MAX = 5_000;
  static final int REQUEST_SECONDS_MAX = 15;

  /// Addresses of a name that are tried.
  private static final int ADDRESSES_MAX = 3;

  private static final ExecutorService LOOKUPS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("lookup-", 1).factory());

  private final WebhookUrl.Places places;
  private final HostNames names;
  private final Dialer dialer;
  private final SSLSocketFactory tls;
  private final Duration longest;
  private final InstantSource clock;

  HttpsSender(
      WebhookUrl.Places places,
      HostNames names,
      Dialer dialer,
      SSLSocketFactory tls,
      Duration longest,
      InstantSource clock) {
    this.places = places;
    this.names = names;
    this.dialer = dialer;
    this.tls = tls;
    this.longest = longest;
    this.clock = clock;
  }

  /// One on the network of this machine.
  static HttpsSender of(WebhookUrl.Places places, InstantSource clock) {
    return new HttpsSender(
        places,
        name -> List.of(InetAddress.getAllByName(name)),
        HttpsSender::connected,
        (SSLSocketFactory) SSLSocketFactory.getDefault(),
        Duration.ofSeconds(REQUEST_SECONDS_MAX),
        clock);
  }

  private static Socket connected(InetSocketAddress address, int millisMax) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(address, millisMax);
      socket.setTcpNoDelay(true);
      return socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  @Override
  public Answer send(Outgoing request) {
    Optional<WebhookUrl> url = WebhookUrl.of(request.url(), places);
    if (url.isEmpty()) {
      return new Answer.None(Trouble.ADDRESS_REFUSED);
    }
    try (RequestDeadline deadline = new RequestDeadline(longest)) {
      return send(url.get(), request, deadline);
    }
  }

  private Answer send(WebhookUrl url, Outgoing request, RequestDeadline deadline) {
    List<InetAddress> addresses;
    try {
      addresses = addresses(url, deadline);
    } catch (TimeoutException _) {
      return new Answer.None(Trouble.TIMED_OUT);
    } catch (UnknownHostException _) {
      return new Answer.None(Trouble.NAME_UNKNOWN);
    }
    if (!url.isLoopback()
        && addresses.stream().anyMatch(to -> SpecialAddresses.contain(to.getAddress()))) {
      return new Answer.None(Trouble.ADDRESS_REFUSED);
    }
    Answer last = new Answer.None(Trouble.NAME_UNKNOWN);
    for (InetAddress address : addresses.stream().limit(ADDRESSES_MAX).toList()) {
      Optional<Socket> socket = dialled(new InetSocketAddress(address, url.port()), deadline);
      if (socket.isPresent()) {
        return exchanged(url, request, deadline, socket.get());
      }
      last = new Answer.None(deadline.isOver() ? Trouble.TIMED_OUT : Trouble.NOT_CONNECTED);
    }
    return last;
  }

  private Optional<Socket> dialled(InetSocketAddress address, RequestDeadline deadline) {
    try {
      return deadline.isOver()
          ? Optional.empty()
          : Optional.of(dialer.connect(address, deadline.millis(CONNECT_MILLIS_MAX)));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /// A look-up has no time limit of its own.
  private List<InetAddress> addresses(WebhookUrl url, RequestDeadline deadline)
      throws TimeoutException, UnknownHostException {
    Future<List<InetAddress>> found = LOOKUPS.submit(() -> names.addresses(url.host()));
    try {
      return found.get(Math.max(1, deadline.left()), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a name was looked up", e);
    } catch (ExecutionException e) {
      throw new UnknownHostException(url.host());
    } finally {
      found.cancel(true);
    }
  }

  private Answer exchanged(
      WebhookUrl url, Outgoing request, RequestDeadline deadline, Socket socket) {
    try (socket) {
      deadline.watch(socket);
      Socket talk = url.tls() ? secured(socket, url) : socket;
      OutputStream out = talk.getOutputStream();
      byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
      out.write(head(url, request, body.length));
      out.write(body);
      out.flush();
      AnswerHead answer = AnswerHead.read(new BufferedInputStream(talk.getInputStream()));
      return new Answer.Status(answer.status(), answer.pause(clock.instant()));
    } catch (AnswerHead.Malformed _) {
      return new Answer.None(Trouble.BROKEN_ANSWER);
    } catch (SSLException _) {
      return new Answer.None(deadline.isOver() ? Trouble.TIMED_OUT : Trouble.NOT_TRUSTED);
    } catch (IOException _) {
      return new Answer.None(deadline.isOver() ? Trouble.TIMED_OUT : Trouble.BROKEN_ANSWER);
    }
  }

  /// The connection, once who is at its end has shown a certificate of the name. Closing the socket
  /// below it closes it.
  private SSLSocket secured(Socket socket, WebhookUrl url) throws IOException {
    SSLSocket secured = (SSLSocket) tls.createSocket(socket, url.host(), url.port(), false);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  private static byte[] head(WebhookUrl url, Outgoing request, int length) {
    StringBuilder head = new StringBuilder();
    head.append("POST ").append(url.target()).append(" HTTP/1.1\r\n");
    line(head, "Host", url.authority());
    line(head, "Content-Type", "application/json");
    line(head, "Content-Length", Integer.toString(length));
    line(head, "User-Agent", "Runyard");
    line(head, "Accept", "*/*");
    line(head, "Connection", "close");
    request.headers().forEach((name, value) -> line(head, name, value));
    return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void line(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }
}
