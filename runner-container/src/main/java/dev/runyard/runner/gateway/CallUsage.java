package dev.runyard.runner.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.usage.Usage;

/// What one call used, as far as its answer has said. Each API says it in its own place and words.
///
/// @param known true once the provider has said how much the answer had
record CallUsage(Usage usage, boolean known) {
  static final CallUsage NONE = new CallUsage(Usage.NONE, false);

  private static final long TOKENS_MAX = 1_000_000_000_000L;

  /// With what an event of a stream, or a whole answer, says.
  CallUsage with(ModelApi api, JsonNode json) {
    return switch (api) {
      case RESPONSES -> {
        JsonNode inside = json.path("response").path("usage");
        yield openAi(
            inside.isObject() ? inside : json.path("usage"), "input_tokens", "output_tokens");
      }
      case CHAT_COMPLETIONS -> openAi(json.path("usage"), "prompt_tokens", "completion_tokens");
      case MESSAGES -> messages(json);
      case GEMINI -> gemini(json);
    };
  }

  /// Both APIs of OpenAI count the same under other names.
  private CallUsage openAi(JsonNode usage, String input, String output) {
    return usage.isObject()
        ? new CallUsage(
            new Usage(
                count(usage.path(input)),
                count(usage.path(input + "_details").path("cached_tokens")),
                count(usage.path(output)),
                count(usage.path(output + "_details").path("reasoning_tokens")),
                null),
            true)
        : this;
  }

  /// A stream says at its beginning what the prompt had; each count at its end replaces the same
  /// one at its beginning.
  private CallUsage messages(JsonNode json) {
    JsonNode begun = json.path("message").path("usage");
    JsonNode usage = begun.isObject() ? begun : json.path("usage");
    if (!usage.isObject()) {
      return this;
    }
    long plain =
        this.usage.inputTokens() - this.usage.cachedInputTokens() - this.usage.cacheWriteTokens();
    long read = count(usage, "cache_read_input_tokens", this.usage.cachedInputTokens());
    long written = count(usage, "cache_creation_input_tokens", this.usage.cacheWriteTokens());
    long prompt = count(usage, "input_tokens", plain) + read + written;
    long output = count(usage, "output_tokens", this.usage.outputTokens());
    return new CallUsage(
        new Usage(prompt, read, written, output, 0, null, 0), known || !begun.isObject());
  }

  /// Every part of a stream has the counts so far, so they are known when it has ended.
  private CallUsage gemini(JsonNode json) {
    if (json.isArray()) {
      CallUsage all = this;
      for (JsonNode part : json) {
        all = all.gemini(part);
      }
      return all;
    }
    JsonNode usage = json.path("usageMetadata");
    if (!usage.isObject()) {
      return this;
    }
    long thoughts = count(usage.path("thoughtsTokenCount"));
    return new CallUsage(
        new Usage(
            count(usage.path("promptTokenCount")) + count(usage.path("toolUsePromptTokenCount")),
            count(usage.path("cachedContentTokenCount")),
            count(usage.path("candidatesTokenCount")) + thoughts,
            thoughts,
            null),
        false);
  }

  /// The answer has come whole.
  CallUsage ended(ModelApi api) {
    return api == ModelApi.GEMINI && !usage.equals(Usage.NONE) ? new CallUsage(usage, true) : this;
  }

  private static long count(JsonNode usage, String member, long otherwise) {
    return usage.path(member).isNumber() ? count(usage.path(member)) : otherwise;
  }

  private static long count(JsonNode value) {
    return Math.clamp(value.asLong(0), 0, TOKENS_MAX);
  }
}
