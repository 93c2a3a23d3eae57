import { announced } from '../announced.ts';
import type { Mail } from '../peers/mail-source.ts';
import type { Promises } from '../workload.ts';
import type { Broker } from '../world/broker.ts';

export interface StoredEmail {
  _id: string;
  subject: string;
  threadId: string;
  isUnsettled?: boolean;
  owedSince?: Date;
}

/** The answers to the sources, and the stored state at the end of a run. */
interface Outcome {
  messages: readonly Mail[];
  /** By Message-ID, the email that each source was told. */
  told: ReadonlyMap<string, readonly string[]>;
  emails: readonly StoredEmail[];
  bodies: readonly { _id: string }[];
  broker: Broker;
}

export const promises: Promises<Outcome> = {
  'P13 each message is one email, whichever source brings it': ({ messages, told, emails }) =>
    messages.flatMap(({ messageId, subject }) => {
      const found = emails.filter((email) => email.subject === subject);
      if (found.length !== 1) return [`${messageId} is stored ${found.length} times`];
      const others = told.get(messageId)?.filter((emailId) => emailId !== found[0]?._id) ?? [];
      return others.map((emailId) => `${messageId} was answered for as ${emailId}, which is no email`);
    }),

  'P13 an email has its body': ({ emails, bodies }) => {
    const there = new Set(bodies.map(({ _id }) => _id));
    return emails.filter(({ _id }) => !there.has(_id)).map(({ subject }) => `${subject} has no body`);
  },

  'P14 an answer is in the thread of its original': ({ messages, emails }) => {
    const threadOf = (messageId: string) => {
      const subject = messages.find((one) => one.messageId === messageId)?.subject;
      return emails.find((email) => email.subject === subject)?.threadId;
    };
    const unfinished = emails.filter(({ isUnsettled }) => isUnsettled);
    return [
      ...unfinished.map(({ subject }) => `${subject} has no complete thread`),
      ...messages.flatMap(({ messageId, inReplyTo }) => {
        const isApart = inReplyTo !== undefined && threadOf(messageId) !== threadOf(inReplyTo);
        return isApart ? [`${messageId} is not in the thread of ${inReplyTo}`] : [];
      }),
    ];
  },

  'P21 every email is announced, once': ({ emails, broker }) => {
    const events = announced(broker);
    return emails.flatMap(({ _id, subject, owedSince }) => {
      const times = events.get(`email.received ${_id}`)?.size ?? 0;
      const pending = owedSince === undefined ? [] : [`${subject} has a pending event in the end`];
      return times === 1 ? pending : [...pending, `${subject} was announced ${times} times`];
    });
  },
};
