package dev.runyard.core.submit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.GitForges;
import dev.runyard.core.agent.GitServers;
import dev.runyard.core.agent.Grants;
import dev.runyard.core.agent.RequestSecrets;
import dev.runyard.core.json.JsonBody;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.Problem;
import dev.runyard.core.request.GitAddress;
import dev.runyard.core.request.PublishRequest;
import dev.runyard.core.request.WorkspaceSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Reads how a change is published, as a member of a submit's workspace or as a request of its own.
/// What the operator does not allow is refused before anything is queued.
public final class PublishReader {
  static final String MEMBER = "publish";

  private static final String BRANCH = "branch";
  private static final String MESSAGE = "message";
  private static final String PUSH = "push";
  private static final String PULL_REQUEST = "pull_request";
  private static final String CREDENTIAL = "credential";
  private static final String AUTHOR = "author";
  private static final Set<String> MEMBERS =
      Set.of(BRANCH, MESSAGE, PUSH, PULL_REQUEST, CREDENTIAL, AUTHOR);
  private static final Set<String> PULL_MEMBERS = Set.of("title", "body", "base", "draft");

  private final WorkspaceSource.@Nullable Git git;
  private final AgentKind kind;
  private final Grants grants;

  /// @param git the repository; null if only the runner will know it, which then checks what is
  ///   checked of it here
  /// @param grants what the operator allows of the agent
  public PublishReader(WorkspaceSource.@Nullable Git git, AgentKind kind, Grants grants) {
    this.git = git;
    this.kind = kind;
    this.grants = grants;
  }

  /// What the body of a request turned out to be.
  public sealed interface Result {
    record Accepted(PublishRequest request, ObjectNode body) implements Result {}

    record Rejected(Problem problem) implements Result {}
  }

  /// Reads the body of a request.
  public Result read(byte[] body) {
    return switch (JsonBody.read(body)) {
      case JsonBody.Result.Rejected rejected -> new Result.Rejected(rejected.problem());
      case JsonBody.Result.Read read -> {
        JsonFields members = JsonFields.of(read.object(), MEMBERS);
        PublishRequest request = read(members);
        yield members
            .problem()
            .<Result>map(Result.Rejected::new)
            .orElseGet(() -> new Result.Accepted(request, read.object()));
      }
    };
  }

  /// Reads the member of a workspace; null if there is none.
  static @Nullable PublishRequest read(
      JsonFields workspace, WorkspaceSource source, AgentKind kind, Grants grants) {
    if (!workspace.has(MEMBER)) {
      return null;
    }
    return switch (source) {
      case WorkspaceSource.Git git ->
          new PublishReader(git, kind, grants).read(workspace.object(MEMBER, MEMBERS));
      case WorkspaceSource.Session _, WorkspaceSource.Run _ ->
          new PublishReader(null, kind, grants).read(workspace.object(MEMBER, MEMBERS));
      case WorkspaceSource.Upload _, WorkspaceSource.None _ -> {
        workspace.refuse(MEMBER, "Only what was changed in a repository (git) can be published");
        yield null;
      }
    };
  }

  private PublishRequest read(JsonFields members) {
    String branch = members.requiredText(BRANCH);
    if (!GitRefs.isAllowed(branch) || branch.equals("HEAD") || branch.startsWith("refs/")) {
      members.refuse(BRANCH, "branch must be the name of a branch, without refs/heads/");
    }
    boolean push = !members.has(PUSH) || members.flag(PUSH);
    PublishRequest.PullRequest pull = pull(members, push);
    listed(members);
    return new PublishRequest(
        branch,
        text(members, MESSAGE, Limits.COMMIT_MESSAGE_BYTES_MAX),
        push,
        pull,
        credential(members).orElse(null),
        author(members),
        null);
  }

