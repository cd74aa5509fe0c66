import { command } from "../command.ts";
import { text } from "../options.ts";

/** Row of `wharf login`. */
export const login = command({
  name: "login",
  summary: "Log in with a token.",
  options: {
    token: text(
      "token",
      "the token (visible to other users of this machine while the command runs)",
    ),
  },
  notes: `The token is a user token or an API key. It is read from --token, standard input or a prompt, and
verified before it is saved. --url and --tenant default to the environment, then to the last login.`,
  examples: [
    "wharf login --url https://api.example.com --tenant acme",
    "npm run --silent token -- --role admin | wharf login --url http://127.0.0.1:8787 --tenant demo",
    "wharf login < token.txt",
  ],
  json: '`{"url": "https://…", "tenant": "acme", "loggedIn": true}`',
  run: async (input, io) => (await import("./login/login.ts")).login(input, io),
});

/** Row of `wharf logout`. */
export const logout = command({
  name: "logout",
  summary: "Remove the saved token.",
  notes:
    "Only the saved file is removed. The token itself is valid until it expires or is revoked.",
  examples: ["wharf logout"],
  json: '`{"loggedIn": false}`',
  run: async (input, io) => (await import("./login/logout.ts")).logout(input, io),
});
