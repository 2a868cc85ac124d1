package dev.runyard.local.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runyard.local.model.OfferedTool.Form;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToolboxTest {

  private static final OfferedTool SEARCH =
      ScriptedModelTest.tool("search", "{\"properties\":{\"command\":{\"type\":\"string\"}}}");

  @Test
  void fitsACommandToAnArray() {
    OfferedTool shell =
        ScriptedModelTest.tool("shell", "{\"properties\":{\"command\":{\"type\":\"array\"}}}");
    assertEquals("{\"command\":[\"bash\",\"-lc\",\"ls\"]}", arguments(shell, "ls"));
  }

  @Test
  void fillsInWhatASchemaRequires() {
    OfferedTool bash =
        ScriptedModelTest.tool(
            "Bash",
            """
            {"properties":{"command":{"type":"string"},"description":{"type":"string"},
             "limit":{"type":"integer"},"mode":{"enum":["fast","slow"]},"keep":{"type":"boolean"},
             "files":{"type":"array"},"options":{"type":"object"},"unused":{"type":"string"}},
             "required":["command","description","limit","mode","keep","files","options"]}
            """);
    assertEquals(
        "{\"command\":\"ls\",\"description\":\"scripted\",\"limit\":0,\"mode\":\"fast\","
            + "\"keep\":false,\"files\":[],\"options\":{}}",
        arguments(bash, "ls"));
  }

  @Test
  void waitsAsLongAsAToolAllows() {
    OfferedTool tool =
        ScriptedModelTest.tool(
            "exec_command",
            "{\"properties\":{\"cmd\":{\"type\":\"string\"},\"yield_time_ms\":{\"type\":\"number\"}}}");
    assertEquals("{\"cmd\":\"ls\",\"yield_time_ms\":30000}", arguments(tool, "ls"));
  }

  @Test
  void usesALocalShell() {
    OfferedTool tool = free("local_shell", Form.LOCAL_SHELL);
    assertEquals(
        "{\"type\":\"exec\",\"command\":[\"bash\",\"-lc\",\"ls\"],\"env\":{}}",
        arguments(tool, "ls"));
  }

  @Test
  void findsNoShellAmongOtherTools() {
    assertTrue(new Toolbox(List.of(SEARCH)).shell("ls").isEmpty());
  }

  @Test
  void writesWithAPatchBeforeAnythingElse() {
    Toolbox toolbox = new Toolbox(List.of(SEARCH, free("apply_patch", Form.FREE_FORM)));
    assertEquals(
        "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n",
        toolbox.write("a.txt", "one\ntwo\n").orElseThrow().arguments());
  }

  @Test
  void writesWithAToolForFiles() {
    OfferedTool write =
        ScriptedModelTest.tool(
            "write_file",
            "{\"properties\":{\"file_path\":{\"type\":\"string\"},\"content\":{\"type\":\"string\"}}}");
    assertEquals(
        "{\"file_path\":\"a.txt\",\"content\":\"x\"}",
        new Toolbox(List.of(write)).write("a.txt", "x").orElseThrow().arguments());
  }

  @Test
  void writesWithTheShellQuotingTheText() {
    OfferedTool shell =
        ScriptedModelTest.tool("bash", "{\"properties\":{\"cmd\":{\"type\":\"string\"}}}");
    String arguments =
        new Toolbox(List.of(shell)).write("it's/a.txt", "a'b").orElseThrow().arguments();
    assertTrue(arguments.contains("f='it'\\\\''s/a.txt'"), arguments);
    assertTrue(arguments.contains("printf %s 'a'\\\\''b'"), arguments);
  }

  @Test
  void callsAToolOfANamespace() {
    OfferedTool spawn =
        new OfferedTool("agents", "spawn", Form.FUNCTION, new ObjectMapper().createObjectNode());
    Toolbox toolbox = new Toolbox(List.of(SEARCH, spawn));
    assertEquals(spawn, toolbox.named("agents.spawn", "{}").orElseThrow().tool());
    assertEquals("search, agents.spawn", toolbox.names());
  }

  private static String arguments(OfferedTool tool, String command) {
    return new Toolbox(List.of(SEARCH, tool)).shell(command).orElseThrow().arguments();
  }

  private static OfferedTool free(String name, Form form) {
    return new OfferedTool("", name, form, new ObjectMapper().createObjectNode());
  }
}
