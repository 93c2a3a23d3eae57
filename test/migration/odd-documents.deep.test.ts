import { beforeEach, describe, expect, it } from '@jest/globals';
import { classificationsExpire } from '@postroom/mail-store/migrations/0033-classifications-expire';
import { writtenTo } from '@postroom/mail-store/migrations/0054-written-to';
import { type MigrationStep, rewrite } from '@postroom/mail-store/migrations/step';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { emailDocument } from '../support/email-document.ts';
import { useMigrationWorld } from './migrate.ts';

const first: MigrationStep = { title: 'the first', parts: [] };
const steps = [first, classificationsExpire, writtenTo];
const declared = { emails: [], classifications: [] };
const to = [{ email: 'bob@other.example', name: null }];

interface StoredEmail {
  _id: string;
  writtenTo?: string[];
}
const world = useMigrationWorld();
beforeEach(async () => {
  await world.run({ steps: [first], declared });
});

const emails = () => world.connection.collection<StoredEmail>('emails');
/** A sent email of a version before. Fields that are undefined in `more` are not stored. */
function sent(_id: string, more: object = {}): StoredEmail {
  const email = { ...emailDocument({ folderType: 'SENT', to }), ...more, _id };
  return Object.fromEntries(Object.entries(email).filter(([, value]) => value !== undefined)) as unknown as StoredEmail;
}
const writtenToOf = async (_id: string) => (await emails().findOne({ _id }))?.writtenTo;

describe('a document that no version has written', () => {
  it.each([
    ['has no recipients', { to: undefined }],
    ['has null for its recipients', { cc: null }],
    ['has a recipient without an address', { bcc: [{ name: 'Bob' }] }],
  ])('stays as it is, is named, and stops no other, where it %s', async (_what, more) => {
    await emails().insertMany([sent('eml_1'), sent('eml_2', more), sent('eml_3')]);
    const { events, passedOver, version } = await world.run({ steps, declared });
    expect({ passedOver, version }).toEqual({ passedOver: ['emails eml_2'], version: 3 });
    expect(events).toContainEqual(expect.objectContaining({ at: 'document passed over', version: 3, id: 'eml_2' }));
    expect(await Promise.all(['eml_1', 'eml_2', 'eml_3'].map(writtenToOf))).toEqual([
      ['bob@other.example'],
      undefined,
      ['bob@other.example'],
    ]);
  });

  it('is passed over where it has no date', async () => {
    const classifications = world.connection.collection<{ _id: string }>('classifications');
    const dates = [{ createdAt: new Date() }, {}, { createdAt: 'yesterday' }];
    await classifications.insertMany(dates.map((date, n) => ({ _id: `cls_${n}`, workspaceId: 'wsp_1', ...date })));
    const { passedOver } = await world.run({ steps, declared });
    expect(passedOver).toEqual(['classifications cls_1', 'classifications cls_2']);
    expect(await classifications.countDocuments({ expiresAt: { $type: 'date' } })).toBe(1);
  });

  whenDatabaseHas('documentLimit')(
    'is passed over where its update would make it larger than a document may be',
    async () => {
      const most = 16 * 1024 * 1024;
      const many = Array.from({ length: 20_000 }, (_, n) => ({ email: `p${n}@other.example`, name: null }));
      await emails().insertMany([
        sent('eml_1'),
        sent('eml_2', { to: many, pad: 'x'.repeat(most - 1_500_000) }),
        sent('eml_3'),
      ]);
      const { passedOver } = await world.run({ steps, declared });
      expect(passedOver).toEqual(['emails eml_2']);
      expect(await Promise.all(['eml_1', 'eml_3'].map(writtenToOf))).toEqual([
        ['bob@other.example'],
        ['bob@other.example'],
      ]);
    },
  );

  it('is rewritten where only its id is strange', async () => {
    const ids = ['', ' ', '$x.y', '\u{1f600}', 'Straße', '\ufffd', '~'];
    await emails().insertMany(ids.map((id) => sent(id)));
    const { passedOver } = await world.run({ steps, declared });
    expect(passedOver).toEqual([]);
    expect(await Promise.all(ids.map(writtenToOf))).toEqual(ids.map(() => ['bob@other.example']));
  });
});

describe('a step that fails', () => {
  it('on more than a hundred documents has a fault, which names one of them, and no version is recorded', async () => {
    await emails().insertMany(
      Array.from({ length: 101 }, (_, n) => sent(`eml_${String(n).padStart(3, '0')}`, { to: null })),
    );
    await expect(world.run({ steps, declared })).rejects.toThrow('step 3 cannot rewrite eml_100 of emails: ');
    expect(await world.connection.collection('schemaVersions').findOne({})).toMatchObject({ version: 1 });
  });

  it('stops the migration where the database refuses a query, and passes over nothing', async () => {
    await emails().insertMany([sent('eml_1')]);
    const asking = rewrite<StoredEmail>({
      collection: 'emails',
      reads: [],
      whileSame: [],
      atOnce: 10,
      updates: (_emails, database) => database.collection<never>('emails').find({ $noSuchOperator: 1 } as never),
    });
    await expect(world.run({ steps: [first, { title: 'asks', parts: [asking] }], declared })).rejects.toThrow();
  });
});
