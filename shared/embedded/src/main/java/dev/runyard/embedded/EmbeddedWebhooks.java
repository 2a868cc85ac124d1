package dev.runyard.embedded;

import dev.runyard.core.webhook.Deliveries;
import dev.runyard.core.webhook.WebhookPorts;
import dev.runyard.core.webhook.Webhooks;

/// The ports of webhooks on a store.
record EmbeddedWebhooks(Webhooks registered, Deliveries deliveries, DeliveryMessages queue)
    implements WebhookPorts {}
