package dev.runyard.core.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HookFilterTest {
  private static final String PAYLOAD =
      "{\"action\":\"labeled\",\"n\":1,\"d\":1.5,\"yes\":true,\"none\":null,\"labels\":[\"a\",\"agent\",2],\"o\":{\"agent\":1}}";

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
        "'pointer':'/d','equals':1.5|true",
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

  @Test
  void saysWhichFilterDidNotPassWithoutTheValue() {
    HookDefinition hook =
        Definitions.read(
            Definitions.hook("github", "'when':[{'pointer':'/action','equals':'opened'}]"));

    assertEquals("filter on /action: has another value", hook.when().getFirst().missed());
  }

  @Test
  void boundsFilters() {
    String one = "{'pointer':'/a','equals':1}";
    String most = String.join(",", Collections.nCopies(HookLimits.FILTERS_MAX, one));

    Definitions.read(Definitions.hook("github", "'when':[" + most + "]"));
    Definitions.refused(Definitions.hook("github", "'when':[" + most + "," + one + "]"));
  }
}
