import type { ScheduledStatus } from '@postroom/contract/lists';
import type { RefusedPart, SendDocument, SendState } from '@postroom/mail-store/documents/send';
import type { ServiceContext } from '@postroom/runtime/service';
import type { SendChange, SendStore } from '../stored-sends/send-store.ts';
import type { Delivery, DeliverySteps, OutgoingMessage, SmtpServer } from '../smtp/delivery.ts';
import type { ForwardSlots } from './forward-slots.ts';

/** Named points between the steps, where a test can stop the process as a crash would. */
export type SendStep =
  | 'taken-up'
  | 'data-started'
  | 'data-ending'
  | 'answered'
  | 'accepted'
  | 'remainder-kept'
  | 'stored'
  | 'reported'
  | 'recorded';

export interface ShownState {
  /** A forward that waits for its hour has not been tried. */
  status: ScheduledStatus | 'waiting';
  /** When it goes out, where that is known. */
  sendAt: Date | null;
  /** Why it did not go out. */
  reason: string | null;
}

/** `leave` is called when it is needed no more. Else why it cannot be had, and whether that is final. */
export type Attaching = { wire: Buffer; leave: () => void } | { reason: string; isFinal: boolean };

/** Unknown: the server answered nothing, and no copy and no report shows that it has the message. */
export type Undeliverable = 'refused' | 'unknown';

export interface SendDeps {
  sends: SendStore;
  /** Where the mailbox sends, with a login that is good now. */
  serverOf(send: SendDocument): Promise<SmtpServer>;
  deliver(server: SmtpServer, message: OutgoingMessage, steps: DeliverySteps): Promise<Delivery>;
  /** The message with the attachments of the email that it forwards. */
  attach(send: SendDocument): Promise<Attaching>;
  /** Called after each attempt: whether the server was available, whatever it answered to the message. */
  served(isServed: boolean): void;
  /** Stores the sent email, once however often it is asked; its id. */
  record(send: SendDocument): Promise<string>;
  /**
   * Reports to the mailbox that these recipients will not get the message, or that nobody knows it, once however often it
   * is asked.
   */
  reportUndelivered(send: SendDocument, failed: readonly RefusedPart[], outcome: Undeliverable): Promise<void>;
  /** Whether the provider has filed this message among the mailbox's sent emails: then it was accepted. */
  isFiled(send: SendDocument): Promise<boolean>;
  /** Why what has waited must not go out any more: the first precondition that is not met, or null. */
  unmet(send: SendDocument): Promise<string | null>;
  /** Whether the draft still says what its send says. A mail program may have saved it since, in its place. */
  draftIsUnchanged(send: SendDocument): Promise<boolean>;
  /** When forwards may leave. */
  slots: ForwardSlots;
  /**
   * Shows the state of the send: on the draft of a reply, or in the log of a forward's rule. False when somebody has
   * changed the draft.
   */
  show(send: SendDocument, shown: ShownState): Promise<boolean>;
  /** Counts how an attempt ended. */
  count(
    send: SendDocument,
    outcome: 'recorded' | 'failed' | 'canceled' | 'postponed' | 'unknown' | 'unknown_for_good',
  ): void;
  context: Pick<ServiceContext, 'clock' | 'log' | 'tracing'>;
  at?: (step: SendStep) => Promise<void> | void;
}

/** Nothing more is done with it, and its message is not needed any more. */
export const FINAL = { wire: null, kept: null, nextAt: null } as const;

/** Another process holds the send now, so this one stops. */
export class LostHold extends Error {}

export async function change(
  send: SendDocument,
  what: SendChange,
  { sends, context }: SendDeps,
): Promise<SendDocument> {
  const written = { updatedAt: context.clock.date(), ...what };
  const isHeld = await sends.advance(send.workspaceId, send, statesOf(send), written);
  if (!isHeld) throw new LostHold('this send has another holder');
  return { ...send, ...written };
}

/** The step before the end of a message may have been stored without an answer. Then this holder has not ended it. */
const statesOf = ({ state }: SendDocument): SendState[] =>
  state === 'connecting' ? ['connecting', 'data_ending'] : [state];

export function later(delay: number | undefined, { context }: SendDeps): Date | null {
  return delay === undefined ? null : new Date(context.clock.now() + delay);
}

// Shown before it is written down: stopped in between it is shown again, and what was written is never shown too late.
export async function failSend(
  send: SendDocument,
  reason: string,
  refused: readonly RefusedPart[],
  deps: SendDeps,
): Promise<SendDocument> {
  await deps.show(send, { status: 'failed', sendAt: null, reason });
  deps.count(send, 'failed');
  return change(send, { state: 'failed', lastError: reason, refused: [...refused], ...FINAL }, deps);
}
