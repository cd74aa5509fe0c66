import { announceExpiringKeys as announce } from "../../lib/api-key/announce-expiring-keys.ts";
import { database } from "../../lib/db/database.ts";
import { scheduled } from "../../lib/queue/scheduled.ts";
import { send } from "../../lib/queue/send.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { announceExpiringKeys } from "./schedules.ts";

const deps = () => ({ db: database(), send, clock: systemRuntime.clock });

export const handler = scheduled(announceExpiringKeys, deps, announce);
