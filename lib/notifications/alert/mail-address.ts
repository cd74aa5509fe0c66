import * as z from "zod";

const Address = z.email().max(254);

/** Whether mail can go to a collaborator's `email`, which may be any text. */
export const isMailAddress = (email: string | null): email is string =>
  Address.safeParse(email).success;
