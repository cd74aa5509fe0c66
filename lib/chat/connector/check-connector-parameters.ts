import { mask } from "../../platform/http/mask.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { parseDestination } from "../../platform/outgoing/destination.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { wrongUrl } from "../../platform/outgoing/wrong-url.ts";
import { buildPointer } from "../../values/json/json.ts";
import type { ChatParameters, ChatProvider } from "../../vendors/chat-provider.ts";

/** Parameters to store, with credentials masked, and the credentials. */
export type CheckedParameters = {
  parameters: Record<string, string>;
  secrets: Record<string, string>;
};

type Before = { parameters: ChatParameters; secrets: ChatParameters };

/**
 * Validates parameters for a provider; a mask keeps the stored credential. Throws 400 for a missing, invalid or
 * unknown parameter, for a mask without a stored credential, and for a changed address without new credentials:
 * stored ones are sent only to the address they were given for.
 */
export const checkConnectorParameters = (
  provider: ChatProvider,
  sent: ChatParameters,
  outgoing: OutgoingOptions,
  before: Before = { parameters: {}, secrets: {} },
): CheckedParameters => {
  const errors: { pointer: string; detail: string }[] = [];
  const refuse = (name: string, detail: string) =>
    errors.push({ pointer: buildPointer("parameters", name), detail });
  const names = provider.parameters.map(({ name }) => name);
  for (const name of Object.keys(sent)) {
    if (!names.includes(name)) refuse(name, `is unknown; expected one of ${names.join(", ")}`);
  }
  const moved = provider.parameters.find(
    ({ name, address }) => address && toOrigin(sent[name]) !== toOrigin(before.parameters[name]),
  );
  const checked: CheckedParameters = { parameters: {}, secrets: {} };
  for (const { name, isRequired, isSecret, check, address } of provider.parameters) {
    const given = Object.hasOwn(sent, name) ? sent[name] : undefined;
    if (given === undefined) {
      if (isRequired) refuse(name, "is required");
      continue;
    }
    if (isSecret && given === mask) {
      const stored = before.secrets[name];
      if (stored === undefined) refuse(name, "is masked, but no secret is stored here");
      else if (moved) refuse(name, `is required with another ${moved.name}`);
      else checked.secrets[name] = stored;
      checked.parameters[name] = mask;
      continue;
    }
    const problem = check?.(given) ?? (address && wrongUrl(given, outgoing, address));
    if (problem !== undefined) refuse(name, problem);
    if (isSecret) checked.secrets[name] = given;
    checked.parameters[name] = isSecret ? mask : given;
  }
  if (errors.length > 0) throw validationFailed(errors);
  return checked;
};

const toOrigin = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : parseDestination(url);
