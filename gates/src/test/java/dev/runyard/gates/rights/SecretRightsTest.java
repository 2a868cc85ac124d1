package dev.runyard.gates.rights;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.runyard.gates.Breach;
import dev.runyard.gates.Gate;
import dev.runyard.gates.Reads;
import dev.runyard.gates.Repository;
import dev.runyard.local.rights.Call;
import dev.runyard.local.rights.Rights;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.Template;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Who may read secrets and use the operator's key: runners the secrets that the operator lists for
/// them, the API those of hooks, and nobody anything where the operator lists none.
@Reads(SecretRightsTest.TEMPLATE)
final class SecretRightsTest {
  static final String TEMPLATE = "template.yaml";
  private static final String SECRET = "arn:aws:secretsmanager:us-east-1:1:secret:a-AbC123";
  private static final String OTHER = "arn:aws:secretsmanager:us-east-1:1:secret:b-AbC123";
  private static final String PARAMETER = "arn:aws:ssm:us-east-1:1:parameter/a";
  private static final String KEY = "arn:aws:kms:us-east-1:1:key/1";

  /// What DynamoDB wants of whoever uses a table that is encrypted with the key: S3, SQS and the
  /// services that have secrets want the first two. No emulator asks for any.
  private static final List<String> KEY_ACTIONS =
      List.of(
          "kms:Decrypt",
          "kms:GenerateDataKey",
          "kms:DescribeKey",
          "kms:Encrypt",
          "kms:ReEncryptFrom",
          "kms:ReEncryptTo");

  private static final List<String> ROLES =
      List.of(
          "AdvanceFunction",
          "ApiFunction",
          "DeliverFunction",
          "ManageFunction",
          "ProjectFunction",
          "RunnerRole",
          "StreamFunction",
          "SweepFunction");

  @Gate
  @Breach(
      in = TEMPLATE,
      replace = "              # Outputs of tools.\n",
      by =
          "              - { Effect: Allow, Action: \"ssm:GetParameter\", Resource:"
              + " \"arn:aws:ssm:eu-west-1:1:parameter/x\" }\n",
      named = "RunnerRole ssm:GetParameter")
  void grantsNothingByDefault(Repository repository) {
    assertEquals(List.of(), rights(repository, Map.of()));
  }

  @Gate
  @Breach(
      in = TEMPLATE,
      replace = "Action: \"secretsmanager:GetSecretValue\", Resource: !Ref SecretArns",
      by =
          "Action: \"secretsmanager:GetSecretValue\", Resource:"
              + " \"arn:aws:secretsmanager:eu-west-1:1:secret:x\"",
      named = "secret:x")
  void grantsRunnersExactlyWhatIsListed(Repository repository) {
    assertEquals(
        List.of(
            "RunnerRole secretsmanager:GetSecretValue " + SECRET,
            "RunnerRole secretsmanager:GetSecretValue " + OTHER,
            "RunnerRole ssm:GetParameter " + PARAMETER),
        rights(
            repository,
            Map.of("SecretArns", SECRET + "," + OTHER, "SecretParameterArns", PARAMETER)));
  }

  @Gate
  @Breach(
      in = TEMPLATE,
      replace = "Action: \"ssm:GetParameter\", Resource: !Ref HookSecretParameterArns",
      by = "Action: \"ssm:GetParameter\", Resource: !Ref SecretParameterArns",
      named = "ApiFunction ssm:GetParameter")
  void grantsTheApiWhatHooksAreSignedWith(Repository repository) {
    assertEquals(
        List.of(
            "ApiFunction secretsmanager:GetSecretValue " + SECRET,
            "ApiFunction ssm:GetParameter " + PARAMETER),
        rights(repository, Map.of("HookSecretArns", SECRET, "HookSecretParameterArns", PARAMETER)));
  }

