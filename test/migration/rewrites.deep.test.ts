import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { foldAgain } from '@postroom/mail-store/migrations/fold-again';
import type { MigrationEvent } from '@postroom/mail-store/migrations/progress';
import { rebuildListProjections } from '@postroom/mail-store/migrations/rebuild-list-projections';
import type { MigrationPart, MigrationStep } from '@postroom/mail-store/migrations/step';
import { toListProjection } from '@postroom/mail-store/list-projection';
import { emailDocument } from '../support/email-document.ts';
import { Killed, useMigrationWorld } from './migrate.ts';

const EMAILS = 130;
const declared = { emails: [], bodies: [] };
const first: MigrationStep = { title: 'the first', parts: [] };
const again: MigrationStep = { title: 'renders and folds again', parts: [rebuildListProjections, foldAgain] };
const steps = [first, again];

const emailAt = (n: number) =>
  emailDocument({
    _id: `eml_${String(n).padStart(4, '0')}`,
    subject: `Größe ${n}`,
    threadId: `thr_${n}`,
    text: n % 5 === 0 ? '' : `Straße number ${n}`,
  });
const asIngested = Array.from({ length: EMAILS }, (_, n) => emailAt(n));
/** As a version before rendered and folded it. */
const asBefore = (email: EmailDocument): EmailDocument => ({
  ...email,
  rendered: `${email.rendered.slice(0, -5)} old`,
  words: email.words.filter((word) => word.startsWith('t:')),
  folded: { ...email.folded, subject: 'old' },
});

const world = useMigrationWorld();

const emails = () => world.connection.collection<EmailDocument>('emails');
const projectionOf = (email: EmailDocument) => email.rendered;
const stored = () => emails().find().sort({ _id: 1 }).toArray();
const put = async (documents: EmailDocument[]) => {
  await world.connection.dropDatabase();
  await world.run({ steps: [first], declared });
  await emails().insertMany(documents);
  const bodies = documents
    .filter((_, n) => n % 5 !== 0)
    .map(({ _id, workspaceId, mailboxId }) => ({
      _id,
      workspaceId,
      mailboxId,
      html: null,
      text: `Straße number ${Number(_id.slice(4))}`,
      createdAt: new Date(),
    }));
  await world.collections.bodies.collection.insertMany(bodies as never[]);
};
beforeEach(() => put(asIngested.map(asBefore)));

describe('rendering and folding again', () => {
  it('makes of every email what ingest makes of it, in batches, and says how far it is', async () => {
    const { events } = await world.run({ steps, declared });
    expect(await stored()).toEqual(asIngested);
    const figures = events.flatMap((event) =>
      event.at === 'batch written' ? [[event.seen, event.changed, event.total]] : [],
    );
    expect(figures.slice(0, 2)).toEqual([
      [100, 100, EMAILS],
      [EMAILS, EMAILS, EMAILS],
    ]);
  });

  it('changes nothing where nothing changed', async () => {
    await put(asIngested);
    const { events } = await world.run({ steps, declared });
    expect(events.filter(({ at }) => at === 'part done')).toMatchObject([{ changed: 0 }, { changed: 0 }]);
    expect(await stored()).toEqual(asIngested);
  });

  it('keeps what is found by the text of a body that is not kept any more', async () => {
    await world.collections.bodies.deleteMany({});
    await world.run({ steps, declared });
    expect(await stored()).toEqual(asIngested);
  });

  it('may be killed anywhere: the next run ends the same', async () => {
    let kills = 0;
    for (let isKilled = true; isKilled; kills++) {
      await put(asIngested.map(asBefore));
      isKilled = await world.runUntil(kills, { steps, declared });
      await world.run({ steps, declared });
      expect(await stored()).toEqual(asIngested);
    }
    expect(kills).toBeGreaterThan(10);
  });

  it('goes on behind the last batch, however often it is killed', async () => {
    const seen: number[] = [];
    const onProgress = (event: MigrationEvent) => {
      if (event.at !== 'batch written') return;
      seen.push(event.seen);
      throw new Killed();
    };
    while (await world.runUntil(Infinity, { steps, declared, onProgress }));
    expect(seen).toEqual([100, EMAILS, 50, 100, EMAILS]);
    expect(await stored()).toEqual(asIngested);
  });
});

