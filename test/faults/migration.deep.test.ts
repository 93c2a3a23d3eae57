import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { indexes } from '@postroom/mail-store/indexes';
import { toListProjection } from '@postroom/mail-store/list-projection';
import { SCHEMA_VERSION } from '@postroom/mail-store/schema-version';
import type { mongo } from 'mongoose';
import { emailDocument } from '../support/email-document.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { brokenData } from './support/audit.ts';
import { type KillPoint, type MigrationRun, runMigration } from './support/migration-process.ts';
import { type MixedLoad, startMixedLoad } from './support/mixed-load.ts';
import { CHANGED_INDEX, OLD_INDEX } from './support/upgrade.ts';

const EMAILS = 1_000;
const kills: KillPoint[] = [
  { at: 'batch written', count: 3 },
  { at: 'batch written', count: 10 },
  { at: 'bridge made', count: 1 },
  { at: 'index dropped', count: 1 },
];

const stack = useStack();
let workspace: TestWorkspace;
let expected: EmailDocument[];
beforeAll(async () => {
  workspace = await stack.workspace();
  const { id: mailboxId, folders } = await workspace.connectMailbox();
  const folderId = folders.find(({ type }) => type === 'INBOX')?.id ?? '';
  const parts = { workspaceId: workspace.id, mailboxId, folderId };
  expected = Array.from({ length: EMAILS }, (_, n) =>
    emailDocument({
      ...parts,
      _id: `eml_${n}`,
      subject: `Upgrade ${n}`,
      threadId: `thr_${n % 250}`,
      text: `Größe ${n}`,
    }),
  );
  await emails().insertMany(expected.map(asBefore));
  const createdAt = new Date();
  const bodies = expected.map(({ _id, workspaceId }, n) => {
    return { _id, workspaceId, mailboxId, html: null, text: `Größe ${n}`, createdAt };
  });
  await stack.collections.bodies.collection.insertMany(bodies as never[]);
  await emails().createIndex(OLD_INDEX.key, { name: OLD_INDEX.name });
});

const emails = () => stack.collections.emails.collection as unknown as mongo.Collection<EmailDocument>;

/** The email as an earlier version rendered and folded it. Callers could read and search it, too. */
const asBefore = (email: EmailDocument): EmailDocument => ({
  ...email,
  rendered: email.rendered.replace('"hasAttachments":false', '"hasAttachments":true'),
  folded: { ...email.folded, text: '' },
  words: email.words.filter((word) => word.startsWith('h:')),
});

describe('an upgrade that renders again and changes an index, killed again and again under calls', () => {
  it('fails no call and loses nothing', async () => {
    const load = await startMixedLoad(stack);
    const calls = startCalls(workspace);
    const runs: MigrationRun[] = [];
    for (const [attempt, kill] of [...kills, undefined].entries()) {
      runs.push(await runMigration(stack.mongodbUri, attempt, kill));
      // Calls meet what each kill leaves behind, however slow the machine is.
      await calls.more(3);
    }
    await calls.stop();
    await load.stop();

    expect(runs.map(({ ended }) => ended)).toEqual([...kills.map(() => 'SIGKILL'), 0]);
    expect(refusedOf(load)).toEqual([]);
    expect(calls.faults).toEqual([]);
    expect(calls.count()).toBeGreaterThanOrEqual(3 * runs.length);
    expect(await brokenData(load.promises)).toEqual([]);

    const stored = await emails().find({ workspaceId: workspace.id }).sort({ _id: 1 }).toArray();
    const sorted = expected.toSorted((one, other) => (one._id < other._id ? -1 : 1));
    expect(stored.map(made)).toEqual(sorted.map(made));
    expect(stored.filter(({ isStarred }) => isStarred).map(({ _id }) => _id)).toEqual(calls.starred.toSorted());
    for await (const email of emails().find()) expect(email.rendered).toBe(toListProjection(email));
    // Each kill repeats at most one batch.
    expect(batchesOf(runs).length).toBeLessThanOrEqual(batchesNeeded(await emails().countDocuments()) + kills.length);

    const listed = await emails().listIndexes().toArray();
    expect(listed.find(({ name }) => name === CHANGED_INDEX.name)?.key).toEqual(CHANGED_INDEX.key);
    expect(listed.map(({ name }) => name as string).filter((name) => !isDeclared(name))).toEqual(['_id_']);
    expect(await stack.collections.schemaVersions.findOne().lean()).toMatchObject({ version: SCHEMA_VERSION + 1 });
  });
});

const isDeclared = (name: string) => indexes.emails.some((spec) => spec.name === name);
/** The fields that a rewrite writes, and those that it reads. */
const made = ({ _id, subject, threadId, rendered: projection, folded, words }: EmailDocument) => {
  return { _id, subject, threadId, rendered: projection, folded, words };
};
const refusedOf = ({ seen, outsideContract }: MixedLoad) => [
  ...outsideContract,
  ...seen.filter(({ status }) => status >= 300),
];
const batchesOf = (runs: MigrationRun[]) =>
  runs.flatMap(({ events }) => events.filter(({ at }) => at === 'batch written'));
const batchesNeeded = (count: number) => Math.ceil(count / 100) + Math.ceil(count / 50);

/** Pages of every kind, each of them whole, and a change after each pass. */
function startCalls({ read, write }: TestWorkspace) {
  const paths = [
    '/emails?limit=20&folderType=INBOX',
    '/emails/search?q=upgrade&limit=20',
    '/emails?limit=20',
    '/emails/eml_1/body',
  ];
  const faults: string[] = [];
  const starred: string[] = [];
  let count = 0;
  let isOver = false;
  const pass = async () => {
    for (const path of paths) {
      const { status, body } = await read.get(path);
      const found = (body.items ?? body.thread ?? []) as { subject: string }[];
      const isWhole =
        status === 200 && found.length >= 4 && found.every(({ subject }) => subject.startsWith('Upgrade'));
      if (!isWhole) faults.push(`${path}: ${status} ${JSON.stringify(body).slice(0, 200)}`);
    }
    const id = `eml_${(count * 13) % EMAILS}`;
    const { status } = await write.patch(`/emails/${id}`, { isStarred: true });
    if (status === 200) starred.push(id);
    else faults.push(`PATCH ${id}: ${status}`);
    count += 1;
  };
  const calling = (async () => {
    // The plan in force allows a thousand calls a minute.
    for (; !isOver; await sleep(400)) await pass();
  })();
  return {
    faults,
    starred,
    count: () => count,
    /** Waits until all kinds have been called so many times more. */
    more: async (times: number) => {
      const goal = count + times;
      while (count < goal && !isOver) await sleep(50);
    },
    stop: async () => {
      isOver = true;
      await calling;
    },
  };
}
