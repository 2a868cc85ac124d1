package dev.runyard.core.submit;

import dev.runyard.core.agent.AgentError;
import dev.runyard.core.agent.AgentKind;
import dev.runyard.core.agent.AgentManifest;
import dev.runyard.core.agent.Capabilities;
import dev.runyard.core.agent.GitServers;
import dev.runyard.core.agent.Grants;
import dev.runyard.core.agent.RequestSecrets;
import dev.runyard.core.ids.RunKey;
import dev.runyard.core.json.JsonFields;
import dev.runyard.core.limits.Bounds;
import dev.runyard.core.limits.Limits;
import dev.runyard.core.problem.ProblemCode;
import dev.runyard.core.request.GitAddress;
import dev.runyard.core.request.WorkspaceRequest;
import dev.runyard.core.request.WorkspaceSource;
import dev.runyard.core.upload.UploadId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the workspace of a submit. What cannot be had here, or is not allowed, is refused before
/// the run is queued.
final class WorkspaceReader {
  static final String MEMBER = "workspace";

  private static final String GIT = "git";
  private static final String UPLOAD = "upload";
  private static final String SESSION = "session";
  private static final String RUN = "run";
  private static final String NONE = "none";
  private static final String SETUP = "setup";
  private static final String SETUP_TIMEOUT = "setup_timeout_seconds";
  private static final String ARTIFACTS = "artifacts";
  private static final String ARCHIVE = "archive";
  private static final String CREDENTIAL = "credential";
  private static final String SPARSE = "sparse";
  private static final String LFS = "lfs";
  private static final List<String> SOURCES = List.of(GIT, UPLOAD, SESSION, RUN, NONE);

  private static final Set<String> MEMBERS =
      Set.of(
          GIT,
          UPLOAD,
          SESSION,
          RUN,
          NONE,
          SETUP,
          SETUP_TIMEOUT,
          ARTIFACTS,
          ARCHIVE,
          PublishReader.MEMBER);

  private static final Set<String> UPLOAD_MEMBERS = Set.of("id");
  private static final Set<String> GIT_MEMBERS =
      Set.of("url", "ref", "depth", SPARSE, "submodules", LFS, CREDENTIAL);

  private WorkspaceReader() {}

  /// @param grants what the operator allows of the agent
  static @Nullable WorkspaceRequest read(
      JsonFields members, AgentManifest manifest, Grants grants) {
    if (!members.has(MEMBER)) {
      return null;
    }
    if (!manifest.capabilities().contains(Capabilities.WORKSPACE)) {
      members.refuse(
          ProblemCode.UNSUPPORTED_CAPABILITY,
          MEMBER,
          new AgentError.UnsupportedCapability(manifest.kind(), Capabilities.WORKSPACE).display());
    }
    JsonFields workspace = members.object(MEMBER, MEMBERS);
    List<String> named = SOURCES.stream().filter(workspace::has).toList();
    if (named.size() != 1) {
      members.refuse(MEMBER, "A workspace must have exactly one of " + String.join(", ", SOURCES));
      return null;
    }
    String source = named.getFirst();
    WorkspaceSource from = source(workspace, source, manifest.kind(), grants);
    if (source.equals(SESSION) && !members.has("session_id")) {
      workspace.refuse(SESSION, "A new session has no files. Name a session_id");
    }
    return WorkspaceRequest.of(
            from,
            setup(workspace),
            workspace.whole(
                SETUP_TIMEOUT, 1, Limits.SETUP_SECONDS_MAX, Limits.SETUP_SECONDS_DEFAULT),
            artifacts(workspace),
            workspace.flag(ARCHIVE))
        .publishing(PublishReader.read(workspace, from, manifest.kind(), grants));
  }

  private static WorkspaceSource source(
      JsonFields workspace, String source, AgentKind kind, Grants grants) {
    return switch (source) {
      case GIT -> git(workspace.object(GIT, GIT_MEMBERS), kind, grants);
      case UPLOAD -> new WorkspaceSource.Upload(upload(workspace.object(UPLOAD, UPLOAD_MEMBERS)));
      case RUN -> new WorkspaceSource.Run(run(workspace));
      case SESSION -> only(workspace, SESSION, new WorkspaceSource.Session());
      default -> only(workspace, NONE, new WorkspaceSource.None());
    };
  }

  private static WorkspaceSource only(JsonFields workspace, String name, WorkspaceSource source) {
    if (!workspace.flag(name)) {
      workspace.refuse(name, name + " must be true, or absent");
    }
    return source;
  }

