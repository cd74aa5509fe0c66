import { command } from "../command.ts";
import { flag, text } from "../options.ts";

/** Row of `wharf login`. */
export const login = command({
  name: "login",
  summary: "Log in with the browser or a token.",
  options: {
    token: text(
      "token",
      "a user token or API key; - reads it from a prompt or standard input (a token on the command line is visible to other users of this machine)",
    ),
    device: flag("sign in with a browser on another device, if the issuer offers that"),
    issuer: text("url", "OpenID Connect issuer; by default that of the deployment's console"),
    clientId: text("id", "client id at the issuer; by default that of the deployment's console"),
  },
  notes: `At a terminal, users sign in with the browser: authorization code with PKCE, which returns to port 8976, 8977 or 8978 of this machine. Otherwise, and with --token, a user token or an API key is read from --token, standard input or a prompt, and verified.
--url and --tenant default to the environment, then to the last login, then to the local stack; an organization with one tenant needs no --tenant. --profile names the login, to keep several.`,
  examples: [
    "wharf login --url https://wharf.example.com",
    "wharf login --url https://wharf.example.com --tenant acme --profile production",
    "npm run --silent token -- --role admin | wharf login --url http://127.0.0.1:8787 --tenant demo",
    "wharf login < token.txt",
  ],
  notRun: "needs a browser",
  json: '`{"url": "https://…", "tenant": "acme", "profile": "default", "loggedIn": true}`',
  run: async (input, io) => (await import("./login/login.ts")).login(input, io),
});

/** Row of `wharf logout`. */
export const logout = command({
  name: "logout",
  summary: "Remove the saved login.",
  notes:
    "Only the saved login of the current profile, or of --profile, is removed. A token itself is valid until it expires or is revoked.",
  examples: ["wharf logout", "wharf logout --profile production"],
  json: '`{"loggedIn": false}`',
  run: async (input, io) => (await import("./login/logout.ts")).logout(input, io),
});
