package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.gates.pages.Page;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/// Compares the pages on tables, queues and routes with the template.
final class StackPageTest {
  private static final Page TABLES = Page.read("docs/tables.md");
  private static final Page HTTP = Page.read("docs/http.md");

  @Test
  void describesKeysIndexesStreamAndRemovalOfEachTable() throws IOException {
    var template = SamTemplate.read();
    for (List<String> row : TABLES.tableUnder("## Keys")) {
      var table = template.properties(code(row.get(0)));
      assertEquals(
          List.of(
              key(table, table, 0),
              key(table, table, 1),
              indexes(table),
              quoted(table.at("/StreamSpecification/StreamViewType")),
              quoted(table.at("/TimeToLiveSpecification/AttributeName"))),
          row.subList(1, row.size()));
    }
    assertEquals(
        named(template, "AWS::DynamoDB::Table"), names(TABLES.tableUnder("## Keys")), "all tables");
  }

  @Test
  void describesTheTimesOfEachQueue() throws IOException {
    var template = SamTemplate.read();
    for (List<String> row : TABLES.tableUnder("## Queues")) {
      var queue = template.properties(code(row.get(0)));
      assertEquals(queue.path("VisibilityTimeout").asText() + " s", row.get(1));
      assertEquals(queue.path("MessageRetentionPeriod").asText() + " s", row.get(2));
      var receives = queue.at("/RedrivePolicy/maxReceiveCount");
      assertEquals(!receives.isMissingNode(), row.get(3).contains(receives.asText() + " receives"));
    }
    assertEquals(
        named(template, "AWS::SQS::Queue"), names(TABLES.tableUnder("## Queues")), "all queues");
  }

  @Test
  void listsEveryRoute() throws IOException {
    var known = new TreeSet<String>();
    for (JsonNode function : SamTemplate.read().functions().values()) {
      for (JsonNode event : function.path("Events")) {
        if (event.path("Type").asText().equals("Api")) {
          var route = event.path("Properties");
          known.add(route.path("Method").asText() + " " + route.path("Path").asText());
        }
      }
    }
    var written = new TreeSet<String>();
    HTTP.tableUnder("## Routes").forEach(row -> written.add(row.get(0) + " " + code(row.get(1))));
    assertEquals(known, written);
  }

  @Test
  void listsTheRefusalsOfTheGateway() throws IOException {
    Map<String, String> known = new TreeMap<>();
    SamTemplate.read()
        .properties("Api")
        .path("GatewayResponses")
        .properties()
        .forEach(
            response -> {
              var body = response.getValue().at("/ResponseTemplates/application~1json").asText();
              known.put(response.getKey(), body.replaceFirst(".*\"code\":\"([a-z_]+)\".*", "$1"));
            });
    Map<String, String> written = new TreeMap<>();
    HTTP.tableUnder("### From the gateway")
        .forEach(row -> written.put(code(row.get(1)), code(row.get(0))));
    assertEquals(known, written);
  }

  private static List<String> names(List<List<String>> rows) {
    return rows.stream().map(row -> code(row.getFirst())).sorted().toList();
  }

  private static List<String> named(SamTemplate template, String type) {
    List<String> names = new ArrayList<>();
    template
        .root()
        .path("Resources")
        .properties()
        .forEach(
            resource -> {
              if (resource.getValue().path("Type").asText().equals(type)) {
                names.add(resource.getKey());
              }
            });
    return names.stream().sorted().toList();
  }

  private static String indexes(JsonNode table) {
    return StreamSupport.stream(table.path("GlobalSecondaryIndexes").spliterator(), false)
        .map(
            index ->
                quoted(index.path("IndexName"))
                    + ": "
                    + key(table, index, 0)
                    + ", "
                    + key(table, index, 1)
                    + ", "
                    + quoted(index.at("/Projection/ProjectionType")))
        .collect(Collectors.joining("; "));
  }

  private static String key(JsonNode table, JsonNode keys, int at) {
    var name = keys.path("KeySchema").path(at).path("AttributeName").asText();
    var type =
        StreamSupport.stream(table.path("AttributeDefinitions").spliterator(), false)
            .filter(attribute -> attribute.path("AttributeName").asText().equals(name))
            .map(attribute -> attribute.path("AttributeType").asText())
            .findFirst()
            .orElseThrow();
    return "`" + name + "` " + type;
  }

  private static String quoted(JsonNode value) {
    return value.isMissingNode() ? "" : "`" + value.asText() + "`";
  }

  private static String code(String cell) {
    return cell.replace("`", "");
  }
}
