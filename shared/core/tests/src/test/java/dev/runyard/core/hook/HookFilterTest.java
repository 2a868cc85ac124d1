package dev.runyard.core.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HookFilterTest {
  private static final String PAYLOAD =
      "{\"action\":\"labeled\",\"n\":1,\"big\":9007199254740993,\"d\":1.5,\"yes\":true,\"none\":null,\"labels\":[\"a\",\"agent\",2],\"o\":{\"agent\":1}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'pointer':'/action','equals':'labeled'|true",
        "'pointer':'/action','equals':'Labeled'|false",
        "'pointer':'/action','in':['opened','labeled']|true",
        "'pointer':'/action','in':['opened']|false",
        "'pointer':'/action','contains':'abel'|true",
        "'pointer':'/action','contains':1|false",
        "'pointer':'/labels','contains':'agent'|true",
        "'pointer':'/labels','contains':2|true",
        "'pointer':'/labels','contains':'age'|false",
        "'pointer':'/o','contains':'agent'|false",
        "'pointer':'/labels/1','equals':'agent'|true",
        "'pointer':'/labels/9','equals':'agent'|false",
        "'pointer':'/n','equals':1|true",
        "'pointer':'/n','equals':1.0|true",
        "'pointer':'/n','equals':'1'|false",
        "'pointer':'/n','equals':1.5|false",
        "'pointer':'/d','equals':1.5|true",
        "'pointer':'/d','equals':1|false",
        "'pointer':'/d','equals':2.5|false",
        "'pointer':'/big','equals':9007199254740993|true",
        "'pointer':'/big','equals':9007199254740992|false",
        "'pointer':'/yes','equals':true|true",
        "'pointer':'/none','exists':true|false",
        "'pointer':'/none','exists':false|true",
        "'pointer':'/o','exists':true|true",
        "'pointer':'/missing','exists':false|true",
        "'header':'x-event','equals':'issues'|true",
        "'header':'X-Event','equals':'push'|false",
        "'header':'X-Other','exists':false|true",
      })
  void passesWhatItIsAskedFor(String filter, boolean passes) {
    HookDefinition hook =
        Definitions.read(Definitions.hook("github", "'when':[{%s}]".formatted(filter)));

    assertEquals(
        passes,
        hook.when().getFirst().passes(Definitions.payload(Map.of("X-Event", "issues"), PAYLOAD)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'pointer':'/a'}",
        "{'equals':1}",
        "{'pointer':'/a','header':'X','equals':1}",
        "{'pointer':'/a','equals':1,'in':[1]}",
        "{'pointer':'a','equals':1}",
        "{'header':'Authorization','exists':true}",
        "{'header':'x-slack-signature','exists':true}",
        "{'header':'x-amz-y','exists':true}",
        "{'pointer':'/a','in':[]}",
        "{'pointer':'/a','in':[[1]]}",
        "{'pointer':'/a','equals':{}}",
        "{'pointer':'/a','exists':'yes'}",
        "{'pointer':'/a','matches':'.*'}",
        "1"
      })
  void refusesWhatIsNoFilter(String filter) {
    Definitions.refused(Definitions.hook("github", "'when':[" + filter + "]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'pointer':'/action','equals':'opened'|filter on /action: has another value",
        "'pointer':'/action','in':['opened']|filter on /action: has none of the values",
        "'pointer':'/action','exists':true|filter on /action: has nothing",
        "'header':'X-Event','exists':false|filter on header:x-event: has something",
        "'pointer':'/labels','contains':'a'|filter on /labels: does not contain it",
      })
  void saysWhichFilterDidNotPassWithoutTheValue(String filter, String missed) {
    HookDefinition hook =
        Definitions.read(Definitions.hook("github", "'when':[{%s}]".formatted(filter)));

    assertEquals(missed, hook.when().getFirst().missed());
  }

  @Test
  void boundsFilters() {
    String one = "{'pointer':'/a','equals':1}";
    String most = String.join(",", Collections.nCopies(HookLimits.FILTERS_MAX, one));

    Definitions.read(Definitions.hook("github", "'when':[" + most + "]"));
    Definitions.refused(Definitions.hook("github", "'when':[" + most + "," + one + "]"));
  }

  @Test
  void boundsTheValuesOfAFilter() {
    String longest = "'%s'".formatted("x".repeat(HookLimits.FILTER_VALUE_BYTES_MAX));
    String longer = longest.replace("'x", "'xx");
    String most = String.join(",", Collections.nCopies(HookLimits.FILTER_VALUES_MAX, "1"));

    Definitions.read(filter("'equals':" + longest));
    Definitions.read(filter("'in':[" + most + "]"));
    assertEquals(
        "equals must be a text, number or boolean of at most 1024 bytes",
        Definitions.refused(filter("'equals':" + longer)).detail());
    for (String wrong : List.of("'in':[" + most + ",1]", "'in':[" + longer + "]", "'in':1")) {
      assertEquals(
          "in must be a list of 1 to 32 values, each must be a text, number or boolean of at most"
              + " 1024 bytes",
          Definitions.refused(filter(wrong)).detail());
    }
  }

  private static ObjectNode filter(String test) {
    return Definitions.hook("github", "'when':[{'pointer':'/a',%s}]".formatted(test));
  }
}