/** A call that comes between the reading of a batch and its writing, once. */
function meanwhile(part: MigrationPart, call: () => Promise<unknown>): MigrationPart {
  if (part.kind !== 'rewrite') throw new Error('only a rewrite reads before it writes');
  const { updates } = part.rewrite;
  let isFirst = true;
  async function* racing(...given: Parameters<typeof updates>) {
    yield* updates(...given);
    if (isFirst) await call();
    isFirst = false;
  }
  return { ...part, rewrite: { ...part.rewrite, updates: racing } };
}

const versionOf = async () => (await world.connection.collection('schemaVersions').findOne({}))?.version as number;

describe('calls while documents are rewritten', () => {
  const changed = { threadId: 'thr_moved', rendered: toListProjection({ ...emailAt(7), threadId: 'thr_moved' }) };

  it('lose nothing: a document that they changed between the reading and the writing is read again', async () => {
    const racing = meanwhile(rebuildListProjections, () =>
      emails().updateOne({ _id: emailAt(7)._id }, { $set: changed }),
    );
    await world.run({ steps: [first, { title: 'races', parts: [racing, foldAgain] }], declared });
    expect(await stored()).toEqual(asIngested.map((email, n) => (n === 7 ? { ...email, ...changed } : email)));
  });

  it('of the version before, made behind a rewrite, are rewritten by the next step or on demand', async () => {
    await world.run({ steps, declared });
    const late = asBefore(emailAt(3));
    const write = () => emails().replaceOne({ _id: late._id }, late);
    await write();
    expect((await world.run({ steps, declared })).events).toEqual([{ at: 'version recorded', version: 2 }]);
    await world.run({ steps, declared, again: true });
    expect(await stored()).toEqual(asIngested);
  });

  it('of the version before, made after a return to it, are rewritten on demand although that was done once', async () => {
    const late = asBefore(emailAt(3));
    const write = () => emails().replaceOne({ _id: late._id }, late);
    await world.run({ steps, declared });
    await world.run({ steps, declared, again: true });
    await write();
    // Nothing but a demand tells that the version before has served again.
    expect((await world.run({ steps, declared })).events).toEqual([{ at: 'version recorded', version: 2 }]);
    expect(await emails().findOne({ _id: late._id })).toEqual(late);
    await world.run({ steps, declared, again: true });
    expect(await stored()).toEqual(asIngested);
  });

  it('of the version before, in a database that began with this one, are rewritten on demand', async () => {
    await world.connection.dropDatabase();
    await world.run({ steps, declared });
    await emails().insertMany(asIngested.map(asBefore));
    await world.run({ steps, declared, again: true });
    expect((await stored()).map(projectionOf)).toEqual(asIngested.map(projectionOf));
  });

  it('are rewritten whole by a demand that is killed anywhere and repeated', async () => {
    await world.run({ steps, declared });
    await world.run({ steps, declared, again: true });
    let kills = 0;
    for (let isKilled = true; isKilled; kills++) {
      await emails().updateMany({}, { $set: { rendered: 'old' } });
      isKilled = await world.runUntil(kills, { steps, declared, again: true });
      await world.run({ steps, declared, again: true });
      expect((await stored()).map(projectionOf)).toEqual(asIngested.map(projectionOf));
    }
    expect(kills).toBeGreaterThan(5);
  });

  it('of the version before are rewritten before the steps of the one behind it', async () => {
    await world.run({ steps, declared });
    const late = asBefore(emailAt(3));
    await emails().replaceOne({ _id: late._id }, late);
    const third = { title: 'the third', parts: [] };
    const { events } = await world.run({ steps: [...steps, third], declared });
    expect(events.at(-1)).toEqual({ at: 'version recorded', version: 3 });
    expect(await stored()).toEqual(asIngested);
  });

  it('are rewritten by a demand that is killed at every batch and goes on behind it', async () => {
    await world.run({ steps, declared });
    await world.run({ steps, declared, again: true });
    await emails().updateMany({}, { $set: { rendered: 'old' } });
    const onProgress = ({ at }: MigrationEvent) => {
      if (at === 'batch written') throw new Killed();
    };
    let kills = 0;
    while (await world.runUntil(Infinity, { steps, declared, again: true, onProgress }))
      expect(++kills).toBeLessThan(30);
    expect((await stored()).map(projectionOf)).toEqual(asIngested.map(projectionOf));
  });

  it('find no version before everything is there that it promises', async () => {
    const versions: [MigrationEvent['at'], number][] = [];
    const onProgress = async ({ at }: MigrationEvent) => void versions.push([at, await versionOf()]);
    await world.run({ steps, declared, onProgress });
    expect(versions.filter(([, version]) => version !== 1)).toEqual([['version recorded', 2]]);
  });
});

