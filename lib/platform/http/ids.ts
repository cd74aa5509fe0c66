import * as z from "zod";

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a string has the form of a uuid, of whatever version. */
export const isUuid = (value: string): boolean => uuidForm.test(value);

/** An id that a client may choose: agents, skills, assets, integrations, providers. */
export const ChosenId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
    "must be 1 to 128 letters, digits, dots, dashes or underscores, and start with a letter or digit",
  )
  .meta({ description: "An id, which the client may choose at creation.", example: "hello" });

/** An id that the service makes: a uuid, version 7, so that ids sort by time. */
export const Uuid = z
  .string()
  .regex(uuidForm, "must be a uuid")
  .toLowerCase()
  .meta({ description: "A uuid.", example: "0193f0a0-7c4b-7000-8000-000000000000" });

/** Unix milliseconds. */
export const Timestamp = z
  .int()
  .meta({ description: "Unix milliseconds.", example: 1763596800000 });
