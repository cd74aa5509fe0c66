import { useParams } from "@tanstack/react-router";

/** Returns the tenant of the page's address: its slug or id. */
export const useTenant = (): string => useParams({ from: "/t/$tenant" }).tenant;
