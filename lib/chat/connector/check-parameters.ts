import { mask } from "../../agents/revision/secrets.ts";
import { pointerOf } from "../../json/json.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { destinationOf } from "../../platform/outgoing/destination.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { wrongUrl } from "../../platform/outgoing/wrong-url.ts";
import type { ChatParameters, ChatProvider } from "../providers/provider.ts";

/** What is to be stored: parameters with masks for credentials, and the credentials. */
export type CheckedParameters = {
  parameters: Record<string, string>;
  secrets: Record<string, string>;
};

type Before = { parameters: ChatParameters; secrets: ChatParameters };

/**
 * Checks parameters as the provider wants them; masks stand for what is stored. Throws 400 for one that is
 * missing, wrong or unknown, for a mask where nothing is stored, and for another address without the
 * credentials: stored ones are used only where they were given for.
 */
export const checkParameters = (
  provider: ChatProvider,
  sent: ChatParameters,
  outgoing: OutgoingOptions,
  before: Before = { parameters: {}, secrets: {} },
): CheckedParameters => {
  const errors: { pointer: string; detail: string }[] = [];
  const refuse = (name: string, detail: string) =>
    errors.push({ pointer: pointerOf("parameters", name), detail });
  const known = provider.parameters.map(({ name }) => name);
  for (const name of Object.keys(sent)) {
    if (!known.includes(name)) refuse(name, `is unknown; there are ${known.join(", ")}`);
  }
  const moved = provider.parameters.find(
    ({ name, address }) => address && placeOf(sent[name]) !== placeOf(before.parameters[name]),
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
    const wrong = check?.(given) ?? (address && wrongUrl(given, outgoing, address));
    if (wrong !== undefined) refuse(name, wrong);
    if (isSecret) checked.secrets[name] = given;
    checked.parameters[name] = isSecret ? mask : given;
  }
  if (errors.length > 0) throw validationFailed(errors);
  return checked;
};

const placeOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : destinationOf(url);
