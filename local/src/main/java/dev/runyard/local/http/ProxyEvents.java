package dev.runyard.local.http;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent.ProxyRequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent.RequestIdentity;
import com.sun.net.httpserver.HttpExchange;
import dev.runyard.local.template.PseudoParameters;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Turns an HTTP request into the event that a Lambda proxy integration of a REST API sends:
/// parameters decoded, the last of repeated values in the single-value maps, absent maps null.
final class ProxyEvents {
  private static final String STAGE = "local";

  private ProxyEvents() {}

  static APIGatewayProxyRequestEvent event(
      HttpExchange exchange,
      Optional<String> principal,
      String template,
      Map<String, String> pathParameters,
      byte[] body) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, List.copyOf(values)));
    headers.keySet().removeIf(name -> CallerHeaders.isForged(name, principal));
    Map<String, List<String>> query = query(exchange.getRequestURI().getRawQuery());
    APIGatewayProxyRequestEvent event = new APIGatewayProxyRequestEvent();
    event.setResource(template);
    event.setPath(exchange.getRequestURI().getRawPath());
    event.setHttpMethod(exchange.getRequestMethod());
    event.setHeaders(last(headers));
    event.setMultiValueHeaders(headers);
    if (!query.isEmpty()) {
      event.setQueryStringParameters(last(query));
      event.setMultiValueQueryStringParameters(query);
    }
    if (!pathParameters.isEmpty()) {
      event.setPathParameters(pathParameters);
    }
    event.setRequestContext(context(exchange, principal, template));
    event.setIsBase64Encoded(false);
    if (body.length > 0) {
      setBody(event, body);
    }
    return event;
  }

  private static void setBody(APIGatewayProxyRequestEvent event, byte[] body) {
    try {
      event.setBody(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
    } catch (CharacterCodingException e) {
      event.setBody(Base64.getEncoder().encodeToString(body));
      event.setIsBase64Encoded(true);
    }
  }

  private static ProxyRequestContext context(
      HttpExchange exchange, Optional<String> principal, String template) {
    RequestIdentity identity = new RequestIdentity();
    identity.setSourceIp(exchange.getRemoteAddress().getAddress().getHostAddress());
    identity.setUserAgent(exchange.getRequestHeaders().getFirst("User-Agent"));
    principal.ifPresent(identity::setUserArn);
    ProxyRequestContext context = new ProxyRequestContext();
    context.setAccountId(PseudoParameters.ACCOUNT);
    context.setApiId(STAGE);
    context.setStage(STAGE);
    context.setRequestId(UUID.randomUUID().toString());
    context.setRequestTimeEpoch(Instant.now().toEpochMilli());
    context.setIdentity(identity);
    context.setResourcePath(template);
    context.setHttpMethod(exchange.getRequestMethod());
    context.setPath(exchange.getRequestURI().getRawPath());
    context.setProtocol(exchange.getProtocol());
    return context;
  }

  private static Map<String, List<String>> query(@Nullable String rawQuery) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    if (rawQuery == null || rawQuery.isEmpty()) {
      return parameters;
    }
    for (String pair : rawQuery.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      if (!name.isEmpty()) {
        parameters.computeIfAbsent(decode(name), n -> new ArrayList<>()).add(decode(value));
      }
    }
    return parameters;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static Map<String, String> last(Map<String, List<String>> values) {
    Map<String, String> single = new LinkedHashMap<>();
    values.forEach((name, all) -> single.put(name, all.getLast()));
    return single;
  }
}
