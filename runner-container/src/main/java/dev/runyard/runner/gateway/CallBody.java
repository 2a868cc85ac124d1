package dev.runyard.runner.gateway;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What has to be known of the body of a call.
///
/// @param models the model it names, and those that may take its place
/// @param background whether the provider is to answer later, to whoever asks
record CallBody(List<String> models, boolean background) {
  /// Most models that a call may name: a list of many takes far more memory than its text.
  static final int MODELS_MAX = 64;

  /// Of UTF-8 alone: what is another encoding to one program need not be one to the next.
  static final JsonFactory JSON =
      new JsonFactoryBuilder().disable(JsonFactory.Feature.CHARSET_DETECTION).build();

  CallBody {
    models = List.copyOf(models);
  }

  /// Reads the members of the object itself and skips what is in them; empty if it is no object,
  /// names too many models, or names its model in a way that programs could understand differently.
  static Optional<CallBody> read(byte[] body) {
    List<String> models = new ArrayList<>();
    int named = 0;
    boolean background = false;
    try (JsonParser json = JSON.createParser(body)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (name.equalsIgnoreCase("model")) {
          if (++named > 1 || !name.equals("model") || value != JsonToken.VALUE_STRING) {
            return Optional.empty();
          }
          models.add(json.getText());
        } else if (name.equalsIgnoreCase("models") && value == JsonToken.START_ARRAY) {
          while (json.nextToken() != JsonToken.END_ARRAY) {
            if (models.size() == MODELS_MAX) {
              return Optional.empty();
            }
            models.add(json.getText());
            json.skipChildren();
          }
        } else {
          background |=
              name.equalsIgnoreCase("background")
                  && value != JsonToken.VALUE_FALSE
                  && value != JsonToken.VALUE_NULL;
          json.skipChildren();
        }
      }
      return json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null
          ? Optional.of(new CallBody(models, background))
          : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