  private PublishRequest.@Nullable PullRequest pull(JsonFields members, boolean push) {
    if (!members.has(PULL_REQUEST)) {
      return null;
    }
    JsonFields pull = members.object(PULL_REQUEST, PULL_MEMBERS);
    if (!push) {
      members.refuse(PUSH, "A pull request needs its branch to be pushed");
    }
    if (git != null && address().flatMap(grants.forges()::of).isEmpty()) {
      members.refuse(
          PULL_REQUEST,
          "Pull requests for %s go only to github.com, gitlab.com and servers that the operator names as %s in the agents file"
              .formatted(kind.name(), GitForges.MEMBER));
    }
    Optional<String> base = pull.text("base");
    if (base.isPresent() && !GitRefs.isAllowed(base.get())) {
      pull.refuse("base", "base must be the name of a branch");
    }
    return new PublishRequest.PullRequest(
        line(pull, "title", Limits.PULL_TITLE_BYTES_MAX),
        text(pull, "body", Limits.PULL_BODY_BYTES_MAX),
        base.orElse(null),
        pull.flag("draft"));
  }

  /// A change would otherwise go to whichever server the request names.
  private void listed(JsonFields members) {
    if (git == null) {
      return;
    }
    Optional<GitAddress> address = address();
    boolean named = address.filter(found -> grants.gitServers().list(found)).isPresent();
    if (!named) {
      members.refuse(
          BRANCH,
          "Changes for %s are published only to servers that the operator lists as %s in the agents file"
              .formatted(kind.name(), GitServers.HOSTS));
    }
    if (address.filter(found -> found.scheme().equals("ssh")).isPresent()) {
      members.refuse(BRANCH, "Changes are published over https only");
    }
  }

  private Optional<GitAddress> address() {
    return git == null ? Optional.empty() : GitAddress.read(git.url());
  }

  private Optional<String> credential(JsonFields members) {
    Optional<String> name =
        members.has(CREDENTIAL)
            ? members.text(CREDENTIAL)
            : Optional.ofNullable(git == null ? null : git.credential());
    if (name.isPresent() && !grants.secrets().allows(name.get())) {
      members.refuse(CREDENTIAL, RequestSecrets.refusal(kind));
    }
    if (git != null && name.isEmpty() && members.has(PULL_REQUEST)) {
      members.refuse(CREDENTIAL, "A pull request needs a credential");
    }
    return name;
  }

  private static PublishRequest.@Nullable Author author(JsonFields members) {
    if (!members.has(AUTHOR)) {
      return null;
    }
    JsonFields author = members.object(AUTHOR, Set.of("name", "email"));
    return new PublishRequest.Author(
        identity(author, "name", c -> c == '<' || c == '>'),
        identity(author, "email", c -> c == '<' || c == '>' || Character.isWhitespace(c)));
  }

  private static String identity(JsonFields author, String name, Predicate<Character> refused) {
    author.requiredText(name);
    String text = line(author, name, Limits.AUTHOR_BYTES_MAX);
    if (text != null && text.chars().anyMatch(c -> refused.test((char) c))) {
      author.refuse(name, name + " must have no < and >, and an email no blank");
    }
    return text == null ? "" : text;
  }

  /// A text of one line; null if there is none.
  private static @Nullable String line(JsonFields members, String name, int bytesMax) {
    String text = text(members, name, bytesMax);
    if (text != null && text.chars().anyMatch(Character::isISOControl)) {
      members.refuse(name, name + " must be one line");
    }
    return text;
  }

  private static @Nullable String text(JsonFields members, String name, int bytesMax) {
    Optional<String> text = members.text(name);
    if (text.isPresent()
        && (text.get().isBlank()
            || Bounds.bytes(text.get()) > bytesMax
            || text.get().chars().anyMatch(PublishReader::isControl))) {
      members.refuse(
          name,
          "%s must not be blank and have at most %d bytes, none of them a control character"
              .formatted(name, bytesMax));
    }
    return text.map(String::strip).orElse(null);
  }

  private static boolean isControl(int c) {
    return Character.isISOControl(c) && c != '\n' && c != '\t' && c != '\r';
  }
}
