import type { Credential } from "../address.ts";
import { failed } from "../exit.ts";
import type { Io } from "../io.ts";
import { signInWithBrowser } from "./browser-sign-in.ts";
import { signInWithDevice } from "./device-sign-in.ts";
import { readIssuer, readSignInConfig } from "./issuer.ts";
import type { SignedIn } from "./tokens.ts";

/** Options of a sign-in. */
export type SignInOptions = {
  device: boolean;
  issuer: string | undefined;
  clientId: string | undefined;
};

/** A user who has signed in. */
type SignedInUser = Omit<SignedIn, "token"> & {
  credential: Credential;
  tenant: string | undefined;
};

/** Signs a user in at the issuer of a deployment, with the browser or the device flow. */
export const signIn = async (
  url: string,
  { device, issuer, clientId }: SignInOptions,
  io: Io,
): Promise<SignedInUser> => {
  const found = await readSignInConfig(url);
  const config =
    issuer !== undefined && clientId !== undefined
      ? {
          bearer: "id_token" as const,
          audience: undefined,
          tenant: undefined,
          ...found,
          issuer,
          clientId,
        }
      : found;
  if (config === undefined) {
    throw failed(
      `${url} has no sign-in settings. Use the console's URL, or --issuer and --client-id, or --token.`,
    );
  }
  const metadata = await readIssuer(config.issuer);
  const signInBy = device ? signInWithDevice : signInWithBrowser;
  const { token, expiresAt, renewal } = await signInBy(config, metadata, io);
  return {
    credential: { kind: "token", secret: token },
    expiresAt,
    renewal,
    tenant: config.tenant,
  };
};
