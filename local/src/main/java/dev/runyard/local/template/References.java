package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;

/// What `Ref` and `Fn::GetAtt` answer: CloudFormation's return values, as this machine has them.
public interface References {
  /// The value of `Ref name`, where `name` is a parameter, a pseudo parameter or a resource.
  /// `AWS::NoValue` is the missing node.
  JsonNode ref(String name);

  JsonNode attribute(String logicalId, String attribute);
}
