import * as z from "zod";

const Address = z.email().max(254);

/** Returns whether a collaborator's `email`, which may be any text, is a valid mail address. */
export const isMailAddress = (email: string | null): email is string =>
  Address.safeParse(email).success;