  private static String upload(JsonFields upload) {
    String id = upload.requiredText("id");
    if (UploadId.parse(id).isEmpty()) {
      upload.refuse("id", "id must be the upload_id of an upload");
    }
    return id;
  }

  private static String run(JsonFields workspace) {
    String run = workspace.requiredText(RUN);
    if (!RunKey.isRunId(run)) {
      workspace.refuse(RUN, "run must be the id of a run");
    }
    return run;
  }

  private static WorkspaceSource git(JsonFields git, AgentKind kind, Grants grants) {
    Optional<GitAddress> address = GitAddress.read(git.requiredText("url"));
    if (address.isEmpty()) {
      git.refuse("url", GitAddress.EXPECTED);
    }
    Optional<String> ref = git.text("ref");
    if (ref.filter(GitRefs::isAllowed).isEmpty() && ref.isPresent()) {
      git.refuse("ref", "ref must be the name of a branch or a tag, or a whole commit id");
    }
    address.ifPresent(found -> host(git, found, kind, grants));
    return new WorkspaceSource.Git(
        address.map(GitAddress::url).orElse(""),
        ref.orElse(null),
        git.whole("depth", 0, Limits.GIT_DEPTH_MAX, 1),
        sparse(git),
        git.flag("submodules"),
        git.flag(LFS),
        credential(git, kind, grants).orElse(null));
  }

  /// A secret would otherwise go to whichever server the request names.
  private static void host(JsonFields git, GitAddress address, AgentKind kind, Grants grants) {
    GitServers servers = grants.gitServers();
    if (!servers.allow(address)) {
      git.refuse(
          "url",
          "Repositories for %s come only from servers that the operator lists as %s in the agents file"
              .formatted(kind.name(), GitServers.HOSTS));
    }
    if (git.has(CREDENTIAL) && !servers.list(address)) {
      git.refuse(
          CREDENTIAL,
          "A credential is sent only to servers that the operator lists as %s in the agents file"
              .formatted(GitServers.HOSTS));
    }
    if (address.ssh()) {
      ssh(git, address, servers);
    }
  }

  private static void ssh(JsonFields git, GitAddress address, GitServers servers) {
    if (!git.has(CREDENTIAL)) {
      git.refuse(CREDENTIAL, "An address of ssh needs a credential: a secret with a private key");
    } else if (servers.keysOf(address).isEmpty()) {
      git.refuse(
          "url",
          "A server of ssh is trusted only if the operator lists its host key as %s in the agents file"
              .formatted(GitServers.KEYS));
    }
  }

  private static Optional<String> credential(JsonFields git, AgentKind kind, Grants grants) {
    Optional<String> name = git.text(CREDENTIAL);
    if (name.isPresent() && !grants.secrets().allows(name.get())) {
      git.refuse(CREDENTIAL, RequestSecrets.refusal(kind));
    }
    return name;
  }

  private static List<String> sparse(JsonFields git) {
    List<String> paths = git.texts(SPARSE, Limits.SPARSE_PATHS_MAX);
    for (int i = 0; i < paths.size(); i++) {
      if (Bounds.bytes(paths.get(i)) > Limits.SPARSE_PATH_BYTES_MAX
          || !SparsePaths.isAllowed(paths.get(i))) {
        git.refuseItem(SPARSE, i, SparsePaths.EXPECTED);
      }
    }
    return paths;
  }

  private static List<String> setup(JsonFields workspace) {
    List<String> commands = workspace.texts(SETUP, Limits.SETUP_COMMANDS_MAX);
    for (int i = 0; i < commands.size(); i++) {
      if (commands.get(i).isBlank()
          || Bounds.bytes(commands.get(i)) > Limits.SETUP_COMMAND_BYTES_MAX) {
        workspace.refuseItem(
            SETUP,
            i,
            "A command must not be blank and have at most %d bytes"
                .formatted(Limits.SETUP_COMMAND_BYTES_MAX));
      }
    }
    return commands;
  }

  private static List<String> artifacts(JsonFields workspace) {
    List<String> patterns = workspace.texts(ARTIFACTS, Limits.ARTIFACT_PATTERNS_MAX);
    for (int i = 0; i < patterns.size(); i++) {
      if (!ArtifactPatterns.isAllowed(patterns.get(i))) {
        workspace.refuseItem(ARTIFACTS, i, ArtifactPatterns.EXPECTED);
      }
    }
    return patterns;
  }
}
