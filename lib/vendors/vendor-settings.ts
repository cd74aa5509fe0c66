import * as z from "zod";

/**
 * Settings of a deployment for a vendor, by environment variable. `X_SECRET_NAME` is the name of the secret of Secrets
 * Manager with the value of `X_SECRET`, which itself is for the local stack alone.
 */
export type VendorSettings = Readonly<Record<string, z.ZodType<string | undefined>>>;

/** Defines a setting with any text. */
export const textSetting = (description: string) =>
  z.string().min(1, "not empty").optional().describe(description);

/** Defines a setting with a web address. */
export const addressSetting = (description: string) =>
  z
    .url({ protocol: /^https?$/, error: "an http or https URL" })
    .optional()
    .describe(description);

/** Defines a setting with the name of a secret of Secrets Manager. */
export const secretNameSetting = (description: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9/_+=.@-]{1,512}$/, "the name of a secret of Secrets Manager")
    .optional()
    .describe(description);
