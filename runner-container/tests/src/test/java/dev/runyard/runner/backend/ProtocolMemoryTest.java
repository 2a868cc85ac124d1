package dev.runyard.runner.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.runner.backend.claude.ClaudeTalks;
import dev.runyard.runner.backend.clientprotocol.ClientProtocolTalks;
import dev.runyard.runner.backend.codex.CodexStreams;
import dev.runyard.runner.backend.codex.CodexTalks;
import dev.runyard.runner.backend.command.CommandDialects;
import dev.runyard.runner.backend.copilot.CopilotStream;
import dev.runyard.runner.backend.gemini.GeminiStream;
import dev.runyard.runner.backend.javaagent.JavaAgentTalks;
import dev.runyard.runner.backend.opencode.OpencodeStream;
import dev.runyard.runner.backend.pi.PiTalks;
import dev.runyard.runner.backend.qwen.QwenStream;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a protocol keeps of an agent that says more and more, each time with other ids and texts:
/// an agent, or a command it runs, may print what it likes.
final class ProtocolMemoryTest {
  private static final int LONG_LINES = 1_000;
  private static final int LONG_CHARS = 30_000;
  private static final int TREE_NODES = 1_000;
  private static final long LONG_CHARS_MAX = 24L * 1024 * 1024;

  private static final int SHORT_LINES = 20_000;
  private static final long SHORT_CHARS_MAX = 2L * 1024 * 1024;

  /// Its state is that of a [dev.runyard.runner.backend.codex.CodexStream] alone.
  private static final Set<String> WITHOUT_STATE =
      Set.of("dev.runyard.runner.backend.codex.CodexBackend$Dialect");

