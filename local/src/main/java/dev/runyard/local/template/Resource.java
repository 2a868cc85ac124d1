package dev.runyard.local.template;

import com.fasterxml.jackson.databind.JsonNode;

/// One resource of the template whose condition holds. Its properties still contain their intrinsic
/// functions, because some of them name values that exist only once the emulators run.
public record Resource(String logicalId, String type, JsonNode properties) {}
