package dev.runyard.functions;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import dev.runyard.functions.openapi.ApiDocument;
import dev.runyard.testkit.openapi.DescribedApi;
import dev.runyard.testkit.openapi.Exchange;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The description that all clients of these tests compare what they ask and read with.
public final class Described {
  public static final DescribedApi API = new DescribedApi(ApiDocument.json());

  private Described() {}

  /// The answer, if it is as described.
  public static APIGatewayProxyResponseEvent checked(
      APIGatewayProxyRequestEvent request, APIGatewayProxyResponseEvent answer) {
    API.check(exchange(request, answer));
    return answer;
  }

  /// A request of a gateway and its answer.
  public static Exchange exchange(
      APIGatewayProxyRequestEvent request, APIGatewayProxyResponseEvent answer) {
    Map<String, List<String>> query = new TreeMap<>();
    if (request.getQueryStringParameters() != null) {
      request.getQueryStringParameters().forEach((name, value) -> query.put(name, List.of(value)));
    }
    if (request.getMultiValueQueryStringParameters() != null) {
      query.putAll(request.getMultiValueQueryStringParameters());
    }
    String encoded =
        query.entrySet().stream()
            .flatMap(
                named ->
                    named.getValue().stream()
                        .map(value -> encoded(named.getKey()) + "=" + encoded(value)))
            .collect(Collectors.joining("&"));
    return new Exchange(
        request.getHttpMethod(),
        request.getPath() + (encoded.isEmpty() ? "" : "?" + encoded),
        Optional.ofNullable(request.getBody())
            .map(body -> sent(body, Boolean.TRUE.equals(request.getIsBase64Encoded()))),
        answer.getStatusCode(),
        answer.getHeaders(),
        Optional.of(answer.getBody().getBytes(StandardCharsets.UTF_8)));
  }

  private static byte[] sent(String body, boolean base64) {
    if (!base64) {
      return body.getBytes(StandardCharsets.UTF_8);
    }
    try {
      return Base64.getDecoder().decode(body);
    } catch (IllegalArgumentException _) {
      return new byte[0];
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
