import type { PendingChange, LocationPart } from '@postroom/mail-store/documents/email';
import type { Flag } from '../imap/imap-connection.ts';
import type { ChangedEmail } from '../pending/pending-change-store.ts';

/** One message of a command, and the id of its pending change. */
interface TargetMessage {
  emailId: string;
  changeId: string;
  uid: number;
}

type Kind = { kind: 'flag'; flag: Flag; isSet: boolean } | { kind: 'move'; to: string } | { kind: 'remove' };

/** One command for messages of one folder. */
export type MailboxCommand = { folderId: string; uidValidity: number; messages: TargetMessage[] } & Kind;

export interface Append {
  emailId: string;
  changeId: string;
  folderId: string;
  email: ChangedEmail;
}

interface Plan {
  commands: MailboxCommand[];
  appends: Append[];
}

/** As few commands as there can be, in an order in which none spoils another: a message that moves has a new UID. */
export function planCommands(pending: readonly ChangedEmail[]): Plan {
  const commands = new Map<string, MailboxCommand>();
  const add = (location: LocationPart, kind: Kind, { _id: emailId }: ChangedEmail, changeId: string) => {
    const { folderId, uidValidity, uid } = location;
    const name = JSON.stringify([folderId, uidValidity, kind]);
    const command = commands.get(name) ?? { folderId, uidValidity, messages: [], ...kind };
    command.messages.push({ emailId, changeId, uid });
    commands.set(name, command);
  };
  const appends: Append[] = [];
  for (const email of pending) {
    const { append, remove } = email.providerChanges;
    for (const [kind, changeId] of kindsOf(email)) if (email.place) add(email.place, kind, email, changeId);
    if (remove) add(remove.to, { kind: 'remove' }, email, remove.id);
    if (append) appends.push({ emailId: email._id, changeId: append.id, folderId: append.to, email });
  }
  return { commands: [...commands.values()].toSorted((one, other) => ORDER[one.kind] - ORDER[other.kind]), appends };
}

const ORDER = { flag: 0, move: 1, remove: 2 } as const;

/** The pending changes of the message at its location. */
function kindsOf({ place: location, providerChanges }: ChangedEmail): [Kind, string][] {
  const { isRead, isStarred, folderId } = providerChanges;
  const flag = (name: Flag, pending: PendingChange<boolean> | undefined): [Kind, string][] =>
    pending ? [[{ kind: 'flag', flag: name, isSet: pending.to }, pending.id]] : [];
  const moves: [Kind, string][] =
    folderId && folderId.to !== location?.folderId ? [[{ kind: 'move', to: folderId.to }, folderId.id]] : [];
  return [...flag('\\Seen', isRead), ...flag('\\Flagged', isStarred), ...moves];
}
