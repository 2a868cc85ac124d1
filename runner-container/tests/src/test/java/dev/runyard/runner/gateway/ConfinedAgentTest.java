package dev.runyard.runner.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.core.agent.ModelApi;
import dev.runyard.core.agent.ModelRoute;
import dev.runyard.core.agent.Prices;
import dev.runyard.core.event.ModelNotice;
import dev.runyard.core.request.RunBounds;
import dev.runyard.core.usage.Usage;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// An agent whose network is limited, and whose provider would reach servers for it. In its bodies
/// `'` stands for a quotation mark.
@Execution(ExecutionMode.CONCURRENT)
final class ConfinedAgentTest {
  private static final String GEMINI = "/v1beta/models/m:generateContent";
  private static final String COUNT = "/v1beta/models/m:countTokens";
  private static final String CALL = "{'model':'m'%s}";
  private static final int DEEP = 900;

  private final GatewayRig rig = new GatewayRig();
  private final GatewayRig other = new GatewayRig();
  private final FakeProvider provider;
  private final AttemptEndpoint confined;
  private final AttemptEndpoint open;

  ConfinedAgentTest() throws IOException {
    provider = FakeProvider.answering(200, "application/json", Answers.whole(ModelApi.MESSAGES));
    open = other.gateway.open(GatewayRig.grant(ModelApi.MESSAGES, provider.origin()));
    confined =
        rig.gateway.open(
            new ModelGrant(
                new ModelRoute(ModelApi.MESSAGES, provider.origin()),
                Optional.of(GatewayRig.KEY),
                new CallTerms(Set.of(), true),
                Prices.NONE,
                RunBounds.NONE,
                Usage.NONE));
  }

