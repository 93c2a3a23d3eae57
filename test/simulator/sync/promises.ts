import { announced } from '../announced.ts';
import { type Followed, feedPromises } from '../followed.ts';
import type { FollowedEmail } from '../peers/followers.ts';
import { FOLDERS, type FolderPath, type StoredMessage } from '../peers/imap-folder.ts';
import type { ImapMailbox } from '../peers/imap.ts';
import type { Happening } from '../peers/people.ts';
import type { Promises } from '../workload.ts';
import type { Broker } from '../world/broker.ts';
import { folderIdOf } from './setting.ts';
import type { StoredBefore } from './witness.ts';

export interface StoredEmail extends FollowedEmail {
  mailboxId: string;
  subject: string;
  folderId: string;
  owedSince?: Date;
  providerChangesSince?: Date;
  gone?: object;
}

/** One mailbox at its provider, and what was done with its messages. */
interface Played {
  mailboxId: string;
  mailbox: ImapMailbox;
  happenings: readonly Happening[];
}

interface Outcome extends Followed {
  played: readonly Played[];
  emails: readonly StoredEmail[];
  storedBefore: StoredBefore;
  heldTwice: readonly string[];
  broker: Broker;
}

type Located = StoredMessage & { path: FolderPath };

const locatedIn = ({ folders }: ImapMailbox): Located[] =>
  FOLDERS.flatMap((path) => folders[path].messages().map((message) => ({ ...message, path })));
const named = (mailbox: ImapMailbox, name: string) => locatedIn(mailbox).filter((message) => message.name === name);

/** The number of messages that a fate leaves at the provider; the others leave one. */
const TIMES: Partial<Record<Happening['fate'], number>> = { 'is removed': 0, 'is copied': 2 };

export const promises: Promises<Outcome> = {
  'everything that is to happen happens': ({ played }) =>
    played.flatMap(({ happenings }) => happenings.flatMap(({ name, isDone }) => (isDone ? [] : [`${name}: not yet`]))),

  'P26 a mailbox has one holder': ({ heldTwice }) => [...heldTwice],

  'P26 no message is lost or doubled at its provider': ({ played }) =>
    played.flatMap(({ mailbox, happenings }) =>
      happenings.flatMap(({ name, fate }) => {
        const [times, wanted] = [named(mailbox, name).length, TIMES[fate] ?? 1];
        return times === wanted ? [] : [`"${name}" is at its provider ${times} times, and not ${wanted}`];
      }),
    ),

  'P26 each message is one email, where and as it is at its provider': ({ played, emails }) =>
    played.flatMap(({ mailboxId, mailbox }) =>
      locatedIn(mailbox).flatMap(({ name, path, isRead, isStarred }) => {
        if (path === mailbox.closed?.path && mailbox.closed.opensAgainAt === Infinity) return [];
        const all = emails.filter((email) => email.mailboxId === mailboxId && email.subject === name && !email.gone);
        if (all.length !== named(mailbox, name).length) return [`"${name}" is stored ${all.length} times`];
        const [email] = all.filter(({ folderId }) => folderId === folderIdOf(mailboxId, path));
        if (!email) return [`"${name}" is in ${path}, and here in ${all.map(({ folderId }) => folderId).join()}`];
        const isSame = email.isRead === isRead && email.isStarred === isStarred;
        return isSame ? [] : [`"${name}" has other flags here`];
      }),
    ),

  'P26 a message stays the same email, wherever it is moved': ({ emails, storedBefore }) =>
    emails.flatMap(({ subject }) => {
      // Others were copies of it.
      const [first] = storedBefore.filter((email) => email.subject === subject);
      return emails.some(({ _id }) => _id === first?._id) ? [] : [`"${subject}" is not ${first?._id} any more`];
    }),

  'P26 what is removed at its provider is removed here': ({ played, emails }) =>
    emails.flatMap(({ mailboxId, subject }) => {
      const of = played.find((one) => one.mailboxId === mailboxId);
      return of && named(of.mailbox, subject).length > 0 ? [] : [`"${subject}" is here, and not at its provider`];
    }),

  'a label that was given stays': ({ played, emails }) =>
    played.flatMap(({ happenings }) =>
      happenings.flatMap(({ name, fate }) => {
        if (!fate.endsWith('labeled here')) return [];
        const labels = emails.flatMap(({ subject, labelIds }) => (subject === name ? labelIds : []));
        return labels.length === 1 ? [] : [`"${name}" has the labels ${labels.join()}`];
      }),
    ),

  'what the API was asked for is at the provider': ({ played }) =>
    played.flatMap(({ mailbox, happenings }) =>
      happenings.flatMap(({ name, fate }) => {
        const [message] = named(mailbox, name);
        if (fate.endsWith('starred here') && !message?.isStarred) return [`"${name}" has no star`];
        return fate === 'is trashed here' && message?.path !== 'Trash' ? [`"${name}" is in ${message?.path}`] : [];
      }),
    ),

  'P21 a message is announced as received once, however it is moved': ({ storedBefore, broker }) => {
    const told = announced(broker);
    const subjects = storedBefore.flatMap(({ _id, subject }) => (told.has(`email.received ${_id}`) ? [subject] : []));
    const twice = subjects.filter((subject, n) => subjects.indexOf(subject) !== n);
    return twice.map((subject) => `"${subject}" was received as another email before`);
  },

  ...feedPromises,

  'P21 every change is announced, once': ({ played, emails, broker }) => {
    const told = announced(broker);
    const received = [...told].filter(([what]) => what.startsWith('email.received '));
    const isNew = played.flatMap(({ happenings }) => happenings.filter(({ isOld }) => !isOld));
    const fates = new Map(isNew.map(({ name, fate }) => [name, fate]));
    return [
      ...received.flatMap(([what, ids]) => (ids.size === 1 ? [] : [`${ids.size} events ${what}`])),
      ...(received.length > isNew.length ? [`${received.length} emails were received, of ${isNew.length}`] : []),
      ...emails.flatMap(({ _id, subject, owedSince, providerChangesSince }) => {
        const isTold = told.has(`email.received ${_id}`);
        const fate = fates.get(subject);
        const isWrong = isTold ? fate === undefined : fate !== undefined && STAYS_UNTIL_SEEN.has(fate);
        return [
          ...(owedSince === undefined ? [] : [`"${subject}" has a pending event in the end`]),
          ...(providerChangesSince === undefined ? [] : [`"${subject}" has a pending change in the end`]),
          ...(isWrong ? [`"${subject}" is ${isTold ? '' : 'not '}announced as received`] : []),
        ];
      }),
    ];
  },
};

/** Another client may move any other message before it is seen in the inbox. */
const STAYS_UNTIL_SEEN = new Set<Happening['fate']>(['stays', 'is read', 'is starred here', 'is trashed here']);
