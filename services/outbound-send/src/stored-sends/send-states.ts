import type { SendDocument, SendState } from '@postroom/mail-store/documents/send';

/** Nothing more happens to these. */
export const OVER: readonly SendState[] = ['recorded', 'failed', 'canceled'];
/** The states in which a worker holds a send and renews its lease. */
export const UNDER_WAY: readonly SendState[] = ['connecting', 'data_started', 'data_ending', 'accepted'];
/** A worker hands a message in one of these states to its mail server. */
export const BEFORE_ITS_END: readonly SendState[] = ['scheduled', 'connecting', 'data_started'];
/** Whether a worker may contact the mail server. A message that a caller waits for leaves in that call or not at all. */
export const contactsServer = ({ kind, state }: Pick<SendDocument, 'kind' | 'state'>): boolean =>
  kind !== 'send' && BEFORE_ITS_END.includes(state);
/** A worker that has not renewed its lease for so long counts as dead. */
export const SEND_LEASE_MS = 60_000;
export const KEPT_MS = 90 * 86_400_000;
