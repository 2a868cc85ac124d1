package dev.runyard.system.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.needs.Needs;
import dev.runyard.needs.Outside;
import dev.runyard.runner.isolation.AgentUser;
import dev.runyard.system.Api;
import dev.runyard.system.KeyForms;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The runner's image, made by the build, with the rights that a task has on Fargate.
@Needs(Outside.IMAGE_TOOLS)
final class ImageIT {
  private static final int PROCESSES_MAX = 160;

  /// One of each kind that the image has.
  private static final Set<String> CONTAINED =
      Set.of("@openai/codex", "@anthropic-ai/claude-code", "openjdk", "git", "jackson-databind");

  private static final String FAILED = "task.failed";
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
    // Neither is there if the image could not be made or started, which is the failure to be told.
    if (stack != null) {
      stack.close();
      assertEquals(List.of(), Processes.within(image.rootfs()));
    }
  }

  @Test
  void eachPackedCliWorksUnderAUserOfItsOwn() throws Exception {
    works("codex", "");
    works("claude_code", "\"agent_api.exec.external_sandbox.v1\":true");
  }

  /// A signal to all processes is said to succeed whomever it reaches: that the run goes on tells.
  @Test
  void anAttemptReadsNothingOfTheRunnerAndReachesNoProcessOfIt() throws Exception {
    String said =
        said(
            """
            succeeds() { "$@" && echo "unwanted: $*"; }
            env
            for one in /proc/[0-9]*; do
              [ "$(stat -c %u $one)" = "$(id -u)" ] && continue
              cat $one/environ $one/maps $one/mem
              succeeds ls $one/fd/
            done 2>/dev/null | tr '\\0' '\\n'
            runner=$(pgrep -o java)
            for signal in 9 QUIT STOP; do succeeds kill -$signal $runner; succeeds kill -$signal 1; done
            kill -9 -1
            call=$(case $(uname -m) in x86_64) echo 101 ;; *) echo 117 ;; esac)
            perl -e 'print syscall($ARGV[0], 16, $ARGV[1], 0, 0) < 0 ? "kept away" : "attached"' $call $runner
            ls -R /work /home/runner
            for file in /usr/planted /opt/agents/bin/planted /opt/runyard/runner.jar; do succeeds touch $file; done
            succeeds unshare --user true
            succeeds mount -t tmpfs none /mnt
            echo; echo done $runner
            """);
    assertTrue(said.matches("(?s).*kept away\n+.*done [0-9]+\n?"), said);
    for (String secret :
        List.of(ImageStack.MODEL_KEY, ImageStack.CREDENTIALS_PATH, "AWS_", "unwanted")) {
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
                        + " $i -lt 600 ]; do i=$((i + 1)); sleep 0.1; done; rm /tmp/there; cat own.txt"));
    String said =
        said(
            """
            i=0; while [ ! -e /tmp/there ] && [ $i -lt 600 ]; do i=$((i + 1)); sleep 0.1; done
            find / -xdev -name own.txt 2>/dev/null; cat /work/*/*/own.txt /work/*/*/*/own.txt 2>/dev/null
            for one in $(pgrep -x sleep) $(pgrep -x sh); do kill -9 $one; cat /proc/$one/cwd/own.txt; done 2>/dev/null
            touch /tmp/over
            while [ -e /tmp/there ] && [ $i -lt 1200 ]; do i=$((i + 1)); sleep 0.1; done
            echo done
            """);
    assertEquals("done", said.strip());
    assertEquals("mine-7f3a", answer(neighbour).strip());
  }

  @Test
  void nothingOutlivesItsRun() throws Exception {
    String away =
        "env -i setsid -f sleep 777; env -i setsid -f sh -c 'trap \"\" TERM; sleep 777'; echo away";
    assertEquals("away", said(away).strip());
    assertEquals("0", said("ps -C sleep -o stat= | grep -vc '^Z' || :").strip());
    assertFalse(Processes.within(image.rootfs()).toString().contains("777"));
  }

  /// What links and names lead to is there while the runner packs, and it could read all of it.
  @Test
  void whatIsKeptOfAnAttemptHasNothingOfOthers() throws Exception {
    String neighbour =
        stack.api().run(shell("echo theirs-4b1d >own.txt; chmod -R a+rwX .; pwd; exec sleep 600"));
    JsonNode told = Api.first(stack.api().until(neighbour, "model.delta"), "model.delta");
    String theirs = told.at("/payload/text").asText().strip();
    String links =
        """
        mkdir "$HOME/talk"; ln -s %1$s "$HOME/more"
        for place in . "$HOME/talk"; do
          ln -s %1$s $place/folder; ln -s %1$s/own.txt $place/link; echo mine-2c8e >$place/mine
          ln -s /proc/$(pgrep -o java)/environ $place/variables; ln -s /etc/shadow $place/shadow
        done
        ln %1$s/own.txt "$HOME/talk/name" && echo linked
        """
            .formatted(theirs);
    String name = "ln %s/own.txt name".formatted(theirs);
    String linking = stack.api().run(keeping(asked("talker", links)).toString());
    String naming = stack.api().run(keeping(asked("talker", links + name)).toString());

    for (String thief : List.of(linking, naming)) {
      assertEquals("linked", answer(thief).strip());
      assertEquals("mine", served(thief).artifacts());
      String archive = served(thief).archive();
      assertTrue(archive.contains("mine-2c8e"), archive);
      for (String other : List.of("theirs-4b1d", "root:", ImageStack.CREDENTIALS_PATH)) {
        assertFalse(archive.contains(other), archive);
      }
    }
    String all = "find . \"$HOME/talk\" \"$HOME/more\" -type f -exec cat {} + 2>/dev/null; :";
    assertEquals("mine-2c8e mine-2c8e", answer(later(linking, "talker", all)).strip());
    assertEquals("workspace_not_found", code(later(naming, "talker", all)));
    ObjectNode astray = asked("shell", "cat own.txt").put("working_dir", "app");
    ObjectNode workspace = astray.putObject("workspace").put("none", true);
    workspace.putArray("setup").add("rm -rf app; ln -s %s app".formatted(theirs));
    assertEquals(
        "The agent could not be started: the path leads out of the workspace.",
        ended(stack.api().run(astray.toString()), FAILED).at("/error/message").asText());
    stack.api().cancel(neighbour);
    ended(neighbour, "task.cancelled");
  }

  /// The operator lends it a key, which it prints in every form that is looked for.
  @Test
  void aKeyThatAnAttemptPrintsIsNeitherStoredNorServed() throws Exception {
    String prints =
        "env; env | base64; cat /proc/self/environ; printf %s \"$LENT\" | od -An -tx1 | tr -d"
            + " ' \\n'";
    String files = "echo \"mine $LENT\" | tee said >&2; ln -s \"$LENT\" link; echo mine >mine; ";
    String talk = "mkdir \"$HOME/talk\"; echo \"mine $LENT\" | tee \"$HOME/talk/said\"";
    String tools =
        "[[sh %s]] [[sh head -c 1000000 /dev/zero | tr '\\0' x; env]] [[say Done]]"
            .formatted(prints);
    String printing = stack.api().run(lent(keeping(asked("shell", files + prints))));
    String talking = stack.api().run(lent(asked("talker", talk)));
    String calling = stack.api().run(lent(asked("codex", tools)));

    keyless(served(printing).told() + served(printing).archive());
    assertEquals("mine", served(printing).artifacts());
    keyless(served(talking).told());
    keyless(served(calling).told());
    assertEquals("Done", answer(calling));
    for (String left :
        List.of(
            answer(later(printing, "shell", "cat said")),
            answer(later(talking, "talker", "cat \"$HOME/talk/said\"")))) {
      assertTrue(left.strip().matches("mine \\*+"), left);
    }
    keyless(logs());
  }

  /// The next attempt waits for it to go, since a run has ended before its user is given back.
  @Test
  void nothingIsLeftWhereAllUsersMayWrite() throws Exception {
    String left =
        "[ -e /tmp/left ] || [ -e /dev/shm/left ] || grep -q '^ *4242 ' /proc/sysvipc/shm";
    String look = "ls /tmp/left /dev/shm/left; grep -c '^ *4242 ' /proc/sysvipc/shm || :";
    String make =
        "echo 1 | tee /tmp/left >/dev/shm/left; perl -e 'shmget(4242, 4096, 01666) // die'; ";
    assertEquals("/dev/shm/left\n/tmp/left\n1", said(make + look).strip());
    String wait =
        "i=0; while { %s; } && [ $i -lt 300 ]; do i=$((i + 1)); sleep 0.1; done; ".formatted(left);
    assertEquals("0", said(wait + look).strip());
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
            "exec perl -e 'push(@all, \"x\" x 2_000_000), select(undef, undef, undef, 0.02) while"
                + " 1'"));
    assertEquals("file_size_limit_reached", failed("exec head -c 10000000000 /dev/zero > big"));
    assertEquals(
        "disk_limit_reached",
        failed("for i in 1 2 3 4 5; do head -c 60000000 /dev/zero > $i; done; exec sleep 60"));
    assertEquals(
        "disk_limit_reached",
        failed(
            "for i in 1 2 3 4 5; do head -c 60000000 /dev/zero > /tmp/own-$i; done; exec sleep"
                + " 60"));
    assertEquals(
        "disk_limit_reached",
        failed("for i in 1 2 3 4 5; do : >$i; fallocate -n -l 60M $i; done; exec sleep 60"));
    assertEquals(
        "file_count_limit_reached",
        failed("perl -e 'for (1 .. 4_000) { open my $file, \">\", $_ }'; exec sleep 60"));
    assertEquals(
        "file_count_limit_reached",
        failed(
            "perl -e '$name = \"d\" x 200; mkdir $name and chdir $name for 1 .. 30'; exec sleep"
                + " 60"));
    assertEquals("0", said("ps -C perl,head -o stat= | grep -vc '^Z' || :").strip());
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
    String none = stack.api().run(asked("offline", script).toString());
    // A socket that is bound to the loopback device leads nowhere else.
    assertTrue(answer(open).startsWith("by \n"));
    assertEquals("by lo\nnot reached", answer(none).strip());
  }

  @Test
  void itsPageListsWhatItContainsWithLicences() throws Exception {
    List<String> rows = Files.readAllLines(BuiltImage.HOME.resolve("docs/image.md"));
    List<String> missing = new ArrayList<>();
    Set<String> named = new HashSet<>();
    for (JsonNode component : image.contents().path("components")) {
      named.add(component.path("name").asText());
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
    assertTrue(named.containsAll(CONTAINED), named::toString);
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

  private static ObjectNode asked(String agent, String prompt) {
    return Api.JSON.createObjectNode().put("agent", agent).put("prompt", prompt);
  }

  private static String shell(String script) {
    return asked("shell", script).toString();
  }

  /// Has all files of its run kept.
  private static ObjectNode keeping(ObjectNode request) {
    ObjectNode workspace = request.putObject("workspace").put("none", true).put("archive", true);
    workspace.putArray("artifacts").add("**");
    return request;
  }

  /// Has the operator's key in a variable.
  private static String lent(ObjectNode request) {
    request.putObject("env").putObject("LENT").put("secret", "KEY");
    return request.toString();
  }

  /// Begins with what an earlier run has left.
  private static String later(String earlier, String agent, String script) throws Exception {
    return stack.api().run(asked(agent, script).put("session_id", earlier).toString());
  }

  private static void keyless(String text) {
    KeyForms.assertNone(ImageStack.MODEL_KEY, text);
  }

  private static ServedRun served(String id) {
    return new ServedRun(stack.api(), id);
  }

  private static String said(String script) throws Exception {
    return answer(stack.api().run(shell(script)));
  }

  private static String answer(String id) throws Exception {
    return ended(id, "task.completed").path("final_text").asText();
  }

  /// The code of a run that is to fail, which the test compares.
  private static String failed(String script) throws Exception {
    return code(stack.api().run(shell(script)));
  }

  private static String code(String id) throws Exception {
    return ended(id, FAILED).at("/error/code").asText();
  }

  private static JsonNode ended(String id, String how) throws Exception {
    List<JsonNode> events = stack.api().all(id, 1_000);
    assertEquals(how, events.getLast().path("type").asText(), () -> events + logs());
    JsonNode run = stack.api().view(id);
    if (how.equals(FAILED)) {
      stack.mayFail(id, run.at("/error/code").asText());
    }
    return run;
  }

  private static String logs() {
    try {
      return stack.logs();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
