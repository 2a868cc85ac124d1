package dev.runyard.runner.gateway;

import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.usage.Usage;
import java.util.List;

/// Answers in the form in which providers give them, and what they say was used.
final class Answers {
  private Answers() {}

  static String base(ModelApi api) {
    return switch (api) {
      case RESPONSES, CHAT_COMPLETIONS -> "/v1";
      case MESSAGES, GEMINI -> "";
    };
  }

  /// What an agent adds to its endpoint.
  static String path(ModelApi api, boolean streamed) {
    return switch (api) {
      case RESPONSES -> "/responses";
      case CHAT_COMPLETIONS -> "/chat/completions";
      case MESSAGES -> "/v1/messages";
      case GEMINI ->
          streamed
              ? "/v1beta/models/m-1:streamGenerateContent?alt=sse"
              : "/v1beta/models/m-1:generateContent";
    };
  }

  static Usage used(ModelApi api) {
    return switch (api) {
      case RESPONSES, CHAT_COMPLETIONS -> new Usage(100, 40, 0, 30, 10, null, 1);
      case MESSAGES -> new Usage(100, 40, 20, 30, 0, null, 1);
      case GEMINI -> new Usage(100, 40, 0, 30, 10, null, 1);
    };
  }

  static String whole(ModelApi api) {
    return switch (api) {
      case RESPONSES -> completed();
      case CHAT_COMPLETIONS ->
          """
          {"id":"c1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant",
           "content":"größe 👋 \\"usage\\":{\\"prompt_tokens\\":0}"}}],"usage":%s}
          """
              .formatted(chatUsage());
      case MESSAGES ->
          """
          {"id":"m1","type":"message","content":[{"type":"tool_use","name":"x",
           "input":{"usage":{"input_tokens":0,"output_tokens":0}}}],
           "usage":{"input_tokens":40,"cache_read_input_tokens":40,
           "cache_creation_input_tokens":20,"output_tokens":30}}
          """;
      case GEMINI -> gemini("größe", 20);
    };
  }

  static String streamed(ModelApi api) {
    return switch (api) {
      case RESPONSES ->
          event("response.created", "{\"type\":\"response.created\",\"response\":{\"usage\":null}}")
              + event(
                  "response.output_text.delta",
                  "{\"type\":\"response.output_text.delta\",\"delta\":\"größe 👋\"}")
              + event(
                  "response.completed",
                  "{\"type\":\"response.completed\",\"response\":%s}".formatted(completed()));
      case CHAT_COMPLETIONS ->
          ":keep-alive\r\n\r\n"
              + data(
                  "{\"choices\":[{\"delta\":{\"content\":\"größe 👋\"}}],\"usage\":null}", "\r\n")
              + data("{\"choices\":[],\"usage\":%s}".formatted(chatUsage()), "\r\n")
              + data("[DONE]", "\r\n");
      case MESSAGES ->
          event(
                  "message_start",
                  "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":40,"
                      + "\"cache_read_input_tokens\":40,\"cache_creation_input_tokens\":20,"
                      + "\"output_tokens\":1}}}")
              + event(
                  "content_block_delta",
                  "{\"type\":\"content_block_delta\",\"delta\":{\"text\":\"größe 👋\"}}")
              + event(
                  "message_delta", "{\"type\":\"message_delta\",\"usage\":{\"output_tokens\":30}}")
              + event("message_stop", "{\"type\":\"message_stop\"}");
      case GEMINI ->
          data(gemini("größe", 3), "\n")
              + data("{\"candidates\":[],\"modelVersion\":\"m\"}", "\n")
              + data(gemini("👋", 20), "\n");
    };
  }

  private static String completed() {
    return "{\"id\":\"r1\",\"output\":[{\"content\":\"größe 👋\"}],\"usage\":{\"input_tokens\":100,"
        + "\"input_tokens_details\":{\"cached_tokens\":40},\"output_tokens\":30,"
        + "\"output_tokens_details\":{\"reasoning_tokens\":10},\"total_tokens\":130}}";
  }

  private static String chatUsage() {
    return "{\"prompt_tokens\":100,\"prompt_tokens_details\":{\"cached_tokens\":40},"
        + "\"completion_tokens\":30,\"completion_tokens_details\":{\"reasoning_tokens\":10}}";
  }

  private static String gemini(String text, int candidates) {
    return ("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"%s\"}]}}],\"usageMetadata\":"
            + "{\"promptTokenCount\":90,\"toolUsePromptTokenCount\":10,"
            + "\"cachedContentTokenCount\":40,\"candidatesTokenCount\":%d,"
            + "\"thoughtsTokenCount\":10}}")
        .formatted(text, candidates);
  }

  private static String event(String name, String json) {
    return "event: " + name + "\n" + data(json, "\n");
  }

  private static String data(String json, String end) {
    return "data: " + String.join(end, List.of(json, "", ""));
  }
}
