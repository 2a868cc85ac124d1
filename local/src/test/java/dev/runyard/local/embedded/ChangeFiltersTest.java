package dev.runyard.local.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.embedded.ChangeFilter;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.EventSource.StartingPosition;
import dev.runyard.local.template.EventSource.TableStream;
import dev.runyard.local.template.Template;
import dev.runyard.local.template.TemplateException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ChangeFiltersTest {
  @Test
  void areThoseOfTheTemplate() {
    Map<String, ChangeFilter> filters = new HashMap<>();
    new Blueprint(Template.read(Path.of("..", "template.yaml"), Map.of()))
        .functions()
        .forEach(
            function ->
                function.events().stream()
                    .filter(TableStream.class::isInstance)
                    .map(TableStream.class::cast)
                    .forEach(
                        stream -> filters.put(function.logicalId(), ChangeFilters.of(stream))));
    assertEquals(
        Map.of(
            "ProjectFunction", ChangeFilter.STATE,
            "AdvanceFunction", ChangeFilter.STATE),
        filters);
  }

  @Test
  void aStreamWithoutFiltersHasEveryChange() {
    assertEquals(ChangeFilter.ALL, ChangeFilters.of(stream(List.of())));
  }

  @Test
  void refusesAFilterThatLetsNothingThrough() throws JsonProcessingException {
    JsonNode pattern =
        new ObjectMapper().readTree("{\"dynamodb\":{\"OldImage\":{\"x\":{\"S\":[\"y\"]}}}}");
    assertThrows(TemplateException.class, () -> ChangeFilters.of(stream(List.of(pattern))));
  }

  /// Who lets the next run go on must be told of the end of the one before.
  @Test
  void refusesAFilterThatLeavesOutEnds() throws JsonProcessingException {
    JsonNode pattern =
        new ObjectMapper()
            .readTree("{\"dynamodb\":{\"NewImage\":{\"closed\":{\"BOOL\":[{\"exists\":false}]}}}}");
    assertThrows(TemplateException.class, () -> ChangeFilters.of(stream(List.of(pattern))));
  }

  private static TableStream stream(List<JsonNode> filters) {
    return new TableStream(
        "EventsTable",
        StartingPosition.TRIM_HORIZON,
        100,
        Duration.ZERO,
        filters,
        true,
        true,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }
}
