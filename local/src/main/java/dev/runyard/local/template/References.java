package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;

/// The values of `Ref` and `Fn::GetAtt`: CloudFormation's return values, for this machine.
public interface References {
  /// The value of `Ref name`, where `name` is a parameter, a pseudo parameter or a resource.
  /// `AWS::NoValue` is the missing node.
  JsonNode ref(String name);

  JsonNode attribute(String logicalId, String attribute);
}
