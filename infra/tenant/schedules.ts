import {
  DeleteScheduleCommand,
  GetScheduleCommand,
  ResourceNotFoundException,
} from "@aws-sdk/client-scheduler";
import type { Installation } from "./installation.ts";

type Schedules = Pick<Installation, "scheduler" | "scheduleGroup">;

const exists = async (call: Promise<unknown>): Promise<boolean> => {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    throw error;
  }
};

/** Deletes a schedule, if it exists. */
export const deleteSchedule = async (
  { scheduler, scheduleGroup }: Schedules,
  name: string,
): Promise<void> => {
  const command = new DeleteScheduleCommand({ GroupName: scheduleGroup, Name: name });
  await exists(scheduler.send(command));
};

/** Counts the schedules of these names that exist. */
export const countSchedules = async (
  { scheduler, scheduleGroup }: Schedules,
  names: readonly string[],
): Promise<number> => {
  let count = 0;
  for (const Name of names) {
    const command = new GetScheduleCommand({ GroupName: scheduleGroup, Name });
    if (await exists(scheduler.send(command))) count += 1;
  }
  return count;
};
