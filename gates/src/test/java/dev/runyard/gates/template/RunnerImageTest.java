package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.aws.Settings;
import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import dev.runyard.runner.isolation.AgentUser;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;

/// The runner's image, against the task that starts it.
@Reads(RunnerImageTest.DOCKERFILE)
class RunnerImageTest {
  static final String DOCKERFILE = "runner-container/Dockerfile";

  private static final String TASK_LAUNCH =
      "local/src/main/java/dev/runyard/local/emulator/TaskLaunch.java";
  private static final int USER_FIRST = AgentUser.UID_FIRST;
  private static final int USERS = AgentUser.USERS_MAX;
  private static final String AGENTS = "runner-container/agents/";

  @Gate
  @Breach(
      in = AGENTS + "pi/package-lock.json",
      replace = "\"integrity\"",
      by = "\"x\"",
      named = "pi")
  @Breach(
      in = AGENTS + "pi/package-lock.json",
      replace = "\"integrity\"",
      by = "\"resolved\": \"https://example.com/x\", \"integrity\"",
      named = "pi")
  @Breach(
      in = AGENTS + "pi/package.json",
      replace = "\"dependencies\": {",
      by = "\"dependencies\": { \"left\": \"1.0.0\",",
      named = "pi: left")
  @Breach(
      in = AGENTS + "codex/package.json",
      replace = "\"program\"",
      by = "\"programme\"",
      named = "codex")
  @Breach(replace = "ARG AGENTS=\"codex", by = "ARG AGENTS=\"codecs", named = "codecs")
  void installsAgentCliesFromLockFilesWithoutAnAddress(Repository repository) throws IOException {
    List<String> agents =
        repository.files("/package-lock.json").stream()
            .filter(file -> file.startsWith(AGENTS))
            .map(file -> file.substring(AGENTS.length()).split("/", 2)[0])
            .toList();
    for (String name : last(repository, "ARG AGENTS=").replace("\"", "").split(" ", -1)) {
      assertTrue(agents.contains(name), name);
    }
    for (String name : agents) {
      JsonNode manifest = json(repository, name, "package.json");
      JsonNode locked = json(repository, name, "package-lock.json").path("packages");
      for (String dependencies : List.of("dependencies", "optionalDependencies")) {
        for (var cli : manifest.path(dependencies).properties()) {
          var entry = locked.path("node_modules/" + cli.getKey());
          assertEquals(
              cli.getValue().asText(), entry.path("version").asText(), name + ": " + cli.getKey());
        }
      }
      for (var entry : locked.properties()) {
        assertFalse(entry.getValue().has("resolved"), name + ": " + entry.getKey());
        assertTrue(
            entry.getKey().isEmpty() || entry.getValue().has("integrity"),
            name + ": " + entry.getKey());
      }
      assertFalse(manifest.at("/runyard/program").asText().isEmpty(), name);
      assertFalse(manifest.at("/runyard/command").asText().isEmpty(), name);
    }
  }

  @Gate
  @Breach(replace = "USER 0:0", by = "USER 10001:10001", named = "10001")
  @Breach(replace = "seq 66000 66999", by = "seq 66000 66998", named = "66999")
  @Breach(replace = "ripgrep util-linux", by = "ripgrep", named = "util-linux")
  @Breach(replace = " RUNYARD_ISOLATION=uid", by = "", named = "RUNYARD_ISOLATION")
  @Breach(
      in = SamTemplate.FILE,
      replace = "Type: String\n    Default: uid",
      by = "Type: String\n    Default: auto",
      named = "uid")
  void runsAsASupervisorWithAUserForEachAttempt(Repository repository) {
    assertEquals("0:0", last(repository, "USER "));
    String users = "seq %d %d ".formatted(USER_FIRST, USER_FIRST + USERS - 1);
    String dockerfile = repository.text(DOCKERFILE);
    assertEquals(
        2, dockerfile.lines().filter(line -> line.contains(users)).count(), "not " + users);
    assertTrue(dockerfile.contains(" ripgrep util-linux "), "util-linux");
    assertTrue(last(repository, "ENV ").contains(Settings.ISOLATION + "=uid"), Settings.ISOLATION);
    String template = repository.text(SamTemplate.FILE);
    assertTrue(template.contains("  Isolation:\n    Type: String\n    Default: uid\n"), "uid");
  }

