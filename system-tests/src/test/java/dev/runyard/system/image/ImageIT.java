package dev.runyard.system.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.isolation.AgentUser;
import dev.runyard.system.Api;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The runner's image, made by the build, with the rights that a task has on Fargate.
@Needs(Outside.IMAGE_TOOLS)
final class ImageIT {
  private static final int PROCESSES_MAX = 160;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private static BuiltImage image;
  private static ImageStack stack;

  @BeforeAll
  static void build() throws Exception {
    long begin = System.nanoTime();
    image = BuiltImage.build();
    long seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
    System.out.printf("image: %d MiB on disk, made in %d s%n", image.mebibytes(), seconds);
    stack = ImageStack.start(image, PROCESSES_MAX);
  }

  @AfterAll
  static void end() throws Exception {
    stack.close();
    assertEquals(List.of(), Processes.within(image.rootfs()));
  }

  @Test
  void eachPackedCliWorksUnderAUserOfItsOwn() throws Exception {
    works("codex", "");
    works("claude_code", "\"agent_api.exec.external_sandbox.v1\":true");
  }

  @Test
  void anAttemptReadsNothingOfTheRunnerAndReachesNoProcessOfIt() throws Exception {
    String said =
        said(
            """
            env
            for one in /proc/[0-9]*; do
              [ "$(stat -c %u $one)" = "$(id -u)" ] || cat $one/environ $one/maps $one/mem; ls $one/fd/ | head -1
            done 2>/dev/null | tr '\\0' '\\n'
            runner=$(pgrep -o java)
            kill -9 $runner; kill -QUIT $runner; kill -STOP $runner; kill -9 1; kill -9 -1
            call=$(case $(uname -m) in x86_64) echo 101 ;; *) echo 117 ;; esac)
            perl -e 'print syscall($ARGV[0], 16, $ARGV[1], 0, 0) < 0 ? "kept away" : "attached"' $call $runner
            ls -R /work /home/runner
            touch /usr/planted /opt/agents/bin/planted /opt/runyard/runner.jar
            unshare --user true && echo a namespace
            mount -t tmpfs none /mnt && echo a mount
            echo; echo done $runner
            """);
    assertTrue(said.matches("(?s).*kept away\n+.*done [0-9]+\n?"), said);
    for (String secret :
        List.of(
            ImageStack.MODEL_KEY, ImageStack.CREDENTIALS_PATH, "AWS_", "a namespace", "a mount")) {
      assertFalse(said.contains(secret), said);
    }
  }

  @Test
  void anAttemptReadsAndDisturbsNoOther() throws Exception {
    String neighbour =
        stack
            .api()
            .run(
                shell(
                    "echo mine-7f3a > own.txt; i=0; touch /tmp/there; while [ ! -e /tmp/over ] && ["
                        + " $i -lt 600 ]; do i=$((i + 1)); sleep 0.1; done; cat own.txt"));
    String said =
        said(
            """
            i=0; while [ ! -e /tmp/there ] && [ $i -lt 600 ]; do i=$((i + 1)); sleep 0.1; done
            find / -xdev -name own.txt 2>/dev/null; cat /work/*/*/own.txt /work/*/*/*/own.txt 2>/dev/null
            for one in $(pgrep -x sleep) $(pgrep -x sh); do kill -9 $one; cat /proc/$one/cwd/own.txt; done 2>/dev/null
            touch /tmp/over; echo done
            """);
    assertEquals("done", said.strip());
    assertEquals(
        "mine-7f3a", ended(neighbour, "task.completed").path("final_text").asText().strip());
  }

  @Test
  void nothingOutlivesItsRun() throws Exception {
    String away =
        "env -i setsid -f sleep 777; env -i setsid -f sh -c 'trap \"\" TERM; sleep 777'; echo away";
    assertEquals("away", said(away).strip());
    assertEquals("0", said("pgrep -c -x sleep || :").strip());
    assertFalse(Processes.within(image.rootfs()).toString().contains("777"));
  }

