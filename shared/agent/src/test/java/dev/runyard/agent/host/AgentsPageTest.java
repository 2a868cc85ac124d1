package dev.runyard.agent.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.agent.AgentDefinition;
import dev.runyard.agent.AgentRequest;
import dev.runyard.agent.Answer;
import dev.runyard.agent.Ask;
import dev.runyard.agent.InjectedMessage;
import dev.runyard.agent.hub.HubEvent;
import dev.runyard.agent.hub.Hubs;
import dev.runyard.agent.hub.LocalHub;
import dev.runyard.core.message.Message;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agent that docs/agents.md shows, packed into a jar in a folder.
final class AgentsPageTest {
  private static final int LINES_MAX = 20;
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final String SERVICE = "META-INF/services/" + AgentDefinition.class.getName();

  @TempDir private Path folder;

  @Test
  void showsAnAgentThatRunsFromAJarInAFolder() throws Exception {
    String source = source();
    assertTrue(source.lines().count() <= LINES_MAX, "longer than 20 lines");
    jar("Greeter", source);
    Files.writeString(folder.resolve("notes.txt"), "no jar");

    InstalledAgent installed = InstalledAgents.find(Optional.of(folder)).getFirst();

    assertEquals("greeter", InstalledAgents.manifest(installed).kind().name());
    AgentDefinition agent = loaded();
    LocalHub hub = Hubs.hub("s-1");
    AgentHarness harness = new AgentHarness(hub, new Host(), () -> "run-0");
    hub.subscribe(HubEvent.AGENT_START, _ -> assertTrue(hub.sendToRun("run-0", "Ada")));
    assertEquals(
        List.of(Message.text("agent", "Hello, Ada.")),
        harness.wrap(agent).execute(AgentRequest.of("Good morning.")));
  }

  @Test
  void stopsTheStartOverAnAgentThatCannotBeLoaded() throws IOException {
    try (JarOutputStream jar = jar("broken.jar")) {
      entry(jar, SERVICE, "no.such.Agent\n".getBytes(StandardCharsets.UTF_8));
    }
    Optional<Path> jars = Optional.of(folder);
    Optional<Path> missing = Optional.of(folder.resolve("missing"));

    IllegalStateException broken =
        assertThrows(IllegalStateException.class, () -> InstalledAgents.find(jars));
    assertTrue(String.valueOf(broken.getMessage()).contains("no.such.Agent"));
    assertThrows(IllegalStateException.class, () -> InstalledAgents.find(missing));
  }

  @Test
  void survivesAnAgentThatEndsItsProcess() throws Exception {
    jar(
        "Quitter",
        source()
            .replace("Greeter", "Quitter")
            .replace("return \"greeter\";", "System.exit(9); return \"\";"));
    Optional<Path> jars = Optional.of(folder);

    assertEquals(
        "An agent cannot be loaded: its process ended with 9 while agents were created.",
        assertThrows(IllegalStateException.class, () -> InstalledAgents.find(jars)).getMessage());
  }

  @Test
  void findsNothingWithoutAFolder() {
    assertEquals(List.of(), InstalledAgents.find(Optional.empty()));
  }

  private AgentDefinition loaded() throws IOException {
    URL jar = folder.resolve("agent.jar").toUri().toURL();
    return ServiceLoader.load(AgentDefinition.class, new URLClassLoader(new URL[] {jar})).stream()
        .map(ServiceLoader.Provider::get)
        .filter(agent -> agent.name().equals("greeter"))
        .findFirst()
        .orElseThrow();
  }

  private static String source() throws IOException {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path page = at.resolve("docs").resolve("agents.md");
      if (Files.isRegularFile(page)) {
        Matcher block = BLOCK.matcher(Files.readString(page));
        assertTrue(block.find());
        return block.group(1);
      }
    }
    throw new IllegalStateException("there is no docs/agents.md");
  }

  private void jar(String type, String source) throws IOException {
    Path build = Files.createDirectory(folder.resolve("build"));
    Path file = Files.writeString(build.resolve(type + ".java"), source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    int result =
        compiler.run(
            null,
            null,
            null,
            "-cp",
            System.getProperty("java.class.path"),
            "-proc:none",
            "-d",
            build.toString(),
            file.toString());
    assertEquals(0, result);
    try (JarOutputStream jar = jar("agent.jar")) {
      entry(jar, SERVICE, type.getBytes(StandardCharsets.UTF_8));
      entry(jar, type + ".class", Files.readAllBytes(build.resolve(type + ".class")));
    }
  }

  private JarOutputStream jar(String name) throws IOException {
    OutputStream out = Files.newOutputStream(folder.resolve(name));
    return new JarOutputStream(out);
  }

  private static void entry(JarOutputStream jar, String name, byte[] content) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    jar.write(content);
    jar.closeEntry();
  }

  private static final class Host implements AgentHost {
    @Override
    public Mailbox open(String runId) {
      BoundedInbox inbox = new BoundedInbox(1);
      return new Mailbox(
          inbox, content -> inbox.offer(new InjectedMessage(content, Instant.EPOCH), () -> {}));
    }

    @Override
    public Answer ask(String runId, Ask ask) {
      throw new IllegalStateException("nobody is there to ask");
    }

    @Override
    public List<Message> history() {
      return List.of();
    }
  }
}
