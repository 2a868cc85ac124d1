package dev.runyard.local.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;

/// An exchange whose request says who calls as the web adapter in front of a function says it, and
/// has no header by which a client could say so itself.
final class CalledExchange extends HttpExchange {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpExchange exchange;
  private final Headers headers;

  /// @param principal who calls, if the gateway knows
  CalledExchange(HttpExchange exchange, Optional<String> principal) {
    this.exchange = exchange;
    this.headers = new Headers(exchange.getRequestHeaders());
    headers.keySet().removeIf(name -> CallerHeaders.isForged(name, principal));
    principal.ifPresent(name -> headers.set(CallerHeaders.CONTEXT, context(name)));
  }

  private static String context(String principal) {
    var context = JSON.createObjectNode();
    context.putObject("identity").put("userArn", principal);
    return context.toString();
  }

  @Override
  public Headers getRequestHeaders() {
    return headers;
  }

  @Override
  public Headers getResponseHeaders() {
    return exchange.getResponseHeaders();
  }

  @Override
  public URI getRequestURI() {
    return exchange.getRequestURI();
  }

  @Override
  public String getRequestMethod() {
    return exchange.getRequestMethod();
  }

  @Override
  public HttpContext getHttpContext() {
    return exchange.getHttpContext();
  }

  @Override
  public void close() {
    exchange.close();
  }

  @Override
  public InputStream getRequestBody() {
    return exchange.getRequestBody();
  }

  @Override
  public OutputStream getResponseBody() {
    return exchange.getResponseBody();
  }

  @Override
  public void sendResponseHeaders(int status, long length) throws IOException {
    exchange.sendResponseHeaders(status, length);
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return exchange.getRemoteAddress();
  }

  @Override
  public int getResponseCode() {
    return exchange.getResponseCode();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return exchange.getLocalAddress();
  }

  @Override
  public String getProtocol() {
    return exchange.getProtocol();
  }

  @Override
  public Object getAttribute(String name) {
    return exchange.getAttribute(name);
  }

  @Override
  public void setAttribute(String name, Object value) {
    exchange.setAttribute(name, value);
  }

  @Override
  public void setStreams(InputStream in, OutputStream out) {
    exchange.setStreams(in, out);
  }

  @Override
  public HttpPrincipal getPrincipal() {
    return exchange.getPrincipal();
  }
}
