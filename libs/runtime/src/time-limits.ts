import { bounds } from '@postroom/contract/bounds';

const requestMs = bounds.request.limitMs;
const answerMs = requestMs + 200;
const gatewayDrainMs = answerMs + 2_300;
const serviceDrainMs = gatewayDrainMs + 500;
const closeMs = serviceDrainMs + 1_000;
const shutdownMs = 2 * closeMs;

/**
 * One chain of limits: a part that waits for another part has the longer limit. So a request that began before SIGTERM
 * is answered after it, by a gateway and services that still serve.
 */
export const timeLimits = {
  /** The contract's limit for one request. The calls behind the gateway get the remaining time. */
  requestMs,
  /** So long after the limit the gateway answers by itself. */
  answerMs,
  /** The time in which a stopping gateway finishes requests, those of slow senders included. */
  gatewayDrainMs,
  /** A service that stops at the same moment outlasts the gateways that call it. */
  serviceDrainMs,
  /** The time that any one part of a process may take to close. */
  closeMs,
  /** The time for the whole process, in which two parts may take all of theirs. The chart gives a pod no less. */
  shutdownMs,
} as const;
