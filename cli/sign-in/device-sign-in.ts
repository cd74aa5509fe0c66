import { waitFor } from "../../client/retry.ts";
import { failed, interrupted } from "../exit.ts";
import type { Io } from "../io.ts";
import { printMessage } from "../output.ts";
import { selectScope } from "./browser-sign-in.ts";
import { callIssuer, type IssuerMetadata, type SignInConfig } from "./issuer.ts";
import { redeemDeviceCode, type SignedIn } from "./tokens.ts";

/** Signs in with a browser on any device (RFC 8628). */
export const signInWithDevice = async (
  config: SignInConfig,
  { deviceEndpoint, tokenEndpoint }: IssuerMetadata,
  io: Io,
): Promise<SignedIn> => {
  if (deviceEndpoint === undefined) {
    throw failed(`${config.issuer} does not offer the device flow. Use the browser or --token.`);
  }
  const { clientId, bearer, audience } = config;
  const form = { client_id: clientId, scope: selectScope(config), ...(audience && { audience }) };
  const { body } = await callIssuer(deviceEndpoint, form);
  const { device_code: deviceCode, user_code: userCode, verification_uri: address } = body;
  if (typeof deviceCode !== "string") throw failed("The sign-in failed: no device code.");
  printMessage(io, `Go to ${address} and enter the code ${userCode}.`);
  const signal = io.interrupt();
  const source = { tokenEndpoint, clientId, bearer };
  let pauseSeconds = typeof body.interval === "number" ? body.interval : 5;
  for (;;) {
    await waitFor(pauseSeconds * 1_000, signal).catch(() => {
      throw interrupted();
    });
    const result = await redeemDeviceCode(source, deviceCode);
    if ("signedIn" in result) return result.signedIn;
    if (result.error.startsWith("slow_down")) pauseSeconds += 5;
    else if (!result.error.startsWith("authorization_pending")) {
      throw failed(`The sign-in failed: ${result.error}.`);
    }
  }
};
