import { Reply } from "./respond.ts";

/**
 * Builds a 202 response for work that continues in the background.
 * @param location address of the resource that shows its outcome
 * @param applied the `Prefer` preference that was applied; undefined for none
 */
export const accepted = (body: object, location: string, applied: string | undefined): Reply =>
  new Reply(
    JSON.stringify(body),
    {
      "Content-Type": "application/json",
      Location: location,
      ...(applied !== undefined && { "Preference-Applied": applied }),
    },
    202,
  );
