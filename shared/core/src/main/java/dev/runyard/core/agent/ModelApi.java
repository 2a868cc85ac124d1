package dev.runyard.core.agent;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// An API of model providers that agents speak: OpenAI's Responses and Chat Completions,
/// Anthropic's Messages, Google's Gemini.
public enum ModelApi {
  RESPONSES,
  CHAT_COMPLETIONS,
  MESSAGES,
  GEMINI;

  /// Its name in documents.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ModelApi> of(String label) {
    return Arrays.stream(values()).filter(api -> api.label().equals(label)).findFirst();
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(ModelApi::label).toList();
  }
}