  @Gate
  @Breach(replace = "\"-XX:+DisableAttachMechanism\", ", by = "", named = "Dockerfile")
  @Breach(in = "runyard", replace = " -XX:+DisableAttachMechanism", by = "", named = "runyard")
  @Breach(
      in = TASK_LAUNCH,
      replace = "\"-XX:+DisableAttachMechanism\",",
      by = "",
      named = "TaskLaunch")
  void letsNobodyAttachToTheRunner(Repository repository) {
    assertTrue(
        last(repository, "ENTRYPOINT ").contains("\"-XX:+DisableAttachMechanism\""), DOCKERFILE);
    for (String other : List.of("runyard", TASK_LAUNCH)) {
      assertTrue(repository.text(other).contains("-XX:+DisableAttachMechanism"), other);
    }
  }

  @Gate
  @Breach(replace = "\"/home/runner\", ", by = "", named = "but was: <[/tmp, /work]>")
  @Breach(
      in = SamTemplate.FILE,
      replace = "ContainerPath: /tmp",
      by = "ContainerPath: /var/tmp",
      named = "/var/tmp")
  void declaresAVolumeForEachMountSoThatItsOwnerMayWrite(Repository repository) throws IOException {
    var mounted = new TreeSet<String>();
    SamTemplate.of(repository)
        .runnerContainer()
        .path("MountPoints")
        .forEach(mount -> mounted.add(mount.path("ContainerPath").asText()));
    var declared = new TreeSet<String>();
    new ObjectMapper()
        .readTree(last(repository, "VOLUME "))
        .forEach(path -> declared.add(path.asText()));
    assertEquals(mounted, declared);
  }

  @Gate
  @Breach(
      replace = "COPY agent-jars/ /opt/agent-jars/",
      by = "COPY agent-jars/ /opt/jars/",
      named = "/opt/jars")
  @Breach(
      in = "runner-container/.dockerignore",
      replace = "!agent-jars\n",
      by = "",
      named = ".dockerignore")
  @Breach(
      in = SamTemplate.FILE,
      replace = "RUNYARD_AGENT_JARS: !Ref AgentJars",
      by = "RUNYARD_AGENT_JARS: /opt/agent-jars",
      named = "ApiFunction")
  @Breach(
      in = SamTemplate.FILE,
      replace = "Name: RUNYARD_AGENT_JARS, Value: !Ref AgentJars",
      by = "Name: RUNYARD_JARS, Value: !Ref AgentJars",
      named = "RunnerTask")
  void hasTheJavaAgentsWhereTheTaskAndTheFunctionsLookForThem(Repository repository) {
    String folder = last(repository, "COPY agent-jars/ ").replaceAll("/$", "");
    assertTrue(
        repository.text("runner-container/.dockerignore").lines().anyMatch("!agent-jars"::equals),
        ".dockerignore");
    assertTrue(repository.has("runner-container/agent-jars"));
    assertTrue(
        repository
            .text("docs/agents.md")
            .contains("the parameter `AgentJars` is then `" + folder + "`"),
        folder);
    var template = SamTemplate.of(repository);
    String named = "{\"Ref\":\"AgentJars\"}";
    for (String function : List.of("ApiFunction", "ManageFunction", "StreamFunction")) {
      var variables = template.environment(template.properties(function));
      assertEquals(named, String.valueOf(variables.get("RUNYARD_AGENT_JARS")), function);
    }
    assertTrue(
        template
            .runnerContainer()
            .path("Environment")
            .valueStream()
            .filter(variable -> variable.path("Name").asText().equals("RUNYARD_AGENT_JARS"))
            .anyMatch(variable -> variable.path("Value").toString().equals(named)),
        "RunnerTask");
  }

