import * as z from "zod";
import { vendorSettings } from "../../lib/vendors/registry/settings.ts";

const variables = z.object(vendorSettings).keyof().options;

/** Settings with the name of a secret, and the variable that gets the value of the secret on AWS. */
export const secretSettings = variables.flatMap((name) => {
  const value = variables.find((other) => `${other}_NAME` === name && other.endsWith("_SECRET"));
  return value === undefined ? [] : [{ name, value }];
});

/** Settings that functions get as they are. */
export const valueSettings = variables.filter(
  (variable) => !secretSettings.some(({ name }) => name === variable),
);
