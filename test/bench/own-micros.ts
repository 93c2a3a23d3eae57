/** Processor microseconds that this process has used so far. */
export function ownMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
