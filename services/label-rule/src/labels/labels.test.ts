import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { LabelRuleServiceDefinition } from '@postroom/proto/postroom/v1/label_rule';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import { randomIds } from '@postroom/runtime/ids';
import { freshDatabaseUri } from '../../../../test/support/database.ts';
import { service } from '../service.ts';

async function open() {
  const context = createServiceContext({ name: 'label-rule', logLevel: 'silent' });
  const uri = freshDatabaseUri();
  const { connection, collections } = await openMailStore({ uri, needsSchema: false }, context);
  await migrate(connection, context);
  // Nobody listens there: a deletion has to succeed while its peers are unavailable.
  const unavailable = '127.0.0.1:1';
  const config = service.config.parse({
    MONGODB_URI: uri,
    HOST: '127.0.0.1',
    GRPC_PORT: 0,
    MAILBOX_WRITE_ADDR: unavailable,
    VIEW_FILTER_ADDR: unavailable,
  });
  const { port } = await service.open(config, context);
  const client = connect(LabelRuleServiceDefinition, `127.0.0.1:${port}`, { context });
  return { context, collections, client };
}

let opened: Awaited<ReturnType<typeof open>>;
const workspace = () => ({ workspaceId: randomIds('wsp'), requestId: 'test' });
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );

beforeAll(async () => {
  opened = await open();
});
afterAll(async () => {
  opened.client.close();
  await opened.context.lifecycle.close();
});

describe('labels of a workspace', () => {
  it('are listed in the order in which they were made, with every field', async () => {
    const mine = workspace();
    for (const name of ['Zebra', 'apple', ' Mango ']) {
      await opened.client.createLabel({ name, color: 'Blue', maySend: false }, mine);
      // Within one millisecond there is no order of making.
      await opened.context.clock.sleep(2);
    }

    const { items } = await opened.client.listLabels({}, mine);
    expect(items.map(({ name }) => name)).toEqual(['Zebra', 'apple', 'Mango']);
    expect(items[0]).toEqual({
      id: expect.stringMatching(/^lbl_/),
      name: 'Zebra',
      color: 'Blue',
      isAiLabel: false,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  it('DUPLICATE_TAG_NAME in any case, also for one of fifty that come at once', async () => {
    const mine = workspace();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        code(opened.client.createLabel({ name: index % 2 ? 'Straße' : 'STRASSE', color: 'Red', maySend: false }, mine)),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'no error')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['no error', 'DUPLICATE_TAG_NAME']));
  });

  it('may carry the same name in two workspaces', async () => {
    await opened.client.createLabel({ name: 'Same', color: 'Red', maySend: false }, workspace());
    expect(await code(opened.client.createLabel({ name: 'Same', color: 'Red', maySend: false }, workspace()))).toBe(
      'no error',
    );
  });

  it('take their own name in another case, and no other label’s', async () => {
    const mine = workspace();
    const { id } = await opened.client.createLabel({ name: 'work', color: 'Red', maySend: false }, mine);
    await opened.client.createLabel({ name: 'Home', color: 'Red', maySend: false }, mine);

    const renamed = await opened.client.updateLabel(
      { labelId: id, name: 'WORK', color: undefined, maySend: false },
      mine,
    );
    expect(renamed).toMatchObject({ id, name: 'WORK', color: 'Red' });
    expect(
      await code(opened.client.updateLabel({ labelId: id, name: 'hOME', color: undefined, maySend: false }, mine)),
    ).toBe('DUPLICATE_TAG_NAME');
  });

  it('LABEL_NOT_FOUND for an unknown one and for another workspace’s alike', async () => {
    const mine = workspace();
    const { id: foreign } = await opened.client.createLabel(
      { name: 'Theirs', color: 'Red', maySend: false },
      workspace(),
    );
    for (const labelId of [foreign, 'lbl_unknown']) {
      expect(await code(opened.client.getLabel({ labelId }, mine))).toBe('LABEL_NOT_FOUND');
      expect(
        await code(opened.client.updateLabel({ labelId, name: 'x', color: undefined, maySend: false }, mine)),
      ).toBe('LABEL_NOT_FOUND');
      expect(await code(opened.client.deleteLabel({ labelId, maySend: false }, mine))).toBe('LABEL_NOT_FOUND');
    }
  });

  it('INVALID_TAG for changing or deleting an AI label, which is listed like the others', async () => {
    const mine = workspace();
    const labelId = randomIds('lbl');
    const aiLabel = {
      name: 'Clever',
      nameKey: 'clever',
      color: 'Pink',
      isAiLabel: true,
      createdAt: new Date(),
      deletedAt: null,
    };
    await opened.collections.labels.create([{ _id: labelId, workspaceId: mine.workspaceId, ...aiLabel }]);

    expect((await opened.client.listLabels({}, mine)).items).toMatchObject([{ id: labelId, isAiLabel: true }]);
    expect(
      await code(opened.client.updateLabel({ labelId, name: undefined, color: 'Red', maySend: false }, mine)),
    ).toBe('INVALID_TAG');
    expect(await code(opened.client.deleteLabel({ labelId, maySend: false }, mine))).toBe('INVALID_TAG');
    expect(await code(opened.client.createLabel({ name: 'CLEVER', color: 'Red', maySend: false }, mine))).toBe(
      'DUPLICATE_TAG_NAME',
    );
  });

  it('once deleted are gone for every reader, and their name is free, while the other services are unavailable', async () => {
    const mine = workspace();
    const { id: labelId } = await opened.client.createLabel({ name: 'Old', color: 'Red', maySend: false }, mine);
    await opened.client.deleteLabel({ labelId, maySend: false }, mine);

    expect((await opened.client.listLabels({}, mine)).items).toEqual([]);
    expect(await code(opened.client.getLabel({ labelId }, mine))).toBe('LABEL_NOT_FOUND');
    expect(await code(opened.client.deleteLabel({ labelId, maySend: false }, mine))).toBe('LABEL_NOT_FOUND');
    expect(await code(opened.client.createLabel({ name: 'old', color: 'Red', maySend: false }, mine))).toBe('no error');
  });
});
