package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;

/// A DynamoDB table. Its properties have CloudFormation's names, which for keys, indexes and
/// attributes are those of the CreateTable call.
public record TableDeclaration(String logicalId, String name, JsonNode properties) {}
