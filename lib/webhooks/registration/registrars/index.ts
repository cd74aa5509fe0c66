import { isRegistrarId, type RegistrarId } from "../../../integrations/catalog/registrar-ids.ts";
import type { Registrar } from "../registrar.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { jira } from "./jira.ts";
import { linear } from "./linear.ts";
import { telegram } from "./telegram.ts";

const registrars: Readonly<Record<RegistrarId, Registrar>> = {
  github,
  gitlab,
  jira,
  telegram,
  linear,
};

/** Returns the registrar of a provider; undefined when it supports none. */
export const findRegistrar = (providerId: string): Registrar | undefined =>
  isRegistrarId(providerId) ? registrars[providerId] : undefined;
