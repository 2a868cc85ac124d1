package dev.runyard.local.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.template.TemplateException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilterPatternTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a":["x"]}                             | {"a":"x"}            | true
          {"a":["x","y"]}                         | {"a":"y"}            | true
          {"a":["x"]}                             | {"a":"z"}            | false
          {"a":["x"]}                             | {}                   | false
          {"a":[1]}                               | {"a":1.0}            | true
          {"a":[true]}                            | {"a":true}           | true
          {"a":["x"],"b":["y"]}                   | {"a":"x"}            | false
          {"a":{"b":["x"]}}                       | {"a":{"b":"x"}}      | true
          {"a":["x"]}                             | {"a":["w","x"]}      | true
          {"a":[{"exists":true}]}                 | {"a":""}             | true
          {"a":[{"exists":true}]}                 | {"b":1}              | false
          {"a":{"b":[{"exists":true}]}}           | {}                   | false
          {"a":[{"exists":false}]}                | {"b":1}              | true
          {"a":[{"exists":false}]}                | {"a":1}              | false
          {"a":[{"prefix":"ab"}]}                 | {"a":"abc"}          | true
          {"a":[{"prefix":"ab"}]}                 | {"a":"b"}            | false
          {"a":[{"suffix":"bc"}]}                 | {"a":"abc"}          | true
          {"a":[{"equals-ignore-case":"AB"}]}     | {"a":"ab"}           | true
          {"a":[{"anything-but":"x"}]}            | {"a":"y"}            | true
          {"a":[{"anything-but":["x","y"]}]}      | {"a":"y"}            | false
          {"a":[{"anything-but":{"prefix":"x"}}]} | {"a":"xy"}           | false
          {"a":[{"anything-but":"x"}]}            | {}                   | false
          {"a":[{"numeric":[">",0,"<=",5]}]}      | {"a":5}              | true
          {"a":[{"numeric":[">",0,"<=",5]}]}      | {"a":5.5}            | false
          {"a":[{"numeric":["=",5]}]}             | {"a":"5"}            | false
          {"$or":[{"a":["x"]},{"b":["y"]}]}       | {"b":"y"}            | true
          {"$or":[{"a":["x"]},{"b":["y"]}]}       | {"b":"x"}            | false
          """)
  void matchesAsEventBridgeDoes(String pattern, String event, boolean matches)
      throws JsonProcessingException {
    FilterPattern filter = FilterPattern.of(JSON.readTree(pattern));
    assertEquals(
        matches,
        filter.matches(JSON.readValue(event, new TypeReference<Map<String, Object>>() {})));
  }

  @Test
  void refusesRulesItDoesNotKnow() throws JsonProcessingException {
    var unknown = JSON.readTree("{\"a\":[{\"cidr\":\"10.0.0.0/8\"}]}");
    assertThrows(TemplateException.class, () -> FilterPattern.of(unknown));
    var noList = JSON.readTree("{\"a\":\"x\"}");
    assertThrows(TemplateException.class, () -> FilterPattern.of(noList));
  }
}
