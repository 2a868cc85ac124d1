package dev.runyard.core.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Function;

/// Times inside payloads.
public final class InstantJson {
  private InstantJson() {}

  static SimpleModule module(Function<Instant, String> form) {
    return new SimpleModule("instants")
        .addSerializer(new Written(form))
        .addDeserializer(Instant.class, new Parsed());
  }

  private static final class Written extends StdSerializer<Instant> {
    private static final long serialVersionUID = 1L;
    private final transient Function<Instant, String> form;

    Written(Function<Instant, String> form) {
      super(Instant.class);
      this.form = form;
    }

    @Override
    public void serialize(Instant value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeString(form.apply(value));
    }
  }

  private static final class Parsed extends StdDeserializer<Instant> {
    private static final long serialVersionUID = 1L;

    Parsed() {
      super(Instant.class);
    }

    @Override
    public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
      return Instant.parse(json.getText());
    }
  }
}
