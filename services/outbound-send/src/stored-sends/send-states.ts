import type { SendState } from '@postroom/mail-store/documents/send';

/** Nothing more happens to these. */
export const OVER: readonly SendState[] = ['recorded', 'failed', 'canceled'];
/** The states in which a worker holds a send and renews its lease. */
export const UNDER_WAY: readonly SendState[] = ['connecting', 'data_started', 'data_ending', 'accepted'];
/** A worker that has not renewed its lease for so long counts as dead. */
export const SEND_LEASE_MS = 60_000;
export const KEPT_MS = 90 * 86_400_000;