  /// A protocol, and lines that make it remember something. JSON is written with single quotes; `@`
  /// stands for a new text, `#` for a new number, `~` for a tree of many objects.
  private record Spoken(
      String name, Supplier<InteractiveProtocol> protocol, List<String> begin, List<String> lines) {
    static Spoken of(String name, Supplier<OutputParser> parser, List<String> lines) {
      return new Spoken(name, () -> new OutputOnly(parser.get()), List.of(), lines);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Spoken> protocols() {
    return Stream.of(
        claude(),
        codex(),
        Spoken.of("codex exec", CodexStreams::fresh, codexExec()),
        clientProtocol(),
        repeated(),
        gemini(),
        qwen(),
        copilot(),
        opencode(),
        pi(),
        Spoken.of("text", CommandDialects::text, List.of("@")),
        Spoken.of(
            "json lines",
            CommandDialects::json,
            List.of("{'text':'@','session':'@','error':'@','in':#}")),
        new Spoken(
            "java",
            JavaAgentTalks::fresh,
            List.of("{'started':{}}"),
            List.of("{'told':{'type':'said','text':'@'}}", "+@")));
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void isBoundedWhateverAnAgentSays(Spoken spoken) {
    String text = "x".repeat(LONG_CHARS);
    String tree = "[" + "{},".repeat(TREE_NODES - 1) + "{}]";

    long held = HeldText.of(played(spoken, LONG_LINES, text, tree)).chars();

    assertTrue(held <= LONG_CHARS_MAX, () -> held + " characters");
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void isBoundedHoweverOftenAnAgentSaysLittle(Spoken spoken) {
    long held = HeldText.of(played(spoken, SHORT_LINES, "x", "[{}]")).chars();

    assertTrue(held <= SHORT_CHARS_MAX, () -> held + " characters");
  }

  /// A new one is to be played here too.
  @Test
  void isLookedAtOfEveryProtocol() throws Exception {
    Set<String> missing = new TreeSet<>();
    for (Class<?> type : classes()) {
      boolean protocol =
          InteractiveProtocol.class.isAssignableFrom(type)
              || OutputParser.class.isAssignableFrom(type);
      if (protocol && !type.isInterface() && !Modifier.isAbstract(type.getModifiers())) {
        missing.add(type.getName());
      }
    }
    assertTrue(missing.size() > 10, missing::toString);

    protocols().forEach(spoken -> missing.removeAll(HeldText.of(spoken.protocol().get()).types()));

    assertEquals(WITHOUT_STATE, missing);
  }

  private static InteractiveProtocol played(Spoken spoken, int lines, String text, String tree) {
    InteractiveProtocol protocol = spoken.protocol().get();
    protocol.open();
    spoken.begin().forEach(line -> protocol.line(PlayedTalk.quoted(line)));
    for (String line : spoken.lines()) {
      String quoted = PlayedTalk.quoted(line);
      for (int i = 0; i < lines; i++) {
        String number = String.valueOf(i);
        protocol.line(
            quoted.replace("@", number + "-" + text).replace("#", number).replace("~", tree));
      }
    }
    return protocol;
  }

  private static Spoken claude() {
    return new Spoken(
        "claude",
        ClaudeTalks::fresh,
        List.of("{'type':'system','subtype':'init','session_id':'s-1'}"),
        List.of(
            "{'type':'@'}",
            "{'type':'assistant','message':{'content':[{'type':'tool_use','id':'@','name':'@','input':{'a':~}}]}}",
            "{'type':'assistant','message':{'content':[{'type':'tool_use','id':'@','name':'Edit','input':{'file_path':'@'}}]}}",
            "{'type':'assistant','message':{'content':[{'type':'tool_use','id':'@','name':'TodoWrite','input':{'todos':[{'content':'@'}]}}]}}",
            "{'type':'assistant','message':{'content':[{'type':'@'}]}}",
            "{'type':'assistant','parent_tool_use_id':'@','message':{'id':'@','usage':{'input_tokens':1},'content':[{'type':'tool_use','id':'@','name':'Bash'}]}}",
            "{'type':'user','message':{'content':[{'type':'tool_result','tool_use_id':'@','content':'@'}]},'tool_use_result':{'task':{'id':'@','subject':'@'}}}",
            "{'type':'user','message':{'content':[{'type':'tool_result','tool_use_id':'@'}]},'tool_use_result':{'task':{'id':'#','subject':'@'}}}",
            "{'type':'stream_event','event':{'type':'content_block_start','index':#,'content_block':{'type':'tool_use','id':'@','name':'Bash'}}}",
            "{'type':'stream_event','event':{'type':'content_block_delta','index':0,'delta':{'type':'text_delta','text':'@'}}}",
            "{'type':'stream_event','event':{'type':'content_block_delta','index':0,'delta':{'type':'thinking_delta','thinking':'@'}}}",
            "{'type':'control_request','request_id':'@','request':{'subtype':'can_use_tool','tool_name':'@','tool_use_id':'@','input':{'a':~}}}",
            "{'type':'result','subtype':'success','session_id':'@','permission_denials':[{'tool_name':'@'}]}"));
  }

  private static Spoken codex() {
    return new Spoken(
        "codex",
        CodexTalks::fresh,
        List.of(
            "{'id':1,'result':{}}",
            "{'id':2,'result':{'thread':{'id':'t-1'}}}",
            "{'method':'turn/started','params':{'threadId':'t-1','turn':{'id':'u-1'}}}"),
        List.of(
            "{'method':'item/started','params':{'item':{'id':'@','type':'fileChange','a':~,'changes':[{'path':'@','kind':~}]}}}",
            "{'method':'item/started','params':{'item':{'id':'@','type':'fileChange','changes':~}}}",
            "{'method':'item/started','params':{'item':{'id':'@','type':'mcpToolCall','server':'@','tool':'@'}}}",
            "{'method':'item/started','params':{'item':{'id':'@','type':'@'}}}",
            "{'method':'item/agentMessage/delta','params':{'itemId':'m-1','delta':'@'}}",
            "{'method':'item/agentMessage/delta','params':{'itemId':'@','delta':'@'}}",
            "{'method':'item/reasoning/textDelta','params':{'itemId':'@','delta':'@'}}",
            "{'method':'thread/tokenUsage/updated','params':{'threadId':'@','tokenUsage':{'total':{'inputTokens':#}}}}",
            "{'method':'item/commandExecution/requestApproval','id':'@','params':{'itemId':'@','command':'@'}}",
            "{'method':'item/fileChange/requestApproval','id':~,'params':{'itemId':'@','grantRoot':'@'}}"));
  }

  private static List<String> codexExec() {
    return List.of(
        "{'type':'@'}",
        "{'type':'item.started','item':{'id':'@','type':'command_execution','command':'@'}}",
        "{'type':'item.updated','item':{'id':'@','type':'agent_message','text':'@'}}",
        "{'type':'item.updated','item':{'type':'reasoning','text':'@'}}",
        "{'type':'item.updated','item':{'id':'@','type':'@'}}",
        "{'type':'thread.started','thread_id':'@'}");
  }

  private static Spoken clientProtocol() {
    String update = "{'method':'session/update','params':{'update':{%s}}}";
    return new Spoken(
        "client protocol",
        () -> ClientProtocolTalks.continued("s-1"),
        List.of(
            "{'id':1,'result':{'protocolVersion':1,'agentCapabilities':{'loadSession':true}}}",
            "{'id':2,'result':{}}"),
        List.of(
            "{'method':'@'}",
            update.formatted("'sessionUpdate':'@'"),
            update.formatted(
                "'sessionUpdate':'tool_call','toolCallId':'@','title':'@','rawInput':{'a':~}"),
            update.formatted(
                "'sessionUpdate':'tool_call','toolCallId':'@','rawOutput':'@','rawInput':{'a':'@'}"),
            update.formatted(
                "'sessionUpdate':'tool_call','toolCallId':'@','kind':'edit','locations':[{'path':'@'}]"),
            update.formatted(
                "'sessionUpdate':'tool_call','toolCallId':'@','title':'todowrite','rawInput':{'todos':[{'content':'@'}]}"),
            update.formatted(
                "'sessionUpdate':'agent_message_chunk','messageId':'@','content':{'type':'text','text':'@'}"),
            "{'id':'@','method':'session/request_permission','params':{'toolCall':{'toolCallId':'@','rawInput':{'a':~}},'options':[{'optionId':'@','name':'@','kind':'@'}]}}"));
  }

  /// What is repeated of an old conversation before its session is open.
  private static Spoken repeated() {
    return new Spoken(
        "repeated",
        () -> ClientProtocolTalks.continued("s-1"),
        List.of("{'id':1,'result':{'protocolVersion':1,'agentCapabilities':{'loadSession':true}}}"),
        List.of(
            "{'method':'session/update','params':{'update':{'sessionUpdate':'user_message_chunk','content':{'type':'text','text':'@'}}}}"));
  }

  private static Spoken gemini() {
    return Spoken.of(
        "gemini",
        () -> new GeminiStream("a/", null),
        List.of(
            "{'type':'@'}",
            "{'type':'tool_use','tool_id':'@','tool_name':'@','parameters':{'a':~}}",
            "{'type':'tool_use','tool_id':'@','tool_name':'write_file','parameters':{'file_path':'@'}}",
            "{'type':'tool_use','tool_id':'@','tool_name':'write_todos','parameters':{'todos':[{'text':'@'}]}}",
            "{'type':'tool_result','tool_id':'@','output':'@'}",
            "{'type':'message','role':'assistant','content':'@','delta':true}"));
  }

  private static Spoken qwen() {
    return Spoken.of(
        "qwen",
        () -> new QwenStream("a/", null),
        List.of(
            "{'type':'@'}",
            "{'type':'assistant','message':{'content':[{'type':'tool_use','id':'@','name':'@','input':{'a':~}}]}}",
            "{'type':'assistant','message':{'content':[{'type':'text','text':'@'},{'type':'@'}]}}",
            "{'type':'user','message':{'content':[{'type':'tool_result','tool_use_id':'@','content':'@'}]}}"));
  }

  private static Spoken copilot() {
    return Spoken.of(
        "copilot",
        () -> new CopilotStream("a/"),
        List.of(
            "{'type':'@'}",
            "{'type':'tool.execution_start','data':{'toolCallId':'@','toolName':'@','arguments':{'a':~}}}",
            "{'type':'tool.execution_complete','data':{'toolCallId':'@','success':true,'result':{'content':'@'},'fileEdits':[{'path':'@','kind':'edit'}]}}",
            "{'type':'assistant.message_delta','data':{'deltaContent':'@'}}",
            "{'type':'session.error','data':{'message':'@'}}"));
  }

  private static Spoken opencode() {
    return Spoken.of(
        "opencode",
        () -> new OpencodeStream("a/", null),
        List.of(
            "{'type':'@'}",
            "{'type':'tool_use','part':{'callID':'@','tool':'@','state':{'status':'running','input':{'a':~}}}}",
            "{'type':'tool_use','part':{'callID':'@','tool':'edit','state':{'status':'running','input':{'filePath':'@'}}}}",
            "{'type':'text','sessionID':'@','part':{'text':'@'}}",
            "{'type':'error','error':{'name':'@','data':{'message':'@'}}}"));
  }

  private static Spoken pi() {
    return new Spoken(
        "pi",
        PiTalks::fresh,
        List.of(),
        List.of(
            "{'type':'@'}",
            "{'type':'tool_execution_start','toolCallId':'@','toolName':'@','args':{'a':~}}",
            "{'type':'tool_execution_start','toolCallId':'@','toolName':'edit','args':{'path':'@'}}",
            "{'type':'tool_execution_end','toolCallId':'@','result':{'content':[{'type':'text','text':'@'}]}}",
            "{'type':'message_update','assistantMessageEvent':{'type':'text_delta','delta':'@'}}",
            "{'type':'response','command':'prompt','id':'@','success':false,'error':'@'}",
            "{'type':'extension_ui_request','id':'@','method':'select'}"));
  }

  /// Those of the runner, from its folder or, once it is packaged, from its jar.
  private static List<Class<?>> classes() throws IOException, URISyntaxException {
    Path place =
        Path.of(
            InteractiveProtocol.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      return classes(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return classes(jar.getPath("/"));
    }
  }

  private static List<Class<?>> classes(Path root) throws IOException {
    List<Class<?>> classes = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        String name = root.relativize(file).toString().replace('/', '.').replace(".class", "");
        if (!name.endsWith("package-info") && !name.equals("module-info")) {
          classes.add(load(name));
        }
      }
    }
    return classes;
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, ProtocolMemoryTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(name, e);
    }
  }
}
