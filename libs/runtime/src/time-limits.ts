import { bounds } from '@postroom/contract/bounds';

const requestMs = bounds.request.limitMs;
const answerMs = requestMs + 200;
const gatewayDrainMs = answerMs + 2_300;
const serviceDrainMs = gatewayDrainMs + 500;
const closeMs = serviceDrainMs + 1_000;
const shutdownMs = 2 * closeMs;

/**
 * One chain: whatever waits for another has longer than that one. So a request that was begun before SIGTERM is answered
 * after it, by a gateway that still serves, out of services that do.
 */
export const timeLimits = {
  /** The contract's limit for one request; everything behind the gateway gets what is left of it. */
  requestMs,
  /** Past the limit by this much the gateway answers by itself, whoever has not kept it. */
  answerMs,
  /** How long a leaving gateway finishes requests, and lets callers who are still sending hear their answers. */
  gatewayDrainMs,
  /** A service that leaves at the same moment outlasts the gateways that ask it. */
  serviceDrainMs,
  /** How long any one part of a process may take to close. */
  closeMs,
  /** And the whole process, where two parts take all they may. The chart gives a pod no less. */
  shutdownMs,
} as const;
