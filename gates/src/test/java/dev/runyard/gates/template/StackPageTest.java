package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Repository;
import dev.runyard.gates.pages.Page;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/// Compares the pages on tables, queues and routes with the template.
final class StackPageTest {
  private static final String TABLES = "docs/tables.md";
  private static final String HTTP = "docs/http.md";

  @Gate
  @Breach(in = TABLES, replace = "`sk` N |", by = "`sk` S |", named = "`sk` N")
  @Breach(in = TABLES, replace = "`due` N, `KEYS_ONLY`", by = "`due` N, `ALL`", named = "`ALL`")
  @Breach(in = TABLES, replace = "| `NEW_IMAGE` |", by = "| |", named = "`NEW_IMAGE`")
  @Breach(in = TABLES, replace = "| `expires` |", by = "| `gone` |", named = "`gone`")
  @Breach(
      in = SamTemplate.FILE,
      replace = "Resources:\n",
      by = "Resources:\n  SpareTable: { Type: AWS::DynamoDB::Table }\n",
      named = "SpareTable")
  void describesKeysIndexesStreamAndRemovalOfEachTable(Repository repository) {
    var template = SamTemplate.of(repository);
    var rows = Page.of(repository, TABLES).tableUnder("## Keys");
    for (List<String> row : rows) {
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
    assertEquals(names(template, "AWS::DynamoDB::Table"), firsts(rows), "all tables");
  }

  @Gate
  @Breach(in = TABLES, replace = "| 45 s |", by = "| 30 s |", named = "RunQueue")
  @Breach(in = TABLES, replace = "| 604800 s |", by = "| 604801 s |", named = "RunQueue")
  @Breach(in = TABLES, replace = "after 5 receives", by = "after 3 receives", named = "RunQueue")
  @Breach(
      in = SamTemplate.FILE,
      replace = "Resources:\n",
      by = "Resources:\n  SpareQueue: { Type: AWS::SQS::Queue }\n",
      named = "SpareQueue")
  void describesTheTimesOfEachQueue(Repository repository) {
    var template = SamTemplate.of(repository);
    var rows = Page.of(repository, TABLES).tableUnder("## Queues");
    for (List<String> row : rows) {
      var id = code(row.get(0));
      var queue = template.properties(id);
      assertEquals(queue.path("VisibilityTimeout").asText() + " s", row.get(1), id);
      assertEquals(queue.path("MessageRetentionPeriod").asText() + " s", row.get(2), id);
      var receives = queue.at("/RedrivePolicy/maxReceiveCount");
      assertEquals(
          !receives.isMissingNode(),
          row.get(3).contains(" " + receives.asText() + " receives"),
          id);
    }
    assertEquals(names(template, "AWS::SQS::Queue"), firsts(rows), "all queues");
  }

  @Gate
  @Breach(in = HTTP, replace = "| GET | `/ping` |", by = "| GET | `/pong` |", named = "GET /pong")
  @Breach(in = SamTemplate.FILE, replace = "Path: /ping", by = "Path: /pong", named = "GET /pong")
  void listsEveryRoute(Repository repository) {
    var written = new TreeSet<String>();
    Page.of(repository, HTTP)
        .tableUnder("## Routes")
        .forEach(row -> written.add(row.get(0) + " " + code(row.get(1))));
    assertEquals(SamTemplate.of(repository).routes().keySet(), written);
  }

  @Gate
  @Breach(in = HTTP, replace = "`throttled` |", by = "`too_many` |", named = "THROTTLED=too_many")
  @Breach(
      in = SamTemplate.FILE,
      replace = "        EXPIRED_TOKEN:",
      by = "        INVALID_API_KEY:",
      named = "INVALID_API_KEY=expired_token")
  void listsTheRefusalsOfTheGateway(Repository repository) {
    Map<String, String> known = new TreeMap<>();
    for (var response :
        SamTemplate.of(repository).properties("Api").path("GatewayResponses").properties()) {
      var body = response.getValue().at("/ResponseTemplates/application~1json").asText();
      known.put(response.getKey(), body.replaceFirst(".*\"code\":\"([a-z_]+)\".*", "$1"));
    }
    Map<String, String> written = new TreeMap<>();
    Page.of(repository, HTTP)
        .tableUnder("### From the gateway")
        .forEach(row -> written.put(code(row.get(1)), code(row.get(0))));
    assertEquals(known, written);
  }

  private static List<String> firsts(List<List<String>> rows) {
    return rows.stream().map(row -> code(row.getFirst())).sorted().toList();
  }

  private static List<String> names(SamTemplate template, String type) {
    return List.copyOf(template.ofType(type).keySet());
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
