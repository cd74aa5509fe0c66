// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.
import { chatForm as discord } from "../discord/chat-form.ts";
import { chatForm as generic } from "../generic/chat-form.ts";
import { chatForm as meta } from "../meta/chat-form.ts";
import { chatForm as slack } from "../slack/chat-form.ts";
import { chatForm as teams } from "../teams/chat-form.ts";
import { chatForm as telegram } from "../telegram/chat-form.ts";

/** Forms of connectors by vendor. */
export const chatForms = {
  slack,
  teams,
  telegram,
  discord,
  meta,
  generic,
};
