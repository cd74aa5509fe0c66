// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.
import { chat as discord } from "../discord/chat.ts";
import { chat as generic } from "../generic/chat.ts";
import { chat as meta } from "../meta/chat.ts";
import { chat as slack } from "../slack/chat.ts";
import { chat as teams } from "../teams/chat.ts";
import { chat as telegram } from "../telegram/chat.ts";

/** Chat providers by vendor. */
export const chatProviders = {
  slack,
  teams,
  telegram,
  discord,
  meta,
  generic,
};
