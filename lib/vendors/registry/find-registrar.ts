import type { Registrar } from "../registrar.ts";
import { registrars } from "./registrars.ts";

const byProvider: ReadonlyMap<string, Registrar> = new Map(Object.entries(registrars));

/** Returns the registrar of a provider; undefined when it supports none. */
export const findRegistrar = (providerId: string): Registrar | undefined =>
  byProvider.get(providerId);
