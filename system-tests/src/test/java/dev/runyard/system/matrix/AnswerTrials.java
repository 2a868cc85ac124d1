package dev.runyard.system.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.system.Api;
import dev.runyard.system.matrix.Stand.Ran;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// An agent's answers, and its tools.
final class AnswerTrials {
  private AnswerTrials() {}

  static List<Trial> all() {
    return List.of(
        trial("text", AnswerTrials::text),
        trial("text as it is written", AnswerTrials::deltas),
        trial("one tool call", stand -> tools(stand, 1)),
        trial("several tool calls", stand -> tools(stand, 3)),
        trial("100 KB of output by reference", AnswerTrials::output),
        trial("file change reported", AnswerTrials::file),
        trial("plan reported", AnswerTrials::plan),
        trial("reasoning", AnswerTrials::reasoning),
        trial("tokens used", AnswerTrials::usage),
        trial("model set by the request", AnswerTrials::model));
  }

  private static Trial trial(String title, Trial.Course course) {
    return new Trial(Trial.Group.ANSWERS, title, course);
  }

  private static Cell text(Stand stand) throws Exception {
    Ran ran = stand.run("[[say All is well.]]");
    return Trial.check(
        ran.status().equals("completed") && ran.text().equals("All is well."), ran.end());
  }

  private static Cell deltas(Stand stand) throws Exception {
    String prompt = "[[slow 4 700]]";
    Ran ran = stand.run(prompt);
    if (!ran.text().equals("1 2 3 4")) {
      return new Cell.Fails(ran.end());
    }
    if (ran.payloads("model.delta").size() > 1) {
      return new Cell.Works();
    }
    String asking = stand.subject().asking();
    boolean told =
        !asking.isEmpty()
            && stand.ended(stand.submit(prompt, asking, "")).payloads("model.delta").size() > 1;
    return told ? new Cell.WorksInteractive() : new Cell.NotOffered();
  }

  private static Cell tools(Stand stand, int count) throws Exception {
    StringBuilder prompt = new StringBuilder();
    for (int i = 0; i < count; i++) {
      prompt.append("[[sh echo made-").append(i).append("]] ");
    }
    Ran ran = stand.run(prompt + "[[say Done.]]");
    List<JsonNode> started = ran.payloads("tool.started");
    List<JsonNode> results = ran.payloads("tool.result");
    boolean same = ids(started).equals(ids(results)) && ids(started).size() == count;
    if (!ran.status().equals("completed") || !ran.text().equals("Done.")) {
      return new Cell.Fails(ran.end());
    }
    if (same && results.stream().allMatch(result -> result.path("preview").asText().isEmpty())) {
      return new Cell.WorksWithoutOutput();
    }
    for (int i = 0; i < count && same; i++) {
      same = results.get(i).path("preview").asText().contains("made-" + i);
    }
    return Trial.check(same, "calls and results do not match");
  }

  /// A CLI may itself cut the output of its tools; what it reports is stored.
  private static Cell output(Stand stand) throws Exception {
    Ran ran = stand.run("[[sh seq 100000 117000]] [[say Done.]]");
    List<JsonNode> results = ran.payloads("tool.result");
    if (!ran.text().equals("Done.") || results.isEmpty()) {
      return new Cell.Fails(ran.end());
    }
    String ref = results.getFirst().path("outputRef").asText();
    int all = results.getFirst().path("outputBytes").asInt();
    List<JsonNode> spilled = ran.payloads("output.spilled");
    if (spilled.isEmpty() || spilled.getFirst().path("bytes").asInt() < all) {
      return new Cell.NotOffered();
    }
    Api.Answer kept = stand.api().raw("/v1/runs/" + ran.id() + "/outputs/" + ref);
    return Trial.check(kept.http().body().length == all, "another length than the output's");
  }

  private static Cell file(Stand stand) throws Exception {
    String path = stand.subject().absolutePaths() ? stand.mark("told.txt").toString() : "told.txt";
    Ran ran = stand.run("[[write %s|x]] [[say Done.]]".formatted(path));
    List<JsonNode> files = ran.payloads("artifact.changed");
    if (!ran.text().equals("Done.")) {
      return new Cell.Fails(ran.end());
    }
    return files.isEmpty()
        ? new Cell.NotOffered()
        : Trial.check(
            files.size() == 1 && files.getFirst().path("path").asText().endsWith("told.txt"),
            "another file");
  }

  private static Cell plan(Stand stand) throws Exception {
    if (stand.subject().plan().isEmpty()) {
      return new Cell.NotOffered();
    }
    Ran ran = stand.run(stand.subject().plan() + " [[say Done.]]");
    return ran.text().equals("Done.")
        ? Trial.check(ran.payloads("task.progress").toString().contains("look"), "no plan")
        : new Cell.Fails(ran.end());
  }

  private static Set<String> ids(List<JsonNode> tools) {
    Set<String> ids = new HashSet<>();
    tools.forEach(tool -> ids.add(tool.path("toolCallId").asText()));
    return ids;
  }

  private static Cell reasoning(Stand stand) throws Exception {
    Ran ran = stand.run("[[think It is pondered.]] [[say Thought.]]");
    if (!ran.text().equals("Thought.")) {
      return new Cell.Fails(ran.end());
    }
    List<JsonNode> told = ran.payloads("reasoning.delta");
    return told.isEmpty()
        ? new Cell.NotOffered()
        : Trial.check(
            told.stream()
                    .map(delta -> delta.path("text").asText())
                    .collect(Collectors.joining())
                    .split("It is pondered", -1)
                    .length
                == 2,
            "other reasoning");
  }

  /// A CLI may ask its model more often than it shows; every answer counts.
  private static Cell usage(Stand stand) throws Exception {
    String say = "[[say Counted by %s.]]".formatted(stand.subject().kind());
    Ran ran = stand.run("[[usage 101 7]] " + say);
    JsonNode usage = ran.view().path("usage");
    if (!ran.status().equals("completed")) {
      return new Cell.Fails(ran.end());
    }
    long input = usage.path("input_tokens").asLong();
    long output = usage.path("output_tokens").asLong();
    long answers = stand.exchanges(say).count();
    return input == 0 && output == 0
        ? new Cell.NotOffered()
        : Trial.check(
            input == 101 * answers && output == 7 * answers, "other numbers than the model's");
  }

  private static Cell model(Stand stand) throws Exception {
    if (!stand.offers(Capabilities.MODEL)) {
      return new Cell.NotOffered();
    }
    String mark = Stand.unique();
    Ran ran =
        stand.ended(
            stand.submit(
                mark + " [[say Asked.]]", "\"" + Capabilities.MODEL + "\":\"other-model\"", ""));
    return ran.text().equals("Asked.")
        ? Trial.check(
            stand.exchanges(mark).anyMatch(each -> each.model().contains("other-model")),
            "asks another model")
        : new Cell.Fails(ran.end());
  }
}