  /// A deployment that names an image of it by digest would delete it with the image, and a rule
  /// that expires images does not know which one that is.
  @Gate
  @Breach(
      in = "template.yaml",
      replace = "Type: AWS::ECR::Repository\n",
      by = "Type: AWS::ECR::Repository\n    Condition: OwnImage\n",
      named = "RunnerRepository")
  @Breach(
      in = "template.yaml",
      replace = "      EmptyOnDelete: true\n",
      by = "      EmptyOnDelete: true\n      LifecyclePolicy: { LifecyclePolicyText: \"{}\" }\n",
      named = "LifecyclePolicy")
  void staysInItsRepositoryWhicheverImageIsDeployed(Repository repository) {
    var resource = SamTemplate.of(repository).root().path("Resources").path("RunnerRepository");
    assertEquals("AWS::ECR::Repository", resource.path("Type").asText());
    assertFalse(resource.has("Condition"), "RunnerRepository");
    assertFalse(resource.path("Properties").has("LifecyclePolicy"), "LifecyclePolicy");
  }

  @Gate
  @Breach(
      replace = "COPY target/agent-host.jar /opt/runyard/",
      by = "COPY target/agent-host.jar /opt/agents/",
      named = "agent-host.jar")
  @Breach(
      replace = "ArchiveClassesAtExit=/opt/runyard/agent-host.jsa",
      by = "ArchiveClassesAtExit=/opt/runyard/host.jsa",
      named = "agent-host.jsa")
  @Breach(
      in = "runner-container/.dockerignore",
      replace = "!target/agent-host.jar\n",
      by = "",
      named = ".dockerignore")
  void hasTheHostOfJavaAgentsAndItsCacheBesideTheRunner(Repository repository) {
    String folder = last(repository, "COPY target/runner.jar ").replaceAll("[^/]*$", "");
    assertEquals(folder + "agent-host.jar", last(repository, "COPY target/agent-host.jar "));
    assertTrue(
        repository.text(DOCKERFILE).contains("ArchiveClassesAtExit=" + folder + "agent-host.jsa"),
        "agent-host.jsa");
    assertTrue(
        repository
            .text("runner-container/.dockerignore")
            .lines()
            .anyMatch("!target/agent-host.jar"::equals),
        ".dockerignore");
  }

  @Gate
  @Breach(replace = "-slim@sha256:8", by = "-slim@sha256:", named = "DEBIAN_IMAGE")
  @Breach(replace = "noble@sha256:", by = "noble#", named = "JAVA_IMAGE")
  @Breach(replace = "FROM ${NODE_IMAGE}", by = "FROM node:22", named = "node:22")
  @Breach(replace = "SNAPSHOT=2026", by = "SNAPSHOT=", named = "DEBIAN_SNAPSHOT")
  void startsFromBasesWhoseContentsAreKnown(Repository repository) {
    String dockerfile = repository.text(DOCKERFILE);
    for (String base : List.of("DEBIAN_IMAGE", "JAVA_IMAGE", "NODE_IMAGE")) {
      assertTrue(
          last(repository, "ARG " + base + "=").matches("[a-z-]+:[\\w.-]+@sha256:[0-9a-f]{64}"),
          base);
    }
    assertTrue(
        last(repository, "ARG DEBIAN_SNAPSHOT=").matches("\\d{8}T\\d{6}Z"), "DEBIAN_SNAPSHOT");
    var from = dockerfile.lines().filter(line -> line.matches("FROM (?!\\$|system$).*")).toList();
    assertEquals(List.of(), from);
  }

  private static String last(Repository repository, String instruction) {
    return repository
        .text(DOCKERFILE)
        .lines()
        .filter(line -> line.startsWith(instruction))
        .reduce((earlier, later) -> later)
        .orElseThrow()
        .substring(instruction.length());
  }

  private static JsonNode json(Repository repository, String agent, String file)
      throws IOException {
    return new ObjectMapper().readTree(repository.text(AGENTS + agent + "/" + file));
  }
}