  /// What takes memory takes it slowly enough for a runner on a busy machine to see the limit
  /// before the container's own is met.
  @Test
  void greedOfEachKindEndsTheRun() throws Exception {
    assertEquals(
        "process_limit_reached", failed("exec perl -e '$SIG{TERM} = \"IGNORE\"; fork while 1'"));
    assertEquals(
        "memory_limit_reached",
        failed(
            "exec perl -e 'push(@all, \"x\" x 5_000_000), select(undef, undef, undef, 0.02) while"
                + " 1'"));
    assertEquals("file_size_limit_reached", failed("exec head -c 10000000000 /dev/zero > big"));
    assertEquals("0", said("pgrep -c -x 'perl|head' || :").strip());
  }

  @Test
  void anAttemptWithoutNetworkDoesNotReachTheCredentialsOfTheTask() throws Exception {
    String script =
        """
        perl -MSocket -e 'socket(S, PF_INET, SOCK_STREAM, 0) or die "no socket: $!\\n";
          print "by ", unpack("Z*", getsockopt(S, SOL_SOCKET, 25)), "\\n";
          $SIG{ALRM} = sub { print "not reached\\n"; exit }; alarm 1;
          connect(S, pack_sockaddr_in(80, inet_aton("169.254.170.2"))) and print "reached\\n"'
        """;
    String open = stack.api().run(shell(script));
    String none = stack.api().run(shell(script).replace("\"shell\"", "\"offline\""));
    // A socket that is bound to the loopback device leads nowhere else.
    assertTrue(ended(open, "task.completed").path("final_text").asText().startsWith("by \n"));
    assertEquals(
        "by lo\nnot reached", ended(none, "task.completed").path("final_text").asText().strip());
  }

  @Test
  void itsPageListsWhatItContainsWithLicences() throws Exception {
    List<String> rows = Files.readAllLines(BuiltImage.HOME.resolve("docs/image.md"));
    List<String> missing = new ArrayList<>();
    for (JsonNode component : image.contents().path("components")) {
      if (component.path("purl").asText().startsWith("pkg:maven/")) {
        continue;
      }
      List<String> licences = new ArrayList<>();
      component.path("licenses").forEach(one -> licences.add(one.at("/license/name").asText()));
      String row =
          "| `%s` | %s |".formatted(component.path("name").asText(), String.join(", ", licences));
      if (!rows.contains(row)) {
        missing.add(row);
      }
    }
    assertEquals(List.of(), missing.stream().distinct().toList());
  }

  private static void works(String agent, String extensions) throws Exception {
    String id =
        stack
            .api()
            .run(
                """
                {"agent":"%s","extensions":{%s},
                 "prompt":"[[sh id -u > uid.txt; git --version; cat uid.txt]] [[say Done]]"}
                """
                    .formatted(agent, extensions));
    List<JsonNode> events = stack.api().all(id, 1_000);
    JsonNode run = stack.api().view(id);
    assertEquals("Done", run.path("final_text").asText(), () -> events + logs());
    JsonNode told = Api.first(events, "sandbox.applied").path("payload");
    assertEquals("uid", told.path("level").asText());
    String uid = told.path("uid").asText();
    assertTrue(Integer.parseInt(uid) >= AgentUser.UID_FIRST, uid);
    String preview = Api.first(events, "tool.result").path("payload").path("preview").asText();
    assertTrue(preview.contains("git version") && preview.contains(uid), preview);
  }

  private static String shell(String script) {
    return Api.JSON.createObjectNode().put("agent", "shell").put("prompt", script).toString();
  }

  private static String said(String script) throws Exception {
    return ended(stack.api().run(shell(script)), "task.completed").path("final_text").asText();
  }

  private static String failed(String script) throws Exception {
    return ended(stack.api().run(shell(script)), "task.failed").at("/error/code").asText();
  }

  private static JsonNode ended(String id, String how) throws Exception {
    List<JsonNode> events = stack.api().all(id, 1_000);
    assertEquals(how, events.getLast().path("type").asText(), () -> events + logs());
    return stack.api().view(id);
  }

  private static String logs() {
    try {
      return stack.logs();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
