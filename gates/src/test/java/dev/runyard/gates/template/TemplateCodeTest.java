package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.runyard.aws.Settings;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The template against the code it starts.
class TemplateCodeTest {

  @Test
  void namesOnlyHandlersThatExist() throws Exception {
    var template = SamTemplate.read();
    var loader = getClass().getClassLoader();
    for (var function : template.functions().values()) {
      var handler = function.path("Handler").asText();
      if (handler.equals("run.sh")) {
        var server = function.at("/Environment/Variables/MAIN_CLASS").asText();
        var main = Class.forName(server, false, loader).getMethod("main", String[].class);
        assertTrue(Modifier.isStatic(main.getModifiers()), server);
      } else {
        var type = Class.forName(handler, false, loader);
        assertTrue(RequestHandler.class.isAssignableFrom(type), handler);
        assertTrue(Modifier.isPublic(type.getConstructor().getModifiers()), handler);
      }
    }
  }

  @Test
  void callsEachHandlerWithWhatItTakes() throws Exception {
    for (var function : SamTemplate.read().functions().values()) {
      var handler = function.path("Handler").asText();
      if (!handler.equals("run.sh")) {
        var takes = EventsTest.eventType(function);
        var type = Class.forName(handler, false, getClass().getClassLoader());
        assertNotNull(type.getMethod("handleRequest", takes, Context.class), handler);
      }
    }
  }

  @Test
  void givesTheVariablesThatTheCodeReads() throws Exception {
    var template = SamTemplate.read();
    var given = new TreeSet<String>();
    template.runnerContainer().path("Environment").forEach(v -> given.add(v.path("Name").asText()));
    template.functions().values().forEach(f -> given.addAll(template.environment(f).keySet()));
    given.removeIf(name -> !name.startsWith("RUNYARD_"));
    given.addAll(Set.of(Settings.SLOT, Settings.SLOT_CLAIM)); // Told to each runner at its start.
    var read = new TreeSet<String>();
    for (var field : Settings.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers())
          && field.get(null) instanceof String name
          && name.startsWith("RUNYARD_")) {
        read.add(name);
      }
    }
    assertEquals(read, given);
  }
}