  @AfterEach
  void stop() throws IOException {
    open.close();
    confined.close();
    provider.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "server_url|'tools':[{'type':'mcp','server_url':'https://evil.example/'}]",
        "connector_id|'tools':[{'connector_id':'connector_gmail','type':'function'}]",
        "web_search|'tools':[{'type':'function','name':'f'},{'type':'web_search'}]",
        "web_search_preview_2025_03_11|'tools':[{'type':'web_search_preview_2025_03_11'}]",
        "file_search|'tools':[{'type':'file_search','vector_store_ids':['x']}]",
        "code_interpreter|'tools':[{'type':'code_interpreter','container':{'type':'auto'}}]",
        "computer_use_preview|'tools':[{'type':'computer_use_preview'}]",
        "image_generation|'tools':[{'type':'image_generation'}]",
        "shell|'tools':[{'type':'shell'}]",
        "environment|'tools':[{'type':'shell','environment':{'type':'container_auto'}}]",
        "environment|'tools':[{'type':'shell','environment':{'type':'local','type':'x'}}]",
        "shell|'tools':[{'type':'shell','environment':'container_auto'}]",
        "without a type|'tools':[{'name':'f'}]",
        "without a type|'tools':[{'type':'function','type':'mcp'}]",
        "without a type|'tools':[{'type':'mcp','type':'function'}]",
        "spelling|'tools':[{'type':'function','Type':'mcp'}]",
        "spelling|'tools':[{'TYPE':'mcp'}]",
        "spelling|'tools':[{'type':'\\u006dcp'}]",
        "spelling|'tools':[{'type':['mcp']}]",
        "mcp|'tools':[],'tools':[{'type':'mcp'}]",
        "mcp|'tools':[{'type':'mcp'}],'tools':[]",
        "mcp|'Tools':[{'type':'mcp'}]",
        "mcp|'tool\\u0073':[{'type':'mcp'}]",
        "mcp|'tool\\u017f':[{'type':'mcp'}]",
        "form of tools|'tools':{'type':'mcp'}",
        "form of tools|'tools':[[{'type':'mcp'}]]",
        "mcp|'tools':[{'type':'namespace','name':'n','tools':[{'type':'mcp'}]}]",
        "mcp|'input':[{'type':'tool_search_output','tools':[{'type':'mcp'}]}]",
        "mcp|'input':[{'type':'additional_tools','role':'developer','tools':[{'type':'mcp'}]}]",
        "image_url|'input':[{'role':'user','content':[{'type':'input_image','image_url':'https://evil.example/x'}]}]",
        "image_url|'input':[{'role':'user','content':[{'image_url':'HTTPS://evil.example/x'}]}]",
        "image_url|'input':[{'role':'user','content':[{'image_url':'\\u0068ttps:x'}]}]",
        "image_url|'input':[{'role':'user','content':[{'image_url':' data:,x'}]}]",
        "image_url|'input':[{'role':'user','content':[{'image\\u005furl':'gs://x'}]}]",
        "file_url|'input':[{'role':'user','content':[{'type':'input_file','file_url':'https://evil.example'}]}]",
        "image_url|'input':[{'type':'function_call_output','call_id':'c','output':[{'image_url':'https://evil.example'}]}]",
        "image_url|'input':[{'type':'computer_call_output','output':{'image_url':'https://evil.example'}}]",
        "item_reference|'input':[{'type':'item_reference','id':'msg_1'}]",
        "item_reference|'input':[{'id':'msg_1'}]",
        "previous_response_id|'previous_response_id':'resp_1'",
        "conversation|'conversation':{'id':'conv_1'}",
        "prompt|'prompt':{'id':'pmpt_1'}",
      })
  void reachesNoServerThroughItsProvider(String member, String body) throws Exception {
    refuses("/v1/responses", CALL.formatted("," + body), member);
    refuses("/v1/responses/compact", CALL.formatted("," + body), member);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "mcp_servers|'mcp_servers':[{'type':'url','url':'https://evil.example'}]",
        "mcpServers|'mcpServers':[{'type':'url'}]",
        "web_search_20250305|'tools':[{'name':'a'},{'type':'web_search_20250305','name':'web_search'}]",
        "web_fetch_20250910|'tools':[{'type':'web_fetch_20250910','name':'web_fetch'}]",
        "code_execution_20250825|'tools':[{'type':'code_execution_20250825'}]",
        "mcp_toolset|'tools':[{'type':'mcp_toolset','mcp_server_name':'x'}]",
        "bash_x|'tools':[{'type':'bash_x'}]",
        "container|'container':'c_1'",
        "container|'container':{'skills':[]}",
        "source.url|'messages':[{'role':'user','content':[{'type':'image','source':{'type':'url','url':'https://evil.example'}}]}]",
        "source.url|'messages':[{'role':'user','content':[{'type':'image','source':{'type':'base64','url':'https://evil.example'}}]}]",
        "source.type|'messages':[{'content':[{'source':{'type':'base64','type':'url'},'type':'document'}]}]",
        "source.type|'messages':[{'content':[{'Source':{'type':'url'}}]}]",
        "spelling|'messages':[{'content':[{'source':{'Type':'url'}}]}]",
        "source.type|'messages':[{'content':[{'type':'tool_result','content':[{'type':'document','source':{'type':'url'}}]}]}]",
        "source.type|'messages':[{'content':[{'type':'document','source':{'type':'content','content':[{'type':'image','source':{'type':'url'}}]}}]}]",
      })
  void leadsNoProviderOfMessagesElsewhere(String member, String body) throws Exception {
    refuses("/v1/messages", CALL.formatted("," + body), member);
    refuses("/v1/messages/count_tokens", CALL.formatted("," + body), member);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "web_search_options|'web_search_options':{}",
        "search_parameters|'search_parameters':{'mode':'on'}",
        "plugins|'plugins':[{'id':'web'}]",
        "data_sources|'data_sources':[{'type':'azure_search'}]",
        "enable_search|'extra_body':{'enable_search':true}",
        "web_search|'tools':[{'type':'web_search'}]",
        "builtin_function|'tools':[{'type':'builtin_function','function':{'name':'$web_search'}}]",
        "image_url|'messages':[{'role':'user','content':[{'type':'image_url','image_url':'https://evil.example'}]}]",
        "url|'messages':[{'role':'user','content':[{'type':'image_url','image_url':{'url':'https://evil.example'}}]}]",
        "url|'messages':[{'role':'user','content':[{'image_url':{'url':'data:,','url':'http://evil.example'}}]}]",
        "file_data|'messages':[{'role':'user','content':[{'type':'file','file':{'file_data':'https://evil.example'}}]}]",
        "data|'messages':[{'role':'user','content':[{'type':'input_audio','input_audio':{'data':'https://evil.example'}}]}]",
        "video|'messages':[{'role':'user','content':[{'type':'video','video':['data:,','https://evil.example']}]}]",
      })
  void leadsNoProviderOfChatsElsewhere(String member, String body) throws Exception {
    refuses("/v1/chat/completions", CALL.formatted("," + body), member);
  }

  @Test
  void callsNoModelThatSearchesForItsName() throws Exception {
    refuses("/v1/chat/completions", "{'model':'m:online'}", ":online");
    refuses("/v1/chat/completions", "{'model':'m','models':['n:Online']}", ":online");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "googleSearch|'tools':[{'googleSearch':{}}]",
        "google_search|'tools':[{'functionDeclarations':[]},{'google_search':{}}]",
        "urlContext|'tools':[{'functionDeclarations':[],'urlContext':{}}]",
        "codeExecution|'tools':[{'codeExecution':{}}]",
        "retrieval|'tools':[{'retrieval':{'externalApi':{'endpoint':'https://evil.example'}}}]",
        "form of tools|'tools':{'googleSearch':{}}",
        "cachedContent|'cachedContent':'cachedContents/x'",
        "fileData|'contents':[{'parts':[{'fileData':{'fileUri':'https://evil.example'}}]}]",
        "file_data|'contents':[{'parts':[{'file_data':{'file_uri':'gs://evil/x'}}]}]",
        "FileData|'contents':[{'parts':[{'FileData':{}}]}]",
        "fileData|'systemInstruction':{'parts':[{'fileData':{}}]}",
        "fileData|'contents':[{'parts':[{'functionResponse':{'response':{},'parts':[{'fileData':{}}]}}]}]",
        "fileData|'generateContentRequest':{'contents':[{'parts':[{'fileData':{}}]}]}",
      })
  void leadsNoGeminiElsewhere(String member, String body) throws Exception {
    refuses(GEMINI, "{" + body + "}", member);
    refuses(COUNT, "{" + body + "}", member);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'mcp_servers':[],'container':null,'previous_response_id':null,'background':false",
        "'tools':[{'type':'function','name':'f','parameters':{'properties':{'tools':{'type':'mcp'},'image_url':{'default':'https://a.example'}}}}]",
        "'tools':[{'type':'custom','name':'c','format':{'type':'grammar','syntax':'lark','definition':'x'}},{'type':'local_shell'},{'type':'apply_patch'},{'type':'tool_search','execution':'client'}]",
        "'tools':[{'type':'shell','environment':{'type':'local'}}],'tool_choice':'auto'",
        "'tools':[{'type':'namespace','name':'n','tools':[{'type':'function','name':'f'}]}]",
        "'input':'see https://a.example','metadata':{'image_url':'https://a.example'},'client_metadata':{'url':'x'}",
        "'input':[{'type':'function_call','call_id':'c','arguments':'{\\'url\\':\\'https://a.example\\'}'},{'type':'function_call_output','call_id':'c','output':'https://a.example'}]",
        "'input':[{'type':'tool_search_call','arguments':{'tools':[{'type':'mcp'}],'image_url':'https://a.example'}}]",
        "'input':[{'role':'assistant','content':[{'type':'output_text','text':'x','annotations':[{'type':'url_citation','url':'https://a.example'}]}]}]",
        "'input':[{'type':'web_search_call','action':{'type':'open_page','url':'https://a.example'}},{'type':'local_shell_call','action':{'type':'exec','env':{'BASE_URL':'https://a.example'}}}]",
        "'input':[{'role':'user','content':[{'type':'input_image','image_url':'data:image/png;base64,AA=='},{'type':'input_file','file_id':'file_1','file_data':'DATA:x,y'}]}]",
        "'text':{'format':{'type':'json_schema','schema':{'properties':{'plugins':{'type':'string'}}}}},'prompt_cache_key':'k','include':['reasoning.encrypted_content']",
      })
  void callsResponsesAsEver(String body) throws Exception {
    passes("/v1/responses", CALL.formatted("," + body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'tools':[{'name':'WebFetch','input_schema':{'properties':{'url':{'type':'url'},'source':{'type':'url'}}}},{'type':'custom','name':'c'},{'type':null,'name':'d'}]",
        "'tools':[{'type':'bash_20250124','name':'bash'},{'type':'text_editor_20250728'},{'type':'memory_20250818'},{'type':'computer_20251124'},{'type':'tool_search_tool_regex_20251119'}]",
        "'messages':[{'role':'assistant','content':[{'type':'tool_use','id':'i','name':'n','input':{'mcp_servers':[1],'source':{'type':'url','url':'https://a.example'},'tools':[{'type':'mcp'}]}}]}]",
        "'messages':[{'role':'user','content':[{'type':'tool_result','tool_use_id':'i','content':'{\\'image_url\\':\\'https://a.example\\'}'}]}]",
        "'messages':[{'role':'user','content':[{'type':'image','source':{'type':'base64','media_type':'image/png','data':'AA=='}},{'type':'document','source':{'type':'text','media_type':'text/plain','data':'https://a.example'}},{'type':'document','source':{'type':'file','file_id':'f'}}]}]",
        "'messages':[{'role':'user','content':[{'type':'search_result','source':'https://a.example','title':'t','content':[{'type':'text','text':'x'}]}]}]",
        "'metadata':{'user_id':'u'},'context_management':{'edits':[{'type':'clear_thinking_20251015','keep':'all'}]},'thinking':{'type':'enabled'}",
      })
  void callsMessagesAsEver(String body) throws Exception {
    passes("/v1/messages", CALL.formatted("," + body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'tools':[{'type':'function','function':{'name':'f','parameters':{'properties':{'plugins':{},'data_sources':{}}}}}],'tool_choice':{'type':'allowed_tools','allowed_tools':{'tools':[{'type':'function','function':{'name':'f'}}]}}",
        "'messages':[{'role':'assistant','tool_calls':[{'type':'function','function':{'name':'f','arguments':'{\\'url\\':\\'https://a.example\\'}'}}]},{'role':'tool','content':'https://a.example'}]",
        "'messages':[{'role':'user','content':[{'type':'image_url','image_url':{'url':'data:image/png;base64,AA==','detail':'auto'}},{'type':'file','file':{'filename':'a.pdf','file_data':'A\\/+='}}]}],'audio':{'voice':'alloy','format':'wav'}",
        "'response_format':{'type':'json_schema','json_schema':{'name':'n','schema':{'properties':{'tools':{'type':'array'}}}}},'stream_options':{'include_usage':true}",
      })
  void callsChatsAsEver(String body) throws Exception {
    passes("/v1/chat/completions", CALL.formatted("," + body));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'tools':[{'functionDeclarations':[{'name':'f','parametersJsonSchema':{'properties':{'tools':{},'fileData':{}}},'response':{'fileData':{}}}]},{'function_declarations':[]}],'cachedContent':null",
        "'contents':[{'role':'model','parts':[{'functionCall':{'name':'f','args':{'fileData':{'fileUri':'https://a.example'}}}}]},{'role':'user','parts':[{'functionResponse':{'name':'f','response':{'tools':{},'fileUri':'https://a.example'}}}]}]",
        "'contents':[{'role':'user','parts':[{'inlineData':{'mimeType':'image/png','data':'AA=='}},{'text':'https://a.example'}]}],'generationConfig':{'responseSchema':{'properties':{'plugins':{}}}}",
      })
  void callsGeminiAsEver(String body) throws Exception {
    passes(GEMINI, "{" + body + "}");
    passes(COUNT, "{" + body + "}");
  }

  @Test
  void mayWriteDeepAndLongArguments() throws Exception {
    String deep = "[".repeat(DEEP) + "]".repeat(DEEP);
    passes("/v1/messages", CALL.formatted(",'other':" + deep));
    passes(
        "/v1/chat/completions",
        CALL.formatted(",'image_url':'data:,%s'".formatted("a".repeat(1 << 24))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain",
        "application/x-protobuf",
        "application/json; charset=utf-7",
        "application/json, text/plain",
      })
  void sendsNothingThatItsProviderCouldReadInAnotherWay(String type) throws Exception {
    String answer =
        GatewayRig.raw(
            confined,
            "POST %s%s HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"
                .formatted(GatewayRig.path(confined), GEMINI, type));

    assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
    for (String body : List.of("", "[]", "{'a':1", "{} {}", "{'a':tru}", "\uFEFF{}")) {
      assertEquals(400, rig.post(confined, GEMINI, quoted(body)).statusCode(), body);
    }
    assertEquals(List.of(), provider.seen());
  }

  private void refuses(String path, String body, String member) throws Exception {
    HttpResponse<byte[]> refused = rig.post(confined, path, quoted(body));

    String text = new String(refused.body(), StandardCharsets.UTF_8);
    assertEquals(400, refused.statusCode(), text);
    assertTrue(text.contains(member), text);
    assertEquals(List.of(), provider.seen());
    ModelNotice.ModelFailed told = GatewayRig.until(confined, ModelNotice.ModelFailed.class);
    assertEquals("network_limited", told.code());
    assertEquals(200, other.post(open, path, quoted(body)).statusCode(), "where it is open");
    provider.seen().clear();
  }

  private void passes(String path, String body) throws Exception {
    HttpResponse<byte[]> answer = rig.post(confined, path, quoted(body));

    assertEquals(200, answer.statusCode(), () -> new String(answer.body(), StandardCharsets.UTF_8));
    assertEquals(quoted(body), provider.seen().getLast().text());
  }

  private static String quoted(String body) {
    return body.replace("\\'", "\\\"").replace('\'', '"');
  }
}
