package dev.runyard.core.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.core.json.JsonFormat;
import java.io.UncheckedIOException;
import java.util.List;

/// The stored JSON of webhooks and deliveries.
public final class WebhookCodec {
  private static final ObjectMapper JSON =
      JsonFormat.JSON.copy().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);
  private static final TypeReference<List<Webhook>> WEBHOOKS = new TypeReference<>() {};

  private WebhookCodec() {}

  public static String encode(List<Webhook> webhooks) {
    return write(webhooks);
  }

  public static List<Webhook> webhooks(String text) {
    try {
      return JSON.readValue(text, WEBHOOKS);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String encode(Delivery delivery) {
    return write(delivery);
  }

  public static Delivery delivery(String text) {
    try {
      return JSON.readValue(text, Delivery.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String write(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
