package dev.runyard.local.rights;

import dev.runyard.local.rights.Policy.Verdict;
import dev.runyard.local.template.Blueprint;
import dev.runyard.local.template.RoleDeclaration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The rights of every role of the stack, by the role's name.
///
/// @param names logical ids by ARN, for messages that say what to write in the template
public record Rights(Map<String, Policy> roles, Map<String, String> names) {

  public Rights {
    roles = Map.copyOf(roles);
    names = Map.copyOf(names);
  }

  /// A right of a role.
  public record Held(String role, Permission permission) {

    /// Role, action and resource.
    public String name() {
      return "%s %s %s".formatted(role, permission.action(), permission.resource());
    }

    @Override
    public String toString() {
      return name() + " (" + permission.origin() + ")";
    }
  }

  /// Reads the policies of the template; throws for one that cannot be evaluated.
  public static Rights of(Blueprint blueprint) {
    Map<String, Policy> roles = new LinkedHashMap<>();
    for (RoleDeclaration role : blueprint.roles()) {
      List<Permission> permissions = new ArrayList<>();
      role.documents().forEach(document -> permissions.addAll(Statements.read(document)));
      roles.put(role.name(), new Policy(permissions));
    }
    return new Rights(roles, blueprint.arns());
  }

  Policy policy(String role) {
    return roles.getOrDefault(role, Policy.NOTHING);
  }

  public boolean grants(Call call) {
    return policy(call.role()).verdict(call) == Verdict.GRANTED;
  }

  /// Every right the template grants, without those that SAM adds by itself and denials.
  public List<Held> given() {
    List<Held> given = new ArrayList<>();
    roles.forEach(
        (role, policy) ->
            policy.permissions().stream()
                .filter(permission -> permission.allows() && !permission.implied())
                .forEach(permission -> given.add(new Held(role, permission))));
    return given;
  }

  /// These rights without one.
  public Rights without(Held gone) {
    Map<String, Policy> left = new LinkedHashMap<>(roles);
    left.put(gone.role(), policy(gone.role()).without(gone.permission()));
    return new Rights(left, names);
  }

  /// The rights without which all granted calls would still be granted.
  public List<Held> unneeded(Collection<Call> calls) {
    List<Call> granted = calls.stream().filter(this::grants).toList();
    return given().stream().filter(held -> without(held).missing(granted).isEmpty()).toList();
  }

  /// What the template lacks for these calls, each with what to write there.
  public List<String> missing(Collection<Call> calls) {
    return calls.stream()
        .filter(call -> !grants(call))
        .map(call -> explain(call))
        .distinct()
        .sorted()
        .toList();
  }

  /// Why a call is refused, and which line would grant it.
  public String explain(Call call) {
    String refused = call.role() + " may not " + call.action() + " on " + resource(call);
    return policy(call.role()).verdict(call) == Verdict.DENIED
        ? refused + ": a statement of template.yaml denies it"
        : refused + ": add to the policies of " + call.role() + " in template.yaml: " + line(call);
  }

  private String line(Call call) {
    String condition =
        call.facts().isEmpty()
            ? ""
            : ", under its condition on " + String.join(", ", call.facts().keySet());
    return "{ Effect: Allow, Action: \"%s\", Resource: %s }%s"
        .formatted(call.action(), resource(call), condition);
  }

  private String resource(Call call) {
    String arn = call.resource();
    return names.keySet().stream()
        .filter(known -> arn.equals(known) || arn.startsWith(known + "/"))
        .findFirst()
        .map(known -> reference(names.getOrDefault(known, ""), arn.substring(known.length())))
        .orElse('"' + arn + '"');
  }

  /// An object's key is not repeated: it is data.
  private static String reference(String id, String rest) {
    if (rest.isEmpty()) {
      return "!GetAtt " + id + ".Arn";
    }
    return "!Sub \"${" + id + ".Arn}" + (rest.startsWith("/index/") ? rest : "/*") + '"';
  }
}
