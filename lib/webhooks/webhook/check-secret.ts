import { validationFailed } from "../../platform/http/problems.ts";
import type { WebhookProvider } from "../../vendors/webhook-provider.ts";

/** Throws 400 for a signing secret that is invalid for the provider. */
export const checkSecret = (
  { signing }: Pick<WebhookProvider, "signing">,
  secret: string,
): void => {
  const detail = signing.checkSecret(secret);
  if (detail !== undefined) throw validationFailed([{ pointer: "/signingSecret", detail }]);
};