  @Gate
  @Breach(
      in = TEMPLATE,
      replace = "ManagedPolicyArns: [!If [OwnKey, !Ref KeyPolicy, !Ref AWS::NoValue]]",
      by = "ManagedPolicyArns: []",
      named = "RunnerRole")
  @Breach(in = TEMPLATE, replace = "kms:Decrypt, ", by = "", named = "kms:Decrypt ==>")
  @Breach(
      in = TEMPLATE,
      replace = "kms:GenerateDataKey, ",
      by = "",
      named = "kms:GenerateDataKey ==>")
  @Breach(in = TEMPLATE, replace = "kms:DescribeKey, ", by = "", named = "kms:DescribeKey ==>")
  @Breach(in = TEMPLATE, replace = "kms:Encrypt, ", by = "", named = "kms:Encrypt ==>")
  @Breach(in = TEMPLATE, replace = "kms:ReEncryptFrom, ", by = "", named = "kms:ReEncryptFrom ==>")
  @Breach(in = TEMPLATE, replace = ", kms:ReEncryptTo]", by = "]", named = "kms:ReEncryptTo ==>")
  @Breach(
      in = TEMPLATE,
      replace = ", kms:ReEncryptTo]",
      by = ", kms:ReEncryptTo, kms:CreateGrant]",
      named = "kms:CreateGrant")
  void letsEachRoleUseTheOperatorsKey(Repository repository) {
    List<String> rights = rights(repository, Map.of("KmsKeyArn", KEY));
    for (String action : KEY_ACTIONS) {
      assertEquals(
          ROLES,
          rights.stream()
              .filter(right -> right.endsWith(" " + action + " " + KEY))
              .map(right -> right.split(" ", 2)[0])
              .toList(),
          action);
    }
    Set<String> actions = new TreeSet<>();
    rights.forEach(right -> actions.add(right.split(" ", 3)[1]));
    assertEquals(new TreeSet<>(KEY_ACTIONS), actions);
  }

  /// Not for bytes that somebody hands it, which may have been read elsewhere.
  @Gate
  @Breach(
      in = TEMPLATE,
      replace = "\"kms:ViaService\":",
      by = "\"ecs:cluster\":",
      named = "dynamodb")
  @Breach(
      in = TEMPLATE,
      replace = "- !Sub \"ssm.${AWS::Region}.amazonaws.com*\"",
      by = "- \"*\"",
      named = "lambda.us-east-1.amazonaws.com")
  void letsRolesUseTheOperatorsKeyThroughItsServicesAlone(Repository repository) {
    Rights rights =
        Rights.of(
            new Blueprint(Template.parse(repository.text(TEMPLATE), Map.of("KmsKeyArn", KEY))));
    for (String role : List.of("ApiFunction", "RunnerRole")) {
      for (String service : List.of("dynamodb", "s3", "secretsmanager", "sqs", "ssm")) {
        assertTrue(decrypts(rights, role, service + ".us-east-1.amazonaws.com"), service);
      }
      for (String other : List.of("lambda.us-east-1.amazonaws.com", "s3.eu-west-1.amazonaws.com")) {
        assertFalse(decrypts(rights, role, other), other);
      }
      assertFalse(rights.grants(new Call(role, "kms:Decrypt", KEY, Map.of())), role + " itself");
    }
  }

  private static boolean decrypts(Rights rights, String role, String service) {
    return rights.grants(new Call(role, "kms:Decrypt", KEY, Map.of("kms:ViaService", service)));
  }

  /// Whoever puts an object, also by an address that it has signed, needs a key for its data.
  @Gate
  @Breach(in = TEMPLATE, replace = "kms:GenerateDataKey, ", by = "", named = "kms:GenerateDataKey")
  void letsWhoeverWritesObjectsMakeKeysForThem(Repository repository) {
    Blueprint blueprint =
        new Blueprint(Template.parse(repository.text(TEMPLATE), Map.of("KmsKeyArn", KEY)));
    List<String> held = Rights.of(blueprint).given().stream().map(Rights.Held::name).toList();
    List<String> writers =
        held.stream()
            .filter(name -> name.contains(" s3:PutObject "))
            .map(name -> name.split(" ", 2)[0])
            .distinct()
            .sorted()
            .toList();
    assertEquals(List.of("ManageFunction", "RunnerRole"), writers);
    for (String role : writers) {
      for (String action : List.of("kms:Decrypt", "kms:GenerateDataKey")) {
        assertTrue(held.contains(role + " " + action + " " + KEY), role + " " + action);
      }
    }
  }

  private static List<String> rights(Repository repository, Map<String, String> parameters) {
    Blueprint blueprint = new Blueprint(Template.parse(repository.text(TEMPLATE), parameters));
    return Rights.of(blueprint).given().stream()
        .map(Rights.Held::name)
        .filter(
            name ->
                name.contains(" secretsmanager:")
                    || name.contains(" ssm:")
                    || name.contains(" kms:"))
        .sorted()
        .toList();
  }
}
