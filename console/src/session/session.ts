import type { User, UserManager } from "oidc-client-ts";
import { type Credentials, createClient, type WharfClient } from "../../../client/client.ts";
import { type ConsoleConfig, readConsoleConfig } from "./console-config.ts";
import { callbackPath, createUserManager } from "./user-manager.ts";

/** The signed-in user. */
export type SignedInUser = { id: string; email: string; role: string };

/** A session of the console. */
export type Session = {
  user: SignedInUser;
  config: ConsoleConfig;
  client: WharfClient;
  /** Ends the session here and at the issuer. */
  signOut: () => Promise<void>;
  /** Signs in in another window; requests that wait for it continue. */
  signInAgain: () => Promise<void>;
  /** Subscribes to the end of the session, which no refresh token can renew. Returns the end of the subscription. */
  onEnd: (listener: (hasEnded: boolean) => void) => () => void;
};

/**
 * A session with the address to continue at, a browser that leaves for the issuer, or a window that
 * is done.
 */
export type Start =
  | { type: "session"; session: Session; returnTo: string | undefined }
  | { type: "leaving" }
  | { type: "signed-in-again" };

/** Starts the session: restores it, completes a sign-in, or sends the browser to the issuer. */
export const startSession = async (): Promise<Start> => {
  const config = await readConsoleConfig();
  const manager = createUserManager(config);
  if (location.pathname === callbackPath) return completeSignIn(manager, config);
  const user = await restoreUser(manager);
  if (user) {
    return { type: "session", session: createSession(user, manager, config), returnTo: undefined };
  }
  const { pathname, search, hash } = location;
  await manager.signinRedirect({ state: `${pathname}${search}${hash}` });
  return { type: "leaving" };
};

const completeSignIn = async (manager: UserManager, config: ConsoleConfig): Promise<Start> => {
  const state = new URLSearchParams(location.search).get("state") ?? "";
  // Another window started this sign-in, in `signInAgain`: the response is sent to it, and this window closed.
  if (state !== "" && (await manager.settings.stateStore.get(state)) === null) {
    await manager.signinPopupCallback();
    return { type: "signed-in-again" };
  }
  const user = await manager.signinRedirectCallback();
  const returnTo = typeof user.state === "string" ? user.state : "/console/";
  return { type: "session", session: createSession(user, manager, config), returnTo };
};

const restoreUser = async (manager: UserManager): Promise<User | undefined> => {
  const user = await manager.getUser();
  if (!user?.expired) return user ?? undefined;
  return (await manager.signinSilent().catch(() => undefined)) ?? undefined;
};

const createSession = (initial: User, manager: UserManager, config: ConsoleConfig): Session => {
  const listeners = new Set<(hasEnded: boolean) => void>();
  const announce = (hasEnded: boolean): void => {
    for (const listener of listeners) listener(hasEnded);
  };
  let user = initial;
  let renewing: Promise<User> | undefined;
  let signedInAgain = Promise.withResolvers<User>();
  manager.events.addUserLoaded((loaded) => {
    user = loaded;
  });
  const renewed = async (): Promise<User> => {
    const silent = await manager.signinSilent().catch(() => undefined);
    if (silent) return silent;
    announce(true);
    return signedInAgain.promise;
  };
  const toCredentials = (from: User): Credentials => ({ token: selectBearer(from, config) });
  return {
    user: describeUser(initial, config),
    config,
    client: createClient({
      baseUrl: location.origin,
      credentials: () => toCredentials(user),
      renew: async () => {
        renewing ??= renewed().finally(() => {
          renewing = undefined;
        });
        return toCredentials(await renewing);
      },
    }),
    signOut: async () => {
      await removeDrafts(describeUser(user, config).id);
      await signOut(manager, config);
    },
    signInAgain: async () => {
      const again = await manager.signinPopup().catch((error: unknown) => {
        throw error instanceof Error && error.message.includes("disposed window")
          ? new Error(
              "Your browser blocked the window. Allow pop-ups for this page, then try again.",
            )
          : error;
      });
      // The page shows the data and input of another user.
      if (describeUser(again, config).id !== describeUser(initial, config).id) location.reload();
      announce(false);
      signedInAgain.resolve(again);
      signedInAgain = Promise.withResolvers<User>();
    },
    onEnd: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Removes what the user edited and did not save. Loaded when it is needed. */
const removeDrafts = async (user: string): Promise<void> => {
  try {
    const { clearDrafts } = await import("./draft-store.ts");
    await clearDrafts(user);
  } catch {
    // A browser without storage has no drafts; the user leaves nevertheless.
  }
};

const signOut = async (manager: UserManager, config: ConsoleConfig): Promise<void> => {
  const { clientId, cognitoLogout } = config;
  await revokeRefreshToken(manager);
  if (cognitoLogout === undefined) {
    await manager.signoutRedirect();
    return;
  }
  const logoutUri = `${location.origin}/console/`;
  await manager.removeUser();
  location.assign(
    `${cognitoLogout}?${new URLSearchParams({ client_id: clientId, logout_uri: logoutUri })}`,
  );
};

/** Revokes the refresh token, if the issuer can; the end of its session follows in any case. */
const revokeRefreshToken = async (manager: UserManager): Promise<void> => {
  try {
    const endpoint = await manager.metadataService.getRevocationEndpoint();
    if (endpoint !== undefined) await manager.revokeTokens(["refresh_token"]);
  } catch {
    // The user leaves nevertheless.
  }
};

const selectBearer = (user: User, { bearer }: ConsoleConfig): string =>
  (bearer === "id_token" ? user.id_token : user.access_token) ?? "";

const describeUser = (user: User, config: ConsoleConfig): SignedInUser => {
  const claims = decodeClaims(selectBearer(user, config));
  const text = (name: string): string => {
    const value = claims[name];
    return typeof value === "string" ? value : "";
  };
  return {
    id: text("sub"),
    email: text("email") || user.profile.email || text("sub"),
    role: text(config.roleClaim),
  };
};

/** Returns the claims of a JWT, which only the API verifies; none if it is opaque. */
const decodeClaims = (token: string): Readonly<Record<string, unknown>> => {
  try {
    const [, payload = ""] = token.split(".");
    const base64 = payload.replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return {};
  }
};
