import type { CollectionName } from '@postroom/mail-store/collections';
import { storedName } from '@postroom/mail-store/stored-names';
import type { Chance } from '../world/chance.ts';
import { type Database, makeUniqueIndexes } from '../world/database.ts';
import type { Document } from '../world/driver-collection.ts';
import type { Address, Mail } from '../peers/mail-source.ts';

/** The workspace of the poison, and its neighbour. */
export const WORKSPACES = ['wsp_one', 'wsp_two'] as const;

export const addressOf = (workspaceId: string): Address => ({ workspaceId, mailboxId: `mbx_of_${workspaceId}` });

/** Of AI label rules. */
export const LABELS = ['Prices', 'Invoices'] as const;
/** Of people alone. */
export const OWN_LABEL = 'Later';
export const FORWARD_TO = 'eve@elsewhere.example';
const LONG_AGO = new Date('2025-01-01T00:00:00Z');

/** A mailbox, two AI label rules, one of which replies, and two forward rules for each workspace. */
export async function storeSetting(database: Database): Promise<void> {
  await makeUniqueIndexes(database);
  for (const workspaceId of WORKSPACES) {
    const put = (collection: CollectionName, documents: Document[]) =>
      database.run({
        insert: storedName(collection),
        documents: documents.map((document) => ({
          workspaceId,
          createdAt: LONG_AGO,
          updatedAt: LONG_AGO,
          ...document,
        })),
      });
    await put('workspaces', [
      { _id: workspaceId, name: workspaceId, plan: 'expert', planUntil: null, suspendedAt: null },
    ]);
    await put('mailboxes', [mailboxOf(workspaceId)]);
    await put(
      'labels',
      [...LABELS, OWN_LABEL].map((name) => labelOf(workspaceId, name)),
    );
    await put('aiLabelRules', [ruleOf(workspaceId, 'Prices', true), ruleOf(workspaceId, 'Invoices', false)]);
    await put('autoForwardRules', [
      forwardOf(workspaceId, 'label', 'Invoices'),
      forwardOf(workspaceId, 'subject_contains', 'lunch'),
    ]);
  }
}

function mailboxOf(workspaceId: string): Document {
  return {
    _id: addressOf(workspaceId).mailboxId,
    email: 'bob@example.com',
    emailKey: `bob of ${workspaceId}`,
    recipientKeys: [],
    name: null,
    provider: 'development',
    status: 'active',
    aliases: [],
    folders: ['INBOX', 'SENT', 'DRAFTS', 'SPAM', 'TRASH'].map((type) => ({ id: `fld_${type}`, name: type, type })),
    server: null,
    credentials: null,
    lastSyncedAt: null,
    outbox: {},
  };
}

export const labelIdOf = (workspaceId: string, name: string): string => `lbl_${name}_of_${workspaceId}`;
export const replyRuleIdOf = (workspaceId: string, label: string): string => `air_${label}_of_${workspaceId}`;
export const forwardRuleIdOf = (workspaceId: string, value: string): string => `afr_${value}_of_${workspaceId}`;

function labelOf(workspaceId: string, name: string): Document {
  const nameKey = name.toLowerCase();
  return {
    _id: labelIdOf(workspaceId, name),
    name,
    nameKey,
    color: 'Pink',
    isAiLabel: name !== OWN_LABEL,
    deletedAt: null,
  };
}

export const CONDITIONS: Readonly<Record<(typeof LABELS)[number], string>> = { Prices: 'price', Invoices: 'invoice' };

function ruleOf(workspaceId: string, label: (typeof LABELS)[number], autoDraftEnabled: boolean): Document {
  return {
    _id: replyRuleIdOf(workspaceId, label),
    labelId: labelIdOf(workspaceId, label),
    condition: CONDITIONS[label],
    autoDraftEnabled,
    autoReplyEnabled: autoDraftEnabled,
    autoReplyConfidenceThreshold: 80,
    autoReplyDelayMinutes: 0,
    autoReplyNotifyOnSend: false,
    hideFromInbox: false,
  };
}

function forwardOf(workspaceId: string, conditionField: string, conditionValue: string): Document {
  return {
    _id: forwardRuleIdOf(workspaceId, conditionValue),
    conditionField,
    conditionValue,
    forwardTo: FORWARD_TO,
    mode: 'normal',
    isActive: true,
  };
}

const SUBJECTS = ['price', 'perhaps', 'invoice', 'lunch', 'weather'] as const;
const LONGEST_THREAD = 3;
const SHARE_OF_POISON = 0.15;
const SHARE_OF_OVERTAKING = 0.3;

/** Mails in threads of one to three, each with a subject of its own. Some answers come before their originals. */
export function drawMails(chance: Chance, workspaceId: string, count: number, hasPoison: boolean): Mail[] {
  const threads: string[][] = [];
  const mails = Array.from({ length: count }, (_, n) => {
    const about = hasPoison && chance.happens(SHARE_OF_POISON) ? 'poison' : chance.pick(SUBJECTS);
    const messageId = `${n}@${workspaceId}.example`;
    const open = threads.filter(({ length }) => length < LONGEST_THREAD);
    const thread = open.length > 0 && chance.happens(0.6) ? chance.pick(open) : undefined;
    const inReplyTo = thread?.[0];
    if (thread) thread.push(messageId);
    else threads.push([messageId]);
    return { subject: `${about} ${n} of ${workspaceId}`, messageId, ...(inReplyTo && { inReplyTo }) };
  });
  for (let n = 1; n < mails.length; n += 1)
    if (chance.happens(SHARE_OF_OVERTAKING)) mails.splice(n - 1, 0, ...mails.splice(n, 1));
  return mails;
}
