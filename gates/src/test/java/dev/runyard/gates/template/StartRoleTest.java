package dev.runyard.gates.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import java.util.Set;
import java.util.TreeSet;

/// The role in which ECS starts a runner, before the runner acts in its own. Nothing that runs here
/// calls in its name, so its rights are listed here: without any one of them no runner starts on
/// AWS, and more it need not have.
@Reads(SamTemplate.FILE)
final class StartRoleTest {
  private static final String REPOSITORIES =
      " on [RunnerRepository.Arn, arn:${AWS::Partition}:ecr:*:*:repository/*]";

  private static final String ROLE =
      """
        RunnerStartRole:
          Type: AWS::IAM::Role
          Properties:
      """;

  /// It signs in to the registry, asks which layers of the image there are, takes the manifest and
  /// the layers, and writes what the container says to a stream of its own.
  private static final Set<String> NEEDED =
      Set.of(
          "ecr:GetAuthorizationToken on [*]",
          "ecr:BatchCheckLayerAvailability" + REPOSITORIES,
          "ecr:BatchGetImage" + REPOSITORIES,
          "ecr:GetDownloadUrlForLayer" + REPOSITORIES,
          "logs:CreateLogStream on [RunnerLogs.Arn]",
          "logs:PutLogEvents on [RunnerLogs.Arn]");

  @Gate
  @Breach(
      replace = "Action: \"ecr:GetAuthorizationToken\"",
      by = "Action: []",
      named = "may not [ecr:GetAuthorizationToken on")
  @Breach(
      replace = "ecr:BatchCheckLayerAvailability, ",
      by = "",
      named = "may not [ecr:BatchCheckLayerAvailability on")
  @Breach(
      replace = "ecr:GetDownloadUrlForLayer, ",
      by = "",
      named = "may not [ecr:GetDownloadUrlForLayer on")
  @Breach(replace = ", ecr:BatchGetImage]", by = "]", named = "may not [ecr:BatchGetImage on")
  @Breach(
      replace = "[logs:CreateLogStream, logs:PutLogEvents], Resource: !GetAtt RunnerLogs.Arn",
      by = "[logs:PutLogEvents], Resource: !GetAtt RunnerLogs.Arn",
      named = "may not [logs:CreateLogStream on")
  @Breach(
      replace = "[logs:CreateLogStream, logs:PutLogEvents], Resource: !GetAtt RunnerLogs.Arn",
      by = "[logs:CreateLogStream], Resource: !GetAtt RunnerLogs.Arn",
      named = "may not [logs:PutLogEvents on")
  @Breach(
      replace = "!If [OwnImage, !GetAtt RunnerRepository.Arn,",
      by = "!If [OwnImage, !GetAtt Repository.Arn,",
      named = "may not [ecr:BatchCheckLayerAvailability on")
  void mayDoAllThatARunnersStartNeeds(Repository repository) {
    Set<String> missing = new TreeSet<>(NEEDED);
    missing.removeAll(rights(repository));
    assertEquals("may not []", "may not " + missing);
  }

  @Gate
  @Breach(
      replace = "[logs:CreateLogStream, logs:PutLogEvents], Resource: !GetAtt RunnerLogs.Arn",
      by =
          "[logs:CreateLogStream, logs:PutLogEvents, logs:DeleteLogStream], Resource: !GetAtt"
              + " RunnerLogs.Arn",
      named = "logs:DeleteLogStream")
  @Breach(
      replace = ROLE,
      by = ROLE + "      ManagedPolicyArns: [!Ref KeyPolicy]\n",
      named = "KeyPolicy")
  void mayDoNothingElse(Repository repository) {
    Set<String> others = rights(repository);
    others.removeAll(NEEDED);
    assertEquals(Set.of(), others);
  }

  /// Each action with all that it is allowed on, whichever way conditions of the template go, and
  /// each policy that stands elsewhere.
  private static Set<String> rights(Repository repository) {
    var template = SamTemplate.of(repository);
    var started = template.properties("RunnerTask").path("ExecutionRoleArn");
    Set<String> rights = new TreeSet<>();
    for (var name : SamTemplate.references(started)) {
      var role = template.properties(name);
      rights.addAll(SamTemplate.references(role.path("ManagedPolicyArns")));
      for (var policy : role.path("Policies")) {
        for (var statement : SamTemplate.branches(policy.at("/PolicyDocument/Statement"))) {
          var resources =
              SamTemplate.branches(statement.path("Resource")).stream()
                  .map(one -> one.isObject() ? one.elements().next() : one)
                  .map(one -> one.asText())
                  .toList();
          for (var action : SamTemplate.texts(statement.path("Action"))) {
            rights.add(action + " on " + resources);
          }
        }
      }
    }
    return rights;
  }
}
