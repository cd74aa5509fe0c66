import { defaultProfile, type Logins } from "./credentials.ts";

/** Removes a profile; the first other one becomes the current one in its place. */
export const withoutProfile = ({ current, profiles }: Logins, name: string): Logins => {
  const others = Object.fromEntries(Object.entries(profiles).filter(([other]) => other !== name));
  const next = current === name ? (Object.keys(others)[0] ?? defaultProfile) : current;
  return { current: next, profiles: others };
};
