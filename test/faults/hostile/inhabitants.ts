import { randomBytes } from 'node:crypto';
import { bounds } from '@postroom/contract/bounds';
import type { Collections } from '@postroom/mail-store/collections';
import { emailDocument } from '../../support/email-document.ts';
import { minute } from '../../support/emails.ts';
import type { TestWorkspace } from '../../support/workspace.ts';
import type { Neighbour } from './attack.ts';
import type { World } from './world.ts';

/** Sizes of what is there before anybody attacks. */
export interface Sizes {
  neighbours: number;
  /** In each of their mailboxes. */
  emails: number;
  victims: number;
}

/** A message of such elements as are opened and never closed. */
const nested = { subject: 'nested', html: `${'<div>'.repeat(100_000)}deep` };
const BATCH = 1_000;
const VICTIMS_EMAILS = 200;

/** One who only does what anybody does. */
export interface Victim {
  workspace: TestWorkspace;
  mailboxId: string;
  /** Where senders write to. */
  secondMailboxId: string;
  emailIds: string[];
  labelId: string;
}

/** A workspace at its bounds: as many views, labels and filters as there may be, each as large as it may be. */
export async function openNeighbour(world: World, { emails }: Sizes): Promise<Neighbour> {
  const workspace = await world.workspace();
  const { id: workspaceId, keys } = workspace;
  const mailbox = await workspace.connectMailbox();
  const { collections } = world.store;
  const emailIds = await putMail(collections, { workspaceId, mailboxId: mailbox.id }, emails);
  await fillToBounds(collections, workspaceId);
  const [nestedId = ''] = await workspace.ingest(mailbox.id, [nested]);
  const labelId = `lbl_${workspaceId}_0`;
  return { workspaceId, mailboxId: mailbox.id, readKey: keys.read, writeKey: keys.write, emailIds, labelId, nestedId };
}

export async function openVictim(world: World): Promise<Victim> {
  const workspace = await world.workspace();
  const [mailbox, second] = [await workspace.connectMailbox(), await workspace.connectMailbox()];
  const html = `<p>Dear Bob,</p>${'<p>All is well with the report.</p>'.repeat(100)}`;
  const messages = Array.from({ length: 20 }, (_, n) => ({ subject: `Report ${n}`, html, date: minute(1_000 + n) }));
  const emailIds = await workspace.ingest(mailbox.id, messages);
  await putMail(world.store.collections, { workspaceId: workspace.id, mailboxId: mailbox.id }, VICTIMS_EMAILS);
  const { body } = await workspace.write.post('/labels', { name: 'Mine', color: 'Blue' });
  return { workspace, mailboxId: mailbox.id, secondMailboxId: second.id, emailIds, labelId: body.label.id };
}

/** Half of it with one word and half with another, so that many share each and none has both. */
async function putMail(
  collections: Collections,
  home: { workspaceId: string; mailboxId: string },
  count: number,
): Promise<string[]> {
  const [common, often] = ['common', 'often'].map((subject) => emailDocument({ ...home, subject, text: 'Dear Bob' }));
  const documents = Array.from({ length: count }, (_, n) => {
    const _id = `eml_${randomBytes(11).toString('hex')}`;
    return { ...(n % 2 === 0 ? common : often), _id, sourceKey: _id, messageKey: _id, date: minute(n) };
  });
  for (let at = 0; at < count; at += BATCH) {
    await collections.emails.collection.insertMany(documents.slice(at, at + BATCH) as never[]);
  }
  return documents.map(({ _id }) => _id);
}

async function fillToBounds(collections: Collections, workspaceId: string): Promise<void> {
  const now = new Date();
  const { labels, views, inboxFilters } = bounds.perWorkspace;
  const many = (count: number, make: (n: number) => object) =>
    Array.from({ length: count }, (_, n) => ({ ...make(n), workspaceId, createdAt: now, updatedAt: now })) as never[];
  const condition = { id: 'c', label: 'subject', type: 'contains', value: 'x'.repeat(500) };
  const filters = JSON.stringify({ id: 'g', _or: Array.from({ length: 14 }, () => condition) });
  const label = (n: number) => {
    const name = `${n}${'x'.repeat(44)}`;
    return { _id: `lbl_${workspaceId}_${n}`, name, nameKey: name, color: 'Blue', isAiLabel: false, deletedAt: null };
  };
  const filter = (n: number) => {
    const value = `nobody writes of ${n}`;
    return { _id: `flt_${workspaceId}_${n}`, type: 'subject', value, valueKey: value };
  };
  const view = (n: number) => ({ _id: `viw_${workspaceId}_${n}`, name: `v${n}`, icon: null, filters, mailboxIds: [] });
  // Room is left for those that an attack makes.
  await collections.labels.collection.insertMany(many(labels - 20, label));
  await collections.inboxFilters.collection.insertMany(many(inboxFilters - 1, filter));
  await collections.views.collection.insertMany(many(views - 1, view));
}