describe('two migrations at once', () => {
  it('do the work once: one waits, and finds it done', async () => {
    const events: MigrationEvent[] = [];
    const waits = () => events.filter(({ at }) => at === 'waiting').length;
    const both = [onWait, onWait].map((on) => world.run({ steps, declared, onProgress: on }));
    let isOneDone = false;
    async function onWait(event: MigrationEvent) {
      events.push(event);
      // A lease lasts for 30 s, and its renewal takes the time of this machine, not of the clock.
      if (event.at === 'waiting' && (isOneDone || waits() <= 20)) setImmediate(() => void world.clock.advance(1_000));
    }
    await Promise.race(both);
    isOneDone = true;
    await world.clock.advance(1_000);
    await Promise.all(both);
    expect(waits()).toBeGreaterThan(0);
    expect(events.filter(({ at }) => at === 'part done')).toMatchObject([{ changed: EMAILS }, { changed: EMAILS }]);
    expect(events.filter(({ at }) => at === 'version recorded')).toHaveLength(2);
    expect(await stored()).toEqual(asIngested);
  });

  it('do no harm where one stood still until the other had taken over: it stops at its next write', async () => {
    let batches = 0;
    const onProgress = async ({ at }: MigrationEvent) => {
      if (at !== 'batch written' || ++batches > 1) return;
      world.clock.set(world.clock.now() + 60_000);
      await world.run({ steps: [first, { title: 'another', parts: [] }], declared });
    };
    await expect(world.run({ steps, declared, onProgress })).rejects.toThrow('another migration has taken over');
    expect(batches).toBe(1);
  });
});

describe('a database of a version that this build does not know', () => {
  it('is left as it is when it is newer: its indexes, its documents and its version', async () => {
    const older = [{ name: 'by_age', key: { age: 1 as const } }];
    const newer = [{ name: 'by_age', key: { workspaceId: 1 as const, age: 1 as const } }];
    await world.run({ steps, declared: { items: newer } });
    const outcome = await world.run({ steps: [first], declared: { items: older }, again: true });
    expect(outcome.events).toEqual([{ at: 'newer version left', version: 2 }]);
    expect(outcome).toMatchObject({ version: 2, indexes: 0 });
    expect(await world.indexesOf('items')).toEqual({ by_age: { key: { workspaceId: 1, age: 1 } } });
  });

  it('is refused, and left as it is, when it is older than the first step', async () => {
    await world.run({ steps: [first], declared });
    const before = await stored();
    const run = world.run({ steps: [first, again], firstVersion: 30, declared });
    await expect(run).rejects.toThrow('schema version 1, and this build upgrades from 30 on');
    expect(await versionOf()).toBe(1);
    expect(await stored()).toEqual(before);
  });

  it('goes through the later steps alone when it has the first version', async () => {
    await world.connection.dropDatabase();
    await world.run({ steps: [first], firstVersion: 30, declared });
    const { events } = await world.run({ steps, firstVersion: 30, declared });
    expect(events.filter(({ at }) => at === 'step begun')).toMatchObject([{ version: 31 }]);
    expect(events.at(-1)).toEqual({ at: 'version recorded', version: 31 });
  });
});
