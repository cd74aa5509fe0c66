// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.
import { registrar as github } from "../github/registration.ts";
import { registrar as gitlab } from "../gitlab/registration.ts";
import { registrar as jira } from "../jira/registration.ts";
import { registrar as linear } from "../linear/registration.ts";
import { registrar as telegram } from "../telegram/registration.ts";

/** Registrars by vendor. */
export const registrars = {
  github,
  gitlab,
  jira,
  telegram,
  linear,
};
